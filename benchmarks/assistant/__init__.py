"""Probes and questions for language models that have only the library's tools.

`README.md` says how to put a model behind them.
"""
