"""Items: kinds, rarity, attunement, numbers and spells."""
