"""Damaged files: what is lost with a missing or extra bracket or quote."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from html import escape

import pytest
from brew import brew, contents, keys, library_text
from hypothesis import example, given
from hypothesis import strategies as st

from build_pipeline.snapshot.orcbrew import edn_tokens as tokens
from build_pipeline.snapshot.orcbrew.edn_values import Keyword

TEXT = library_text()
WHOLE = contents(brew(TEXT))
_TOKENS = list(tokens.TOKEN.finditer(TEXT))
_CLOSERS = [t.start(tokens.CLOSER) for t in _TOKENS if t.lastindex == tokens.CLOSER]
_OPENERS = [t.start(tokens.OPENER) for t in _TOKENS if t.lastindex == tokens.OPENER]
_STRINGS = [t.span(tokens.STRING) for t in _TOKENS if t.lastindex == tokens.STRING]
_ENTITY_START = TEXT.index(":key")

# Damage before the first entity loses a book or kind rather than an entity.
_QUOTES = [at for start, end in _STRINGS for at in (start - 1, end)]
DELETIONS = st.sampled_from([at for at in (*_CLOSERS, *_QUOTES) if at > _ENTITY_START])
OPENERS = st.sampled_from([at for at in _OPENERS if at > _ENTITY_START])
GAPS = st.sampled_from([t.start() for t in _TOKENS if t.start() > _ENTITY_START])
# A quote after a backslash is part of the text.
INSIDE_TEXTS = st.sampled_from(
    [at for start, end in _STRINGS for at in range(start + 1, end) if at > _ENTITY_START and TEXT[at - 1] != "\\"]
)


def check_damage(damaged: str, most: int = 1) -> None:
    """Check that at most so many entities are missing, none is altered, and every missing one is named."""
    file = brew(damaged)
    found = contents(file)
    missing = WHOLE.keys() - found.keys()
    assert {key: text for key, text in found.items() if WHOLE.get(key) != text} == {}
    assert len(missing) <= most
    assert file.damaged
    assert {(kind, key) for _, kind, key in missing} <= {(f.kind, f.key) for f in file.findings}


@given(DELETIONS)
def test_a_missing_bracket_or_quote_loses_one_entity(at: int) -> None:
    check_damage(TEXT[:at] + TEXT[at + 1 :])


@given(GAPS, st.sampled_from("}])"))
def test_an_extra_closing_bracket_loses_one_entity(at: int, bracket: str) -> None:
    check_damage(TEXT[:at] + bracket + TEXT[at:])


@given(OPENERS)
def test_a_missing_opening_bracket_loses_one_entity(at: int) -> None:
    check_damage(TEXT[:at] + TEXT[at + 1 :])


@given(INSIDE_TEXTS)
def test_a_quote_inside_a_text_loses_one_entity(at: int) -> None:
    check_damage(TEXT[:at] + '"' + TEXT[at:])


@given(st.integers(_ENTITY_START, len(TEXT) - 4))
def test_entities_before_a_cut_are_read(at: int) -> None:
    file = brew(TEXT[:at])
    found = contents(file)
    assert all(WHOLE[key] == text for key, text in found.items())
    assert file.damaged
    complete = sum(e.end <= at for e in brew(TEXT).entities)
    assert len(found) >= complete - 1


def test_the_cut_entity_is_named() -> None:
    for entity in brew(TEXT).entities:
        # The cut precedes its key.
        file = brew(TEXT[: entity.start + 4].rstrip(":"))
        assert len(file.entities) == sum(e.end <= entity.start for e in brew(TEXT).entities)
        assert (entity.kind, entity.key) in {(f.kind, f.key) for f in file.findings}


def test_the_damaged_entity_is_named_with_its_place() -> None:
    file = brew(
        '{:orcpub.dnd.e5/feats\n {:a {:key :a :name "A" :props {:speed 10}\n  :b {:key :b :name "B"}\n'
        '  :c {:key :c :name "C"}}}'
    )
    assert keys(file) == ["b", "c"]
    finding = next(f for f in file.findings if f.key)
    assert (finding.line, finding.column, finding.kind, finding.key) == (2, 3, "feats", "a")
    assert "`}` is missing" in finding.message


def test_commented_out_entities_are_ignored() -> None:
    file = brew(
        '{:orcpub.dnd.e5/feats {\n; :old {:key :old :name "Old"}\n #_ :o #_{:key :o :name "O"}\n'
        ' :a {:key :a :name "A"}\n :b {:key :b :name "B}}}'
    )
    assert keys(file) == ["a"]


def test_a_book_that_lost_its_name_is_named_by_its_entities() -> None:
    text = TEXT.replace('"Low Tide" {:orc', 'Low Tide" {:orc')
    assert {book for book, _, _ in contents(brew(text))} == {"Ash and Salt", "Low Tide"}


@pytest.mark.parametrize(
    ("whole", "broken", "reason"),
    [
        ("}}\n", "}\n", "`{` is opened here and never closed (at 2:6)"),
        ('fog."}}', "fog.}}", "a quote is opened here and never closed (at 2:71)"),
        ('"Fog"', '"Fog', "a word follows a quote directly: a quote is missing or not escaped (at 2:41)"),
    ],
)
def test_what_is_wrong_with_an_entity_is_looked_for_in_it(whole: str, broken: str, reason: str) -> None:
    text = (
        '{:orcpub.dnd.e5/spells {:ok {:key :ok :name "Ok" :option-pack "Isles"}\n'
        ':fog {:key :fog :name "Fog" :option-pack "Isles" :parts {:description "It is fog."}}\n'
        ':dew {:key :dew :name "Dew" :option-pack "Isles"}\n'
        ':ice {:key :ice :name "Ice "cold"" :option-pack "Isles"}}}'
    )
    assert keys(brew(text)) == ["ok", "fog", "dew"]
    file = brew(text.replace(whole, broken))
    assert keys(file) == ["ok", "dew"]
    told = {finding.key: finding.message for finding in file.findings}
    assert told["fog"] == f"{reason}; the entity is left out"
    assert told["ice"].endswith("(at 4:28); the entity is left out")


FEAT = '{:key :%s :name "A feat" :option-pack "Isles"}'
LOST = ':z {:key :z :name "Lost :option-pack "Isles"}'


def feat(key: str) -> str:
    return f":{key} {FEAT % key}"


def damages(text: str) -> list[tuple[str, str]]:
    """Key and reason of every damage, without those of the entity that `LOST` loses."""
    damage = [f for f in brew(text).findings if f.severity == "damage"]
    assert [f.kind for f in damage if f.key == "z"]
    return [(f.key, f.message) for f in damage if f.key != "z" and "read on its own" not in f.message]


@pytest.mark.parametrize("value", ['"a text"', "5", ":b", "[1 {:x 2}]", "#{:x}", "nil"])
def test_an_entry_that_is_no_map_costs_no_entity_beside_it(value: str) -> None:
    text = f"{{:orcpub.dnd.e5/feats {{{feat('a')} :b {value} {feat('c')} {LOST}}}}}"
    assert keys(brew(text)) == ["a", "c"]
    ((key, reason),) = damages(text)
    assert key == "b"
    assert reason.startswith("the entity should be a map, but is")


def test_what_was_cut_off_from_an_entity_costs_it() -> None:
    cut = feat("a")[:-1] + ' :props {:x 1}} :mine "lost"}'
    text = f"{{:orcpub.dnd.e5/feats {{{cut} {feat('c')} {LOST}}}}}"
    assert keys(brew(text)) == ["c"]
    assert [key for key, _ in damages(text)] == ["a"]


@pytest.mark.parametrize(
    ("entry", "key"), [("nil nil", None), (f'"b" {FEAT % "b"}', "b"), (FEAT % "b", "b"), (f"b {FEAT % 'b'}", "b")]
)
def test_entries_of_odd_keys_are_read_in_a_damaged_file(entry: str, key: str | None) -> None:
    text = f"{{:orcpub.dnd.e5/feats {{{feat('a')} {entry} {feat('c')} {LOST}}}}}"
    assert keys(brew(text)) == ["a", *filter(None, [key]), "c"]
    assert damages(text) == []


def test_a_damaged_file_puts_no_entity_under_the_kind_before() -> None:
    kinds = (":gizmos", ":other/gizmos", '"orcpub.dnd.e5/boons"', "orcpub.dnd.e5/spells", ":typo.e5/races")
    text = f"{{:orcpub.dnd.e5/feats {{{feat('a')} {LOST}}} :orcpub.dnd.e5/languages nil " + "".join(
        f"{kind} {{{feat(f'b{n}')}}} " for n, kind in enumerate(kinds)
    )
    found = [(entity.kind, entity.key) for entity in brew(f"{text}}}").entities]
    assert found == [
        ("feats", "a"),
        ("gizmos", "b0"),
        ("other/gizmos", "b1"),
        ("boons", "b2"),
        ("spells", "b3"),
        ("races", "b4"),
    ]
    assert damages(f"{text}}}") == []


ONE = f"{{:orcpub.dnd.e5/feats {{{feat('a')}}}}}"
MANY = f'{{"Reefs" {{:orcpub.dnd.e5/spells {{{feat("b")} {LOST}}}}}}}'


@pytest.mark.parametrize("text", [f"{ONE}\n{MANY}", f"{MANY}{ONE}", f"{MANY} {MANY} {ONE}"])
def test_files_behind_one_another_keep_their_books(text: str) -> None:
    assert contents(brew(text)).keys() == {("Isles", "feats", "a"), ("Reefs", "spells", "b")}
    assert damages(text) == []


def test_names_of_books_are_read_in_a_damaged_file() -> None:
    text = f'{{"The \\"Best\\"" {{:orcpub.dnd.e5/feats {{{feat("a")} {LOST}}}}} :keyed {ONE}}}'
    assert [(book.label, book.name) for book in brew(text).books] == [
        ('The "Best"', 'The "Best"'),
        (Keyword("keyed"), "Isles"),
    ]


WRAPPERS: dict[str, Callable[[str], bytes]] = {
    "byte order mark": lambda text: f"\ufeff{text}".encode(),
    "Windows line ends": lambda text: text.replace(", :", ",\r\n :").encode(),
    "UTF-16": lambda text: text.encode("utf-16"),
    "Windows-1252": lambda text: text.replace("coast", "caf\xe9").encode("cp1252"),
    "web page": lambda text: f"<!DOCTYPE html>\n<style>p {{}}</style><pre>{text}</pre>".encode(),
    "escaped web page": lambda text: f"<html>\n<body><pre>{escape(text)}</pre></body></html>".encode(),
    "code fence": lambda text: f"```clojure\n{text}\n```\n".encode(),
    "another file before": lambda text: f"{ONE}\n{text}".encode(),
    "another file behind": lambda text: f"{text}\n{ONE}".encode(),
}


@cache  # every wrapper is tried with the same examples
def _alone(damaged: str) -> dict[tuple[str, str, str], str]:
    return contents(brew(damaged))


@pytest.mark.parametrize("wrapper", WRAPPERS)
@example(at=_CLOSERS[-6])  # of a collection at the end of the last entity
@given(at=DELETIONS)
def test_nothing_more_is_lost_for_what_surrounds_a_damaged_file(wrapper: str, at: int) -> None:
    damaged = TEXT[:at] + TEXT[at + 1 :]
    found = {key: text.replace("caf\xe9", "coast") for key, text in contents(brew(WRAPPERS[wrapper](damaged))).items()}
    alone = _alone(damaged)
    lost = alone.keys() - found.keys()
    assert len(lost) <= (1 if "another file" in wrapper else 0)
    assert all(found[key] == text for key, text in alone.items() if key in found)
    assert found.keys() - alone.keys() <= {("Isles", "feats", "a")}
