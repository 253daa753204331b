"""Answers of the tools for play, in Markdown: encounters, gains of levels, spell lists, rolls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from server.dataset.vocabulary import challenge_rating_text
from server.sheets.markdown import facts, heading, italic, plain, prose, table
from server.sheets.wording import money, ordinal

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

Answer = dict[str, Any]

_IN_WORDS: Final = frozenset({"description", "higher_level"})
"""Keys of these whose value is the book's own text."""
_LARGER: Final = ("with_slot", "at_level")
"""Facts of a spell that say what makes it larger."""
_MARKS: Final = {"concentration": "C", "ritual": "R"}
_MARKS_EXPLAINED: Final = "C: concentration. R: ritual."


def encounters(answer: Answer) -> str:
    """The budgets, then each encounter with its total and the books' cautions."""
    budgets = [f"{name} {xp:,}" for name, xp in answer["budgets"].items()]
    blocks = [facts(("Party", ", ".join(map(str, answer["party"]))), ("Budgets", ", ".join(budgets)), colon=True)]
    for found in answer["results"]:
        blocks.append(
            heading(3, f"{_xp(found).capitalize()} XP{': ' + found['difficulty'] if found['difficulty'] else ''}")
        )
        rows = [_monster(each) for each in found["monsters"]]
        blocks.append(table(("Number", "Monster", "CR", "XP", "Id"), rows, left={"Monster", "Id"}))
        blocks += [f"- {plain(rule['says'])} ({plain(rule['id'])})" for rule in found["cautions"]]
    return _sheet(blocks, answer)


def gains(answer: Answer) -> str:
    """The gains of each level: the numbers that change, then the features."""
    blocks = [
        facts(
            ("Hit Die", answer["hit_dice"]),
            ("Hit Points at Level 1", answer["hit_points_first_level"]),
            ("Hit Points per Level", answer["hit_points_per_level"]),
            colon=True,
        )
    ]
    for level in answer["results"]:
        points = level["experience_points"]
        blocks.append(heading(3, f"Level {level['level']}{'' if points is None else f' ({points:,} XP)'}"))
        changes = [
            (name, f"{plain(each['before'])} → {plain(each['after'])}" if each["before"] else plain(each["after"]))
            for name, each in level["numbers"].items()
        ]
        blocks.append(facts(*changes, colon=True))
        for feature in level["features"]:
            blocks.append(heading(4, plain(feature["name"]) + (" (again)" if feature["again"] else "")))
            blocks.append(prose(feature.get("description"), under=4))
    return _sheet(blocks, answer)


def spell_list(answer: Answer) -> str:
    """The numbers of the class, then its spells by level; with their documents, if there are several."""
    documents = {_document(spell) for level in answer["results"] for spell in level["spells"]}
    blocks = [facts(*((name, value) for name, value in answer["numbers"].items()), colon=True)]
    for level in answer["results"]:
        slots = f" ({level['slots']} slots)" if level["slots"] else ""
        name = f"{ordinal(level['level'])} Level{slots}" if level["level"] else "Cantrips"
        blocks.append(heading(3, name))
        spells = [_spell(spell, documents) for spell in level["spells"]]
        larger = any(fact in spell for spell in level["spells"] for fact in _LARGER)
        blocks.append("\n".join(f"- {spell}" for spell in spells) if larger else ", ".join(spells))
    return _sheet([*blocks, italic(_MARKS_EXPLAINED) if answer["results"] else ""], answer)


def rolls(answer: Answer) -> str:
    """Each roll with its row."""
    blocks = []
    for roll in answer["results"]:
        blocks.append(heading(3, f"{plain(roll['name'])}: {plain(roll['table'])}") if roll["name"] else "")
        row = " · ".join(plain(value) for value in roll["row"].values() if value)
        blocks.append(f"**{roll['roll']}** ({roll['dice']}) {row}")
    return _sheet(blocks, answer)


def _monster(each: dict[str, Any]) -> tuple[object, ...]:
    number = each["challenge_rating"]
    rating = "unknown" if number is None else challenge_rating_text(number)
    return each["count"], each["name"], rating, _xp(each), each["id"]


def _xp(of: dict[str, Any]) -> str:
    return "unknown" if of["xp"] is None else f"{of['xp']:,}"


def _spell(spell: dict[str, Any], documents: Collection[str]) -> str:
    marks = [mark for fact, mark in _MARKS.items() if spell.get(fact)]
    marks += [money(spell["material_cost_gp"])] if "material_cost_gp" in spell else []
    marks += [plain(spell["granted_by"])] if "granted_by" in spell else []
    marks += [plain(_document(spell))] if len(documents) > 1 else []
    larger = "; ".join(
        str(value) if name in _IN_WORDS else f"{name.replace('_', ' ')} {value}"
        for fact in _LARGER
        for name, value in spell.get(fact, {}).items()
    )
    name = plain(spell["name"]) + (f" ({', '.join(marks)})" if marks else "")
    return f"{name}: {plain(larger)}" if larger else name


def _document(spell: dict[str, Any]) -> str:
    """The key of a spell's document, which its id has."""
    return str(spell["id"]).split("/")[1]


def _sheet(blocks: list[str], answer: Answer) -> str:
    return "\n\n".join(filter(None, (*blocks, *_foot(answer))))


def _foot(answer: Answer) -> Iterator[str]:
    """The message, the seed, and the rules that the numbers come from."""
    notes = [answer["message"], f"Seed {answer['seed']}." if "seed" in answer and answer["results"] else None]
    notes += [f"See also: {', '.join(answer['suggestions'])}." if answer["suggestions"] else None]
    yield italic(plain(" ".join(filter(None, notes))))
    yield italic("  \n".join(f"{plain(rule['id'])}: {plain(rule['says'])}." for rule in answer["rules"]))
