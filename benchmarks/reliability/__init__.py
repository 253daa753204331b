"""Breaks builder, dataset and server on purpose, and records the outcome: `python -m benchmarks.reliability --help`."""
