"""What texts name: spells, items, creatures, conditions and sections."""
