"""Entities as response records, their parts and chapters."""
