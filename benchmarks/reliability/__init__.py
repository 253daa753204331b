"""Breaks it on purpose and writes down what happened: `python -m benchmarks.reliability --help`."""
