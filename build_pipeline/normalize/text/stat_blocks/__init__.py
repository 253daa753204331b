"""Stat blocks: their lines, traits and actions, and what these do."""
