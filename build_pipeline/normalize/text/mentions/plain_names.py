"""Names that mean nothing else wherever a text has them, emphasised or not; and the rules among them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Final

from build_pipeline.normalize.text.mentions.mention import Mention
from build_pipeline.resources import text as resource

RULE: Final = ("rule",)
"""The `entity_types` of a mention of a rule."""

PLAIN_NAMES: Final = {
    (entity_type,): re.compile(
        rf"(?<!counter or )(?<!mass )(?<![*_])\b(?:{'|'.join(names)})\b".replace("'", "['’]")
        + r"(?! (?:bodies|creatures|spell|\(\d+ charge))",
        re.IGNORECASE,
    )
    for entity_type, names in tomllib.loads(resource("plain_names.toml")).items()
}
"""Types → pattern of names that mean nothing else: "greater restoration cures the disease". Darkvision in italics is a
spell."""
_TEMPORARY: Final = re.compile(r"\btemp(?:orary)? hp\b", re.IGNORECASE)
_RESTS: Final = re.compile(r"\b(?:[Ss]hort(?: or |/)[Ll]ong|[Ll]ong or [Ss]hort) [Rr]ests?\b")
_COVER: Final = re.compile(r"\b(?:half|three-quarters|total)[ -]cover\b")
"""Degrees of cover, which the rules explain in one place; `glossary_terms` finds capitalised ones."""


def rules_named(text: str) -> Iterator[Mention]:
    """Terms of the rules that mean nothing else, also in the forms that head a rule.

    "Critical Hits", "Shape-Shifting", "Areas of Effect". A "short or long rest" is both rests, and "hp" hit points.
    """
    told = _TEMPORARY.sub("temporary hit points", _RESTS.sub("short rest or long rest", text))
    for match in PLAIN_NAMES[RULE].finditer(told):
        term = match[0]
        yield Mention((term, f"{term}s", f"{term.removesuffix('s')}ing", term.replace("area ", "areas ")), RULE)
    yield from (Mention(("cover",), RULE) for _ in _COVER.finditer(text))
