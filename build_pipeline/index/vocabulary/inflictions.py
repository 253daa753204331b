"""The words with which an entity inflicts a condition: the evidence for tags that query the column `inflicts`."""

from __future__ import annotations

from build_pipeline.kept import kept
from build_pipeline.normalize.text.spells.inflicted import inflicted_conditions
from build_pipeline.normalize.text.stat_blocks.effects import SENTENCE, effects


@kept
def inflicting_words(name: str, text: str, condition: str, *, stat_block: bool) -> str:
    """The first sentence that inflicts a condition, up to the condition's name; empty if only several together do.

    Args:
        name: the entity's name; in its own stat block, the entity is not the condition's victim.
        text: name and prose.
        condition: the condition's name in lower case.
        stat_block: whether the text is a stat block; then what the creature does to others takes precedence.
    """
    mentions = [sentence for sentence in SENTENCE.split(text) if condition[:4] in sentence.lower()]
    found = (
        s for s in mentions if stat_block and condition in effects(name, {"traits": [{"description": s}]})["inflicts"]
    )
    sentence = next(found, None) or next((s for s in mentions if condition in inflicted_conditions(s)), "")
    stop = sentence.lower().rfind(condition)
    return sentence if stop < 0 else sentence[: stop + len(condition)]
