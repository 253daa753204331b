"""Spells: targets, materials, and what higher slots and levels change."""
