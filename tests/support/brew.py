"""Helpers of the OrcBrew tests: files from texts, and an invented library to damage."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from build_pipeline.snapshot.orcbrew.edn import EdnError
from build_pipeline.snapshot.orcbrew.edn_values import EdnSet, Keyword, write_edn
from build_pipeline.snapshot.orcbrew.files import Source, decode
from build_pipeline.snapshot.orcbrew.model import BrewFile
from build_pipeline.snapshot.orcbrew.salvage import salvage
from build_pipeline.snapshot.orcbrew.shapes import read_shapes

K = Keyword
STARTER = Path(__file__).parents[2] / "data" / "starter" / "lantern-coast.orcbrew"


def brew(text: str | bytes) -> BrewFile:
    """The parsed file; a damaged one is read entity by entity."""
    data = text.encode() if isinstance(text, str) else text
    file = decode(Source("test.orcbrew", "test.orcbrew", data))
    try:
        read_shapes(file)
    except EdnError as error:
        salvage(file, error)
    return file


def keys(file: BrewFile, kind: str | None = None) -> list[str]:
    return [e.key for e in file.entities if kind in {None, e.kind}]


def contents(file: BrewFile) -> dict[tuple[str, str, str], str]:
    """Every entity's fields as text, by book, kind and key."""
    return {(e.book.name, e.kind, e.key): write_edn(e.item) for e in file.entities}


def library_text() -> str:
    """Two books with entities of four kinds, some with maps, sets and vectors inside."""
    return write_edn({book: _book(book, offset) for offset, book in enumerate(("Ash and Salt", "Low Tide"))})


def _book(name: str, offset: int) -> dict[Any, Any]:
    builders = {"spells": _spell, "languages": _language, "races": _race, "feats": _feat}
    return {
        K(f"orcpub.dnd.e5/{kind}"): {K(f"{kind}-{n}"): build(f"{kind}-{n}", name) for n in range(offset, offset + 8)}
        for kind, build in builders.items()
    }


def _item(key: str, book: str, **fields: Any) -> dict[Any, Any]:
    common = {"key": K(key), "name": key.title(), "option-pack": book}
    return {K(field.replace("_", "-")): value for field, value in (common | fields).items()}


def _spell(key: str, book: str) -> dict[Any, Any]:
    return _item(
        key,
        book,
        components={K("verbal"): True, K("material"): True, K("material-component"): "a shell, a wick"},
        level=3,
        school="evocation",
        spell_lists={K("wizard"): True, K("bard"): False},
        description='It burns, and {glows} [dimly]; ask "why".\nTwice.',
    )


def _language(key: str, book: str) -> dict[Any, Any]:
    return _item(key, book, description="A tongue of the coast.")


def _race(key: str, book: str) -> dict[Any, Any]:
    trait = {K("name"): "Sea Legs", K("description"): "You never stumble on a deck."}
    props = {K("damage-resistance"): {K("cold"): True, K("fire"): False}, K("swimming-speed"): 30}
    return _item(key, book, traits=[trait, trait], props=props, speed=30, languages=EdnSet(["Common", "Elvish"]))


def _feat(key: str, book: str) -> dict[Any, Any]:
    return _item(key, book, prereqs=EdnSet([K("light"), K("heavy")]), props={K("speed"): 10}, description="Fast.")
