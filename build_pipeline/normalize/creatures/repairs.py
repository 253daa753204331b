"""Repairs errors that whole books acquired on their way into the APIs; what cannot be repaired becomes unknown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from build_pipeline.normalize.creatures.announced import with_options
from build_pipeline.normalize.creatures.lairs import settle_lairs
from build_pipeline.normalize.creatures.second_edition_speeds import settle_speeds
from build_pipeline.normalize.merging.draft import Draft
from build_pipeline.normalize.text.stat_blocks.actions import action, bare_name, trait
from build_pipeline.normalize.text.stat_blocks.lines import modifier
from server.dataset.schema import ABILITIES
from server.dataset.vocabulary import ABILITY_OF_SKILL, proficiency_bonus

Facts = dict[str, Any]

_API_SOURCES: Final = {"open5e_v2", "open5e_v1", "dnd5e_api"}
_ATTACK_FIRST: Final = re.compile(
    r"^[_*]*(?:melee|ranged|melee or ranged)(?: (?:weapon|spell))? attack(?: roll)?s?[_*]*:", re.IGNORECASE
)
_COMPUTED: Final = ("skills", "saving_throws")
"""Columns that a book's repair recomputes from other facts, which provenance records."""
_OPTION: Final = re.compile(r"^\d")
_TRIGGERED: Final = re.compile(r"When a creature the [\w’' -]+ can see (?:attacks|hits)\b")
_SERVES: Final = re.compile(r"^The (?P<who>[a-z][\w’' -]*?) can serve another creature as a familiar\b")
_HEADING: Final = re.compile(
    r"(?:(?<=[.!?] )|(?<=\n)(?=[^.\n]*\)[A-Z]))(?P<name>[A-Z][\w’'-]+(?: (?:of|the|and|with|in|[A-Z][\w’'-]+)){0,4})"
    r"(?P<usage> \((?:[^()]*\bOnly|Costs? \d Actions|Recharge[^()]*|\d/[^()]*)\))?(?:\. |(?<=\)))(?=[A-Z])"
)
_AFTER_SPELLS: Final = re.compile(
    r"(?i:at will|/day(?: each)?):\**\s[a-z ,()’']+(?<=[a-z)]) "
    r"(?P<name>[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)+)(?P<usage>)\. (?=[A-Z])"
)
"""The name of the next row after a list of spells, which ends without a full stop."""
_RECHARGES: Final = re.compile(r"\bRecharge \d")
_SOME: Final = 3
_SECTION_MARK: Final = re.compile(r"\s*\+\+ (?P<section>Bonus Actions|Reactions|Legendary Actions)$")
"""The mark of the next section of a stat block, left at the end of a row."""
_NEXT_CREATURE: Final = re.compile(r"\n\n(?P<name>[A-Z][\w’' -]+)\n\n(?P<lore>.+)$", re.DOTALL)
"""Text after a stat block on its page, left at the end of a row: the next creature's name and description."""
_NEXT_KIND: Final = re.compile(r"(?<=[.!?]) (?P<kind>[A-Z]\w+s) (?P=kind) [a-z].+$", re.DOTALL)
"""The same for a kind of creature, whose text repeats its heading: "Newts Newts live in …"."""
_COLUMNS_OF_ROWS: Final = ("traits", "actions", "bonus_actions", "reactions", "legendary_actions")


def mended(drafts: Iterable[Draft]) -> list[Draft]:
    """The drafts of all sources, those of the APIs repaired in place."""
    everything = list(drafts)
    of_apis = [draft for draft in everything if draft.source in _API_SOURCES]
    settle_speeds(of_apis)
    _familiars_of_tome_of_beasts_1(of_apis)
    _lore_of_the_next(of_apis)
    settle_lairs(of_apis)
    for draft in of_apis:
        for column in _COLUMNS_OF_ROWS:
            if rows := draft.facts.get(column):
                draft.facts[column] = with_options(draft.name, rows)
    known = _names_of_several(of_apis)
    for draft in of_apis:
        read = {column: draft.facts.get(column) for column in _COMPUTED}
        for repair in _REPAIRS.get((draft.document_key, draft.source), ()):
            repair(draft.facts)
        draft.from_text |= {column for column, value in read.items() if draft.facts.get(column) != value}
        _part_rows(draft.facts, known)
        for repair in (
            _bonuses_of_zero,
            _next_section,
            _reactions_among_bonus_actions,
            _actions_among_traits,
            _repeated_actions,
        ):
            repair(draft.facts)
    return everything


def _names_of_several(drafts: Iterable[Draft]) -> frozenset[str]:
    """The names of traits and actions that several creatures have."""
    names = Counter(
        bare_name(row["name"])
        for draft in drafts
        for column in _COLUMNS_OF_ROWS
        for row in draft.facts.get(column) or ()
    )
    return frozenset(name for name, count in names.items() if count >= _SOME)


def _part_rows(facts: Facts, known: frozenset[str]) -> None:
    """Split rows whose text runs into the next row, name and all: "… a check. Speak with Beasts. The hag can …".

    A name in a text begins a row if it states a usage, or if other creatures have a row of that name; if some of the
    names are unknown, they are options of the row.
    """
    for column in _COLUMNS_OF_ROWS:
        if rows := facts.get(column):
            facts[column] = [part for row in rows for part in _parted(row, known, {each["name"] for each in rows})]


def _parted(row: Mapping[str, Any], known: frozenset[str], present: set[str]) -> Iterator[Mapping[str, Any]]:
    text = row["description"] or ""
    headings = list(_HEADING.finditer(text))
    repeated = [match for match in headings if match["usage"] and match["name"] in present - {row["name"]}]
    if repeated:  # the next row, which is also a row of its own
        text = text[: repeated[0].start()].rstrip()
        row = {**row, "description": text}
    found = [match for match in headings if match["name"] not in present and match.end() <= len(text)]
    all_known = all(match["usage"] or bare_name(match["name"]) in known for match in found)
    headings = [match for match in found if match["usage"] or all_known] or list(_AFTER_SPELLS.finditer(text))
    if not headings:
        yield row
        return
    names = [(row["name"], row.get("usage")), *((f"{match['name']}{match['usage'] or ''}", None) for match in headings)]
    starts = [0, *(match.end() for match in headings)]
    ends = [*(match.start("name") for match in headings), len(text)]
    for (name, usage), start, end in zip(names, starts, ends, strict=True):
        told = text[start:end].strip()
        yield action(name, told, [usage] if usage else ()) if "attacks" in row else trait(name, told)


def _black_flag_scores(facts: Facts) -> None:
    """Drop ability scores: the book prints none, and the APIs' are computed from saves that include proficiency."""
    facts["ability_scores"] = None


def _black_flag_v1_knows(facts: Facts) -> None:
    """Leave passive Perception, which v2 computes, and saves to v1: all six are printed, without their modifiers."""
    facts["senses"]["passive_perception"] = None
    facts["saving_throws"] = None


def _tome_of_beasts_3(facts: Facts) -> None:
    """Repair Perception, which is the bare Wisdom modifier, and two-digit saving throws, which lost a digit."""
    scores, bonus = facts["ability_scores"], _proficiency(facts)
    if bonus is None:
        return
    passive = (facts["senses"] or {}).get("passive_perception")
    wisdom = modifier(scores["wisdom"])
    skills = {skill: value for skill, value in facts["skills"].items() if skill != "perception"}
    if passive is not None and passive - 10 in {wisdom + bonus, wisdom + 2 * bonus}:
        skills["perception"] = passive - 10
    facts["skills"] = skills
    facts["saving_throws"] = {
        ability: _whole_number(save, modifier(scores[ability]) + bonus)
        for ability, save in facts["saving_throws"].items()
    }


def _recharging_actions(facts: Facts) -> None:
    """Move recharging traits to the actions: in Tome of Beasts 3, no trait recharges on a die."""
    _to_actions(facts, lambda row: _is_action(row) or bool(_RECHARGES.search(row["name"])))


_REPAIRS: Final[Mapping[tuple[str, str], tuple[Callable[[Facts], None], ...]]] = {
    ("bfrd", "open5e_v1"): (_black_flag_scores,),
    ("bfrd", "open5e_v2"): (_black_flag_scores, _black_flag_v1_knows),
    ("tob3", "open5e_v1"): (_tome_of_beasts_3, _recharging_actions),
    ("tob3", "open5e_v2"): (_tome_of_beasts_3, _recharging_actions),
}
"""(document, source) → the repairs that its creatures need."""


def _whole_number(cut: int, expected: int) -> int:
    """The expected number if `cut` is its first digit, otherwise `cut`."""
    return expected if expected > 9 and str(expected).startswith(str(cut)) else cut  # noqa: PLR2004 two digits


def _bonuses_of_zero(facts: Facts) -> None:
    """Drop impossible bonuses of 0: a trained skill or a proficient save includes the proficiency bonus."""
    scores = facts.get("ability_scores")
    if not scores or any(score is None for score in scores.values()):
        return
    bonus = _proficiency(facts)
    if bonus is None:
        return

    def can_be_zero(ability: str) -> bool:
        return -modifier(scores[ability]) in {bonus, 2 * bonus}

    for column, ability_of in (
        ("skills", ABILITY_OF_SKILL),
        ("saving_throws", dict(zip(ABILITIES, ABILITIES, strict=True))),
    ):
        bonuses = facts.get(column) or {}
        facts[column] = {
            name: value for name, value in bonuses.items() if value or can_be_zero(ability_of.get(name, name))
        }


def _proficiency(facts: Facts) -> int | None:
    """The proficiency bonus, as given or by the challenge rating; None if that is unknown too."""
    rating = facts["challenge_rating"]
    return facts.get("proficiency_bonus") or (None if rating is None else proficiency_bonus(rating))


def _actions_among_traits(facts: Facts) -> None:
    """Move the traits from the first attack or Multiattack on to the actions, which follow the traits in a book."""
    _to_actions(facts, _is_action)


def _to_actions(facts: Facts, begins: Callable[[Mapping[str, Any]], bool]) -> None:
    traits = facts.get("traits") or []
    first = next((place for place, row in enumerate(traits) if begins(row)), None)
    if first is None:
        return
    moved = traits[first:]
    facts["traits"] = traits[:first]
    present = {row["name"] for row in facts.get("actions") or ()}
    new = [action(row["name"], row["description"]) for row in moved]
    facts["actions"] = [*(facts.get("actions") or ()), *(row for row in new if row["name"] not in present)]


def _is_action(row: Mapping[str, Any]) -> bool:
    return not _OPTION.match(row["name"]) and (
        row["name"].startswith("Multiattack") or bool(_ATTACK_FIRST.match(row["description"] or ""))
    )


def _next_section(facts: Facts) -> None:
    """Move the actions after the mark of another section to that section."""
    rows = facts.get("actions") or []
    for place, row in enumerate(rows):
        if mark := _SECTION_MARK.search(row["description"] or ""):
            column = mark["section"].lower().replace(" ", "_")
            last = action(row["name"], row["description"][: mark.start()], [row["usage"]] if row["usage"] else ())
            facts["actions"] = [*rows[:place], last]
            facts[column] = [*(facts.get(column) or ()), *rows[place + 1 :]]


def _reactions_among_bonus_actions(facts: Facts) -> None:
    """Move bonus actions that another creature's attack triggers to the reactions."""
    rows = facts.get("bonus_actions") or []
    if moved := [row for row in rows if _TRIGGERED.match(row["description"] or "")]:
        facts["bonus_actions"] = [row for row in rows if row not in moved]
        facts["reactions"] = [*(facts.get("reactions") or ()), *moved]


def _repeated_actions(facts: Facts) -> None:
    """Drop from the other columns rows that are also, word for word, legendary actions."""
    legendary = [(row["name"], row["description"]) for row in facts.get("legendary_actions") or ()]
    for column in ("actions", "bonus_actions", "reactions"):
        if rows := facts.get(column):
            facts[column] = [row for row in rows if (row["name"], row["description"]) not in legendary]


def _familiars_of_tome_of_beasts_1(drafts: Iterable[Draft]) -> None:
    """Move the Familiar traits of Tome of Beasts 1 (2023) to the creatures that they are about.

    The book prints some before the stat block, where they were read as the last row of the previous creature.
    """
    of_book = [draft for draft in drafts if draft.document_key == "tob-2023"]
    owners = {(draft.source, draft.name.casefold()): draft for draft in of_book}
    for draft in of_book:
        for column in _COLUMNS_OF_ROWS:
            for row in tuple(draft.facts.get(column) or ()):
                served = _SERVES.match(row["description"] or "")
                owner = owners.get((draft.source, served["who"])) if served else None
                if owner and (owner is not draft or column != "traits"):
                    draft.facts[column] = [each for each in draft.facts[column] if each is not row]
                    owner.facts["traits"] = [*(owner.facts.get("traits") or ()), trait(row["name"], row["description"])]


def _lore_of_the_next(drafts: Iterable[Draft]) -> None:
    """Move a description from the end of the previous creature's last row to its creature; drop that of a kind."""
    everything = list(drafts)
    owners = {(draft.source, draft.document_key, draft.name): draft for draft in everything}
    for draft in everything:
        for column in _COLUMNS_OF_ROWS:
            for place, row in enumerate(draft.facts.get(column) or ()):
                if kind := _NEXT_KIND.search(row["description"] or ""):
                    draft.facts[column][place] = {**row, "description": row["description"][: kind.start()]}
                begun = _NEXT_CREATURE.search(row["description"] or "")
                owner = owners.get((draft.source, draft.document_key, begun["name"])) if begun else None
                if begun and owner and owner is not draft:
                    draft.facts[column][place] = {**row, "description": row["description"][: begun.start()]}
                    owner.facts["description"] = owner.facts.get("description") or begun["lore"]
