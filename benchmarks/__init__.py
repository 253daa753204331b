"""What the library costs, and how well models answer with it."""
