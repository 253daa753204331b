"""Texts of other sources that the book prints inside one of its rules."""

from build_pipeline.normalize.merging.draft import Draft, Reference
from build_pipeline.normalize.rules.outline import opening
from build_pipeline.normalize.rules.printed_within import placed_in_book

ROPES = "Whoever saws through a rope on a ship needs time and the right tool, and nobody who looks the other way. " * 3
HULLS = "A hull of oak stands forty blows before water comes in, and a hull of pine half as many, if it is dry. " * 3
DECKS = "What is on deck is tied down when the wind rises, or else it goes overboard with the first big wave. " * 3


def rule(source: str, name: str, text: str | None, mark: str = "", document: str = "srd-2014") -> Draft:
    marks = (mark or opening(text),)
    return Draft(
        source, (f"{source}/{name}/{document}",), "rule", document, name, facts={"description": text}, marks=marks
    )


def book() -> list[Draft]:
    inner = rule("srd", "Breaking Ships", f"{HULLS}\n\n{ROPES}")
    return [rule("srd", "Ships", f"{DECKS}\n\n{HULLS}\n\n{ROPES}"), inner]


def test_a_second_rule_of_a_name_is_the_rule_that_has_its_text() -> None:
    ships, breaking = book()
    told = rule("open5e_v2", "Ships", ROPES)
    untold = rule("dnd5e_api", "Ships", None, opening(ROPES))
    elsewhere = rule("open5e_v2", "Ships", ROPES, document="red-book")
    before = elsewhere.marks
    found = list(placed_in_book([ships, breaking, told, untold, elsewhere]))
    assert found == [ships, breaking, told, untold, elsewhere]
    assert told.marks == untold.marks == breaking.marks
    assert elsewhere.marks == before


def test_a_paragraph_with_a_name_of_its_own_is_below_the_rule_that_has_it() -> None:
    _, breaking = book()
    ropes, other = rule("open5e_v2", "Ropes", ROPES), rule("open5e_v2", "Masts", "They fall. " * 30)
    assert len(list(placed_in_book([*book(), ropes, other]))) == 4
    assert ropes.facts["parent"] == Reference(("rule",), "Breaking Ships", breaking.raw[0])
    assert ropes.marks == (opening(ROPES),)
    assert "parent" not in other.facts


def test_what_the_book_has_as_a_rule_stays_where_it_is() -> None:
    ships, breaking = book()
    same = rule("open5e_v2", "Breaking Ships", f"{HULLS}\n\n{ROPES}")
    assert list(placed_in_book([ships, breaking, same]))[2].marks == breaking.marks
    assert "parent" not in same.facts
