"""The words with which an entity inflicts a condition: what earns the tags that ask the column `inflicts`."""

from __future__ import annotations

from build_pipeline.kept import kept
from build_pipeline.normalize.text.inflicted import inflicted_conditions
from build_pipeline.normalize.text.stat_block_effects import SENTENCE, effects


@kept
def inflicting_words(name: str, text: str, condition: str, *, stat_block: bool) -> str:
    """The first sentence that inflicts a condition, as far as the condition; empty if several together do.

    Args:
        name: the entity's; in its own stat block it is not whom the condition befalls.
        text: name and prose.
        condition: lower case.
        stat_block: whether the text is one: then what it does to others counts before what is told of anybody.
    """
    told = [sentence for sentence in SENTENCE.split(text) if condition[:4] in sentence.lower()]
    found = (s for s in told if stat_block and condition in effects(name, [{"description": s}])["inflicts"])
    sentence = next(found, None) or next((s for s in told if condition in inflicted_conditions(s)), "")
    stop = sentence.lower().rfind(condition)
    return sentence if stop < 0 else sentence[: stop + len(condition)]
