"""What may be asked for: kinds, filters and other parameters."""
