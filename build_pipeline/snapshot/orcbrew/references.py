"""References of homebrew by key (a subclass to its class, a list to its spells), and whether they resolve.

OrcPub checks none of them: an entity whose parent is missing exists but cannot be reached.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files as package_files
from typing import Any, Final

from build_pipeline.snapshot.orcbrew.edn_values import Keyword
from build_pipeline.snapshot.orcbrew.fields import field_offset
from build_pipeline.snapshot.orcbrew.model import BrewFile
from server.dataset.vocabulary import RENAMED_SPELLS, WIZARDS

Mention = tuple[str, str, str]
"""(referring field, kind of the target, its key)."""

_SPELL_FIELDS: Final = ("cleric-spells", "paladin-spells", "warlock-spells")
_WIZARD: Final = re.compile(rf"^(?:{'|'.join(WIZARDS)})s-")


def app_key(name: str) -> str:
    """The key that OrcPub makes from a name: `Hunter's Mark` → `hunters-mark`."""
    return re.sub(r"-{2,}", "-", re.sub(r"[^a-z0-9_]", "-", name.replace("'", "").replace("’", "").lower()))


def folded(key: str) -> str:
    """A key in the form used for comparison: no trailing hyphens, `traveler-s` equal to `travelers`."""
    return re.sub(r"-s(?=-|$)", "s", key.casefold()).strip("-")


_RENAMED: Final = {app_key(name): app_key(there) for name, there in RENAMED_SPELLS.items()}


@cache
def srd_names() -> dict[str, dict[str, str]]:
    """OrcPub's built-in content: kind → folded key → name in the SRD."""
    text = package_files(__package__).joinpath("srd_names.json").read_text(encoding="utf-8")
    return {kind: {folded(app_key(name)): name for name in names} for kind, names in json.loads(text).items()}


def srd_name(kind: str, key: str) -> str | None:
    """The SRD's name for a built-in entity, or None."""
    names = srd_names().get(kind, {})
    key = folded(key)
    if key in names:
        return names[key]
    return names.get(_RENAMED.get(key, _WIZARD.sub("", key))) if kind == "spells" else None


def check_references(files: Sequence[BrewFile]) -> None:
    """Warn of every field that refers to something neither in these files nor built in."""
    there = {(entity.kind, folded(entity.key)) for file in files for entity in file.entities}
    for file in files:
        for entity in file.entities:
            for field, message in dangling(entity.kind, entity.item, there, "these files"):
                file.warn_of(entity, field_offset(file, entity, field), message)


def dangling(
    kind: str, item: dict[Any, Any], there: Container[tuple[str, str]], where: str
) -> Iterator[tuple[str, str]]:
    """Each field of an entity that refers to something that nothing defines: (field, what to say of it).

    Args:
        kind: the entity's kind.
        item: its fields.
        there: (kind, folded key) of all homebrew.
        where: where that is, for the message.
    """
    missing: dict[tuple[str, str], list[str]] = defaultdict(list)
    for field, target, key in dict.fromkeys(mentions(kind, item)):
        kinds = ("races", "subraces") if target == "races" else (target,)
        if not any((k, folded(key)) in there or srd_name(k, key) for k in kinds):
            missing[field, target].append(f":{key}")
    for (field, target), keys in missing.items():
        is_lost = target == "selections"  # without its options a choice says nothing
        done = "the choice is left out" if is_lost else "the name is kept as text"
        named = f":{field} refers to {', '.join(keys)}"
        yield field, f"{named}, which {where} and SRD 5.1 (built into OrcPub) lack among their {target}: {done}"


def mentions(of_kind: str, fields: dict[Any, Any]) -> Iterator[Mention]:
    """Every reference of an entity of a kind."""
    item = {key.name: value for key, value in fields.items() if isinstance(key, Keyword)}
    for field, kind in (("class", "classes"), ("race", "races")):
        if of_kind == {"class": "subclasses", "race": "subraces"}[field]:
            yield from ((field, kind, key) for key in _keys(item.get(field)))
    yield from (("spell-lists", "classes", key) for key in _true_keys(item.get("spell-lists")))
    yield from (("path-prereqs", "races", key) for key in _true_keys(_get(item.get("path-prereqs"), "race")))
    casting = item.get("spellcasting")
    yield from (("spellcasting", "classes", key) for key in _keys(_get(casting, "spell-list-kw")))
    for spells in _values(_get(casting, "spell-list")):
        yield from (("spellcasting", "spells", key) for key in _keys(spells))
    for field in _SPELL_FIELDS:
        for spells in _values(item.get(field)):
            yield from ((field, "spells", key) for key in _keys(list(_values(spells))))
    for field in ("spells", "level-modifiers"):
        for part in _maps(item.get(field)):
            yield from ((field, "spells", key) for key in _keys(_get(_get(part, "value"), "key")))
    for part in _maps(item.get("level-selections")):
        yield from (("level-selections", "selections", key) for key in _keys(_get(part, "type")))
    for part in _maps(item.get("creatures")):
        yield from (("creatures", "monsters", key) for key in _keys(_get(_get(part, "creature"), "monster")))


def _get(value: Any, field: str) -> Any:
    return value.get(Keyword(field)) if isinstance(value, dict) else None


def _values(value: Any) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()


def _maps(value: Any) -> Iterator[dict[Any, Any]]:
    return (part for part in _values(value) if isinstance(part, dict))


def _keys(value: Any) -> Iterator[str]:
    """The keys in a keyword, a string used in place of one, or a collection of these."""
    for part in value if isinstance(value, list | tuple) else [value]:
        if isinstance(part, Keyword):
            yield part.name
        elif isinstance(part, str) and part.strip():
            yield app_key(part.strip())


def _true_keys(value: Any) -> Iterator[str]:
    """The keys that are true in a map of flags; the keys in a list."""
    if isinstance(value, dict):
        yield from (key.name for key, flag in value.items() if isinstance(key, Keyword) and flag is True)
    elif isinstance(value, list):
        yield from _keys(value)
