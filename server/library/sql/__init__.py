"""SQL over the published tables."""
