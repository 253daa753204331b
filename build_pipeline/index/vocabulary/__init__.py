"""The vocabulary of tags and attributes: what players say an entity does, and which entities do it."""
