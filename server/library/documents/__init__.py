"""Documents, and which of them a text names."""
