"""Options of a race's trait (a dragonborn's ancestry), which the D&D 5e API has as traits of that trait."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from build_pipeline.normalize.merging.documents import dnd5e_document
from build_pipeline.normalize.merging.draft import Draft, Problems, Reference, read_each
from build_pipeline.snapshot.raw import RawLayer, RawObject
from server.dataset.names import normalize_name

_ENDPOINT: Final = "2014/traits"
_NAME: Final = re.compile(r"(?P<trait>.+) \((?P<option>.+)\)")


def drafts(raw: RawLayer, problems: Problems) -> Iterator[Draft]:
    """The options of traits, as feats that their races offer: "Draconic Ancestry: Black"."""
    options = [obj for obj in raw["dnd5e_api", _ENDPOINT].values() if obj.data.get("parent")]
    yield from read_each(options, problems, _draft)


def _draft(obj: RawObject) -> Draft:
    data = obj.data
    trait = data["parent"]["name"]
    named = _NAME.fullmatch(data["name"])
    damage = (data.get("trait_specific") or {}).get("damage_type")
    facts = {
        "description": f"Damage Type: {damage['name']}." if damage else None,
        "feat_type": normalize_name(trait),
        "option_of": [
            Reference(("race",), race["name"], f"dnd5e_api/2014/races/{race['index']}") for race in data["races"]
        ],
    }
    name = f"{named['trait']}: {named['option']}" if named else data["name"]
    document = dnd5e_document(obj.endpoint)
    return Draft(obj.source, (obj.id,), "feat", document, name, (obj.key,), facts=facts, from_text={"description"})
