"""What changed between two datasets, in their records and in how well they are searched."""
