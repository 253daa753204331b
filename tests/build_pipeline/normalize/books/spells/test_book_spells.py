"""Spells of books, from invented ones in the layouts of both editions."""

import pytest
from book_pages import book

from build_pipeline.normalize.books.spells import spells
from build_pipeline.normalize.merging.draft import Problems

MODERN = """# Spell Descriptions: A–D

## Ash Veil

*Level 2 Illusion (Sorcerer, Wizard)*

**Casting Time:** Bonus Action, which you take when something burns near you

**Range:** 60 feet

**Components:** V, S, M (a pinch of ash worth 5+ GP, which the spell consumes)

**Duration:** Concentration, up to 10 minutes

Smoke hides a friend.

| Wind | Hidden for |
|------|------------|
| Calm | an hour    |

**Using a Higher-Level Spell Slot.** One more friend for each level above 2.

### Ash Wisp

*Tiny Elemental*

It drifts.

---

## Bell

*Enchantment Cantrip (Bard)*

**Casting Time:** Action (Ring) or 8 hours (Peal)

**Range:** Touch

**Component:** S

**Duration:** Instantaneous

It rings.

## Half

*Level 1 Evocation (Bard)*

**Casting Time:** Action

**Range:** Self

It has neither components nor a duration.

## Nothing

Just words.
"""

OLD = """# Spell Lists

## Bard Spells

### 1st Level

-   *Hum*
-   *Lull*

## Spell Descriptions

#### Hum

**Classes:** [Bard](#bard), [Wizard](#wizard)

*1st-level divination (ritual)*

**Casting Time:** 1 reaction, which you take when somebody hums

**Range:** Self (15-foot radius)

**Components:** V

**Duration:** 1 round

You hum.

***At Higher Levels.*** You hum louder.

#### Lull

*1st-level enchantment*

**Casting Time:** 10 minutes

**Range:** 30 feet

**Components:** V, M (a feather)

**Duration:** Up to 8 hours

They sleep.
"""


@pytest.fixture
def problems():
    return Problems()


@pytest.fixture
def modern(problems):
    return {d.name: d for d in spells.drafts(book(srd_2024=MODERN), problems)}


@pytest.fixture
def old(problems):
    return {d.name: d for d in spells.drafts(book(srd_2014=OLD), problems)}


def test_a_spell_of_the_2024_layout_is_read(modern):
    draft = modern["Ash Veil"]
    assert (draft.source, draft.entity_type, draft.document_key) == ("srd", "spell", "srd-2024")
    assert draft.keys == ("ash-veil",)
    facts = draft.facts
    assert (facts["level"], facts["school"], facts["classes"]) == (2, "illusion", ["sorcerer", "wizard"])
    assert facts["casting_time"] == "1 bonus action"
    assert facts["reaction_condition"] == "when something burns near you"
    assert (facts["range"], facts["duration"], facts["concentration"]) == ("60 feet", "10 minutes", True)
    assert facts["ritual"] is False
    components = facts["components"]
    assert [components[letter] for letter in ("verbal", "somatic", "material")] == [True, True, True]
    assert components["material_description"] == "a pinch of ash worth 5+ GP, which the spell consumes"
    assert facts["higher_level"] == "One more friend for each level above 2."


def test_a_text_has_its_tables_and_the_sections_below_it(modern):
    description = modern["Ash Veil"].facts["description"]
    assert description.startswith("Smoke hides a friend.")
    assert "| Calm | an hour |" in description
    assert "Ash Wisp" in description
    assert "Higher-Level" not in description
    assert not description.endswith("---")
    assert len(modern["Ash Veil"].raw) == 2, "the creature below it is its text too"


def test_a_cantrip_is_read(modern):
    facts = modern["Bell"].facts
    assert (facts["level"], facts["school"], facts["casting_time"]) == (0, "enchantment", "1 action or 8 hours")
    assert facts["description"] == "It rings.\n\n**Casting Time.** Action (Ring) or 8 hours (Peal)."
    assert [facts["components"][letter] for letter in ("verbal", "somatic", "material")] == [False, True, False]
    assert facts["higher_level"] is None


def test_an_incomplete_spell_is_a_problem_with_its_place(modern, problems):
    assert set(modern) == {"Ash Veil", "Bell"}
    half, nothing = (entry["reason"] for entry in problems.entries)
    assert half.startswith("0.md:")
    assert half.endswith("Half: the spell has no Components")
    assert nothing.endswith("Nothing: the spell has no line with its level and school")


def test_a_spell_of_the_2014_layout_is_read(old, problems):
    facts = old["Hum"].facts
    assert not problems.entries
    assert (facts["level"], facts["school"], facts["ritual"]) == (1, "divination", True)
    assert facts["classes"] == ["bard", "wizard"]
    assert (facts["casting_time"], facts["reaction_condition"]) == ("1 reaction", "when somebody hums")
    assert (facts["range"], facts["duration"]) == ("Self (15-foot radius)", "1 round")
    assert (facts["description"], facts["higher_level"]) == ("You hum.", "You hum louder.")


def test_a_spell_without_classes_has_those_whose_lists_contain_it(old):
    assert old["Lull"].facts["classes"] == ["bard"]
    assert old["Lull"].facts["duration"] == "Up to 8 hours"


def test_a_spell_on_no_list_is_a_problem(problems):
    assert list(spells.drafts(book(srd_2014=OLD.replace("-   *Lull*\n", "")), problems))
    (entry,) = problems.entries
    assert "Lull: the spell is on no class's list" in entry["reason"]


def test_declared_texts_come_from_the_second_conversion(problems):
    first = OLD.replace("#### Hum", "#### Forbiddance")
    second = first.replace("You hum.", "You hum a ward.").replace("8 hours", "9 hours")
    found = {d.name: d for d in spells.drafts(book(srd_2014=first, srd_2014_second=second), problems)}
    assert found["Forbiddance"].facts["description"] == "You hum a ward."
    assert found["Lull"].facts["duration"] == "Up to 8 hours", "a spell that the data do not name"
    assert len(found["Forbiddance"].raw) == 2
    assert all("has no such entry" in entry["reason"] for entry in problems.entries), "the data name more spells"


def test_higher_slots_may_follow_a_table_with_a_heading(problems):
    entry = MODERN.partition("### Ash Wisp")[0]
    more = "**Using a Higher-Level Spell Slot.** One more friend for each level above 2."
    table = "#### Winds\n\n| Wind | Hidden for |\n|---|---|\n| Calm | an hour |\n\n"
    [veil] = spells.drafts(book(srd_2024=entry.replace(more, table + more)), problems)
    assert veil.facts["higher_level"] == "One more friend for each level above 2."
    assert "Higher-Level" not in veil.facts["description"]
