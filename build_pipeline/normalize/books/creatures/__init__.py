"""Stat blocks of the books."""
