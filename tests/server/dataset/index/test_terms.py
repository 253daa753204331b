"""Splitting texts into terms, and expanding abbreviations."""

from server.dataset.index.terms import Glossary, terms


def test_texts_are_split_into_terms() -> None:
    assert terms("burning burned burns") == ["burn"] * 3
    assert terms("fire fires Hunter’s MÄRK gas") == ["fir", "fir", "hunter", "mark", "gas"]
    assert terms("...") == []


def test_the_glossary_adds_expansions_of_whole_words() -> None:
    glossary = Glossary({"AoE": "area of effect", "nat 20": "critical hit", "AC": "Armor Class"})
    assert glossary.expand("AOE on a Nat 20") == "AOE on a Nat 20; area of effect; critical hit"
    assert glossary.expand("acid aoes") == "acid aoes"
    assert Glossary({}).expand("ac") == "ac"


def test_the_longest_of_overlapping_abbreviations_counts() -> None:
    glossary = Glossary({"con": "Constitution", "con artist": "deceives people", "artist": "paints"})
    assert glossary.expand("a con artist") == "a con artist; deceives people"
    assert glossary.expand("con save of an artist") == "con save of an artist; Constitution; paints"
    assert glossary.without_abbreviations("a con artist") == "a"
