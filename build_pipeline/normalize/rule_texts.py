"""Rules proper: v2's rulesets and rules, v1's sections, the D&D 5e API's chapters and sections."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any, Final

from build_pipeline.normalize.documents import DND5E_DOCUMENTS, v1_document, v2_document
from build_pipeline.normalize.draft import Draft, Reference
from build_pipeline.normalize.rule_outline import (
    Outline,
    Piece,
    Section,
    opening,
    read_outline,
    squash,
    telling_chapter,
)
from build_pipeline.normalize.text import clean_text
from build_pipeline.snapshot.raw import JsonObject, RawLayer, RawObject
from server.dataset.names import normalize_name, slugify

_ALIKE: Final = 0.5
"""Below this likeness a key and a name are not two spellings of one thing: the name was pasted from another rule."""
