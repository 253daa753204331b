"""Metadata of documents: v2 completed from v1, names, licences, aliases."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from merging import documents_of

from build_pipeline.normalize.merging.documents import dnd5e_document, v1_document, v2_document
from build_pipeline.snapshot.raw import RawLayer, RawObject
from server.dataset.names import slugify


def v2(key: str, name: str, **more: Any) -> dict[str, Any]:
    return {
        "key": key,
        "name": name,
        "display_name": name,
        "licenses": [{"name": "OPEN GAME LICENSE Version 1.0a", "key": "ogl-10a"}],
        "publisher": {"name": "Lantern Press", "key": "lantern"},
        "gamesystem": {"name": "5th Edition 2014", "key": "5e-2014"},
        "permalink": "https://example.org/book",
        "author": "A. Author",
        "desc": "A book of lamps.",
        "publication_date": "2020-02-03T00:00:00",
        **more,
    }


def v1(slug: str, title: str, **more: Any) -> dict[str, Any]:
    return {
        "slug": slug,
        "title": title,
        "license": "Open Gaming License",
        "organization": "Lantern Press™",
        "author": "A. Author",
        "desc": "Lamps.",
        "url": "https://example.org",
        "copyright": f"{title}, 2019.",
        **more,
    }


def test_v2_is_completed_from_v1(raw_of):
    raw = raw_of({"open5e_v2/documents": [v2("ccdx", "Codex")], "open5e_v1/documents": [v1("cc", "The Codex")]})
    meta = documents_of(raw)["ccdx"]
    assert (meta.name, meta.publisher, meta.game_system) == ("Codex", "Lantern Press", "5e-2014")
    assert meta.license == "Open Game License 1.0a"
    assert meta.attribution == "The Codex, 2019."
    assert meta.aliases == ("cc", "The Codex")
    assert meta.publication_date == "2020-02-03"


def test_names_have_straight_apostrophes_and_credits_are_as_they_are(raw_of):
    credit = "The Delver’s Codex, 2019."
    objects = {
        "open5e_v2/documents": [v2("ccdx", "Delver’s Codex", display_name="The Delver’s", desc="“Dig!”")],
        "open5e_v1/documents": [v1("cc", "The Delver’s Codex", copyright=credit)],
    }
    meta = documents_of(raw_of(objects))["ccdx"]
    assert (meta.name, meta.aliases) == ("Delver's Codex", ("cc", "The Delver's Codex", "The Delver's"))
    assert meta.description == '"Dig!"'
    assert (meta.attribution, meta.copyright) == (credit, credit)


def test_differing_licences_of_the_apis_are_both_named(raw_of):
    raw = raw_of(
        {
            "open5e_v2/documents": [v2("bfrd", "Flag", licenses=[{"name": "CC Zero", "key": "cc0"}])],
            "open5e_v1/documents": [v1("blackflag", "Flag", license="ORC License")],
        }
    )
    assert documents_of(raw)["bfrd"].license == "CC Zero, ORC License"


def test_a_document_of_v1_alone_keeps_its_key(raw_of):
    raw = raw_of({"open5e_v2/documents": [v2("a5e-ag", "Guide")], "open5e_v1/documents": [v1("a5e", "Level Up")]})
    meta = documents_of(raw)["a5e"]
    assert (meta.name, meta.publisher, meta.game_system) == ("Level Up", "Lantern Press", "a5e")


def test_placeholders_are_unknown(raw_of):
    raw = raw_of({"open5e_v2/documents": [v2("deepmx", "More Magic", author="Not sure.", desc="?")]})
    meta = documents_of(raw)["deepmx"]
    assert meta.author is None
    assert meta.description is None


def test_an_alias_means_only_one_document(raw_of):
    twins = [v2("open5e", "Originals", display_name="Ours"), v2("open5e-2024", "Originals", display_name="Ours")]
    found = documents_of(raw_of({"open5e_v2/documents": twins}))
    assert [meta.aliases for meta in found.values()] == [(), ()]


def test_a_label_without_letters_is_not_an_alias(raw_of):
    found = documents_of(raw_of({"open5e_v2/documents": [v2("ccdx", "Codex", display_name=" ")]}))
    assert found["ccdx"].aliases == ()


def test_an_alias_is_not_another_documents_name(raw_of):
    books = [v2("srd-2014", "SRD", display_name="Core"), v2("core", "Core")]
    assert "Core" not in documents_of(raw_of({"open5e_v2/documents": books}))["srd-2014"].aliases


def test_a_snapshot_of_the_dnd5e_api_alone_knows_its_documents(raw_of):
    raw = raw_of({"dnd5e_api/2014/conditions": [{"index": "dazed"}], "dnd5e_api/2024/conditions": [{"index": "dazed"}]})
    found = documents_of(raw)
    assert [meta.name for meta in found.values()] == ["System Reference Document 5.1", "System Reference Document 5.2"]
    assert "srd-5e" in found["srd-2014"].aliases


def test_a_v1_document_of_several_books_gives_them_its_credit(raw_of):
    credit = "This work includes material taken from the Lamp Reference Document."
    books = [v2("a5e-ag", "Guide to Lamps"), v2("a5e-ddg", "Deeper Lamps")]
    raw = raw_of({"open5e_v2/documents": books, "open5e_v1/documents": [v1("a5e", "Lamps", copyright=credit)]})
    found = documents_of(raw)
    assert {found[key].attribution for key in ("a5e-ag", "a5e-ddg", "a5e")} == {credit}
    assert (found["a5e-ag"].name, found["a5e-ag"].aliases) == ("Guide to Lamps", ())
    assert "a5e-gpg" not in found


def test_the_credit_names_the_works_that_a_document_is_made_of(raw_of):
    made_of = (
        "Includes lamps from Old Lamps 2.0 by A. Smith, which is licensed CC-BY and here: https://example.org/a.pdf."
    )
    raw = raw_of({"open5e_v2/documents": [v2("lamps", "Lamps", desc=f"A book. {made_of} It shines.")]})
    assert documents_of(raw)["lamps"].attribution == made_of


@pytest.mark.parametrize(
    ("missing", "credit"),
    [
        ({}, "Lamps by Lantern Press. Open Game License 1.0a."),
        ({"licenses": []}, None),
    ],
)
def test_a_credit_is_composed_only_of_what_is_known(raw_of, missing: dict[str, Any], credit: str | None):
    assert (
        documents_of(raw_of({"open5e_v2/documents": [v2("lamps", "Lamps", **missing)]}))["lamps"].attribution == credit
    )


def test_core_is_worded_after_the_srd(raw_of):
    books = [v2("core", "Core"), v2("srd-2014", "SRD")]
    raw = raw_of({"open5e_v2/documents": books, "open5e_v1/documents": [v1("wotc-srd", "SRD")]})
    assert documents_of(raw)["core"].attribution == "SRD, 2019."


def test_the_notice_of_the_open_game_license_is_kept_beside_the_credit(raw_of):
    free = {"license": "Creative Commons Attribution 4.0 International License"}
    raw = raw_of({"open5e_v1/documents": [v1("cc", "Codex"), v1("a5e", "Lamps", **free)]})
    assert {key: meta.copyright for key, meta in documents_of(raw).items()} == {"ccdx": "Codex, 2019.", "a5e": None}


def test_objects_are_assigned_to_documents():
    assert v1_document("wotc-srd") == ("srd-2014", ())
    assert v1_document("a5e") == ("a5e", ("a5e-ag", "a5e-ddg", "a5e-gpg"))
    assert v1_document("somebody-else") == ("somebody-else", ())
    assert v2_document({"document": "core"}) == v2_document({"document": {"key": "core"}}) == "core"
    assert dnd5e_document("2024/conditions") == "srd-2024"


@pytest.mark.recordings
def test_known_documents_have_their_metadata(recordings: Path) -> None:
    raw = RawLayer()
    for source, folder in (("open5e_v1", "v1"), ("open5e_v2", "v2")):
        path = recordings / "open5e" / folder / "documents.jsonl.gz"
        for line in gzip.decompress(path.read_bytes()).decode().splitlines():
            data = json.loads(line)
            raw.add(RawObject(source, "documents", data.get("key") or data["slug"], "", "", line))
    found = documents_of(raw)
    assert len(found) == 25
    assert {"srd", "srd-5e", "wotc-srd", "5esrd", "srd-5.1"} <= set(found["srd-2014"].aliases)
    assert "srd-5.2" in found["srd-2024"].aliases
    for meta in found.values():
        assert meta.publisher
        assert meta.license
        assert meta.game_system
        assert meta.attribution
    answering = [slugify(label) for meta in found.values() for label in (meta.key, *meta.aliases)]
    assert len(answering) == len(set(answering))
    for slug in raw["open5e_v1", "documents"]:
        assert slugify(slug) in answering
