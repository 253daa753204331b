"""Growth of spells for tests, and the game's wording from which their sentences are composed."""

from build_pipeline.normalize.text.spells.higher_levels import Casting, growth

EACH = "for each slot level above"
EACH_SPELL = "for each spell slot level above"
MORE = "The damage increases by"
AND_LAST = "and 4d6 at 17th level"
REACHING = "when you reach"
SLOT = "level spell slot"
EVERY_TWO = "for every two slot levels above"


def grown(level, description, higher, targets=None, feet=None, **usual):
    """Slot or character level → the spell's values there."""
    found = {}
    for row in growth(Casting(level, description, targets, feet, **usual), higher):
        reached = row.get("slot_level") or row["character_level"]
        found.setdefault(reached, {}).update((k, v) for k, v in row.items() if not k.endswith("_level"))
    return found
