"""Statements that try to get more out of `query` than the dataset, or to exhaust the server."""
