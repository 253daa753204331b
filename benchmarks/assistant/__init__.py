"""Probes and questions for language models that have nothing but the library's tools.

`README.md` says how to put a model behind them.
"""
