"""Spells: targets, areas, saves, conditions, healing, materials, and what higher slots and levels change."""
