"""What the books' price lists sell, poisons, and magic items."""
