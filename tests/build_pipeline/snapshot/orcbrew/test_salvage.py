"""Damaged files: what is lost with a missing or extra bracket or quote."""

from __future__ import annotations

import pytest
from brew import brew, contents, keys, library_text
from hypothesis import given
from hypothesis import strategies as st

from build_pipeline.snapshot.orcbrew import edn_tokens as tokens

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
