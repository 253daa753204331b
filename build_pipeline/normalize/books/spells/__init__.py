"""Spell descriptions and classes' spell lists of the books."""
