"""The head of a stat block as the System Reference Documents print it: from the line of size and type to the challenge.

The books of 2014 and 2024 print the same facts under different labels, and the transcriptions put the abilities in half
a dozen kinds of tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from build_pipeline.normalize.text.abilities import ABILITY_OF
from build_pipeline.normalize.text.clean import clean_text, known
from build_pipeline.normalize.text.dice import canonical_dice
from build_pipeline.normalize.text.stat_blocks import lines as stat_block
from server.dataset.schema import ABILITIES
from server.dataset.vocabulary import EXPERIENCE_BY_CHALLENGE

_LABELS: Final = {
    "AC": "armor_class",
    "Armor Class": "armor_class",
    "HP": "hit_points",
    "Hit Points": "hit_points",
    "Speed": "speed",
    "Initiative": "initiative",
    "Saves": "saves",
    "Saving Throws": "saves",
    "Skills": "skills",
    "Vulnerabilities": "vulnerabilities",
    "Damage Vulnerabilities": "vulnerabilities",
    "Resistances": "resistances",
    "Damage Resistance": "resistances",
    "Damage Resistances": "resistances",
    "Immunities": "immunities",
    "Damage Immunities": "immunities",
    "Condition Immunities": "conditions",
    "Gear": "gear",
    "Senses": "senses",
    "Languages": "languages",
    "CR": "challenge",
    "Challenge": "challenge",
}
"""Label of a line → the fact that it states; the first of a pair is that of 2024."""

_LABEL: Final = re.compile(
    rf"(?<!\*)\*\*(?P<label>{'|'.join(sorted(_LABELS, key=len, reverse=True))})(?::\*\*|\*\*:?)"
    r"|(?<=\w )(?P<unmarked>Senses|Damage (?:Vulnerabilities|Resistances?|Immunities)|Condition Immunities)(?= [a-z])"
)
_SIZE: Final = "Tiny|Small|Medium|Large|Huge|Gargantuan"
_TYPE_LINE: Final = re.compile(
    rf"""
    ^[*_](?P<size>{_SIZE})(?:\s+or\s+(?P<other>{_SIZE}|smaller))?\s+(?P<type>[^*_\n]+),\s*(?P<alignment>[^*_,\n]+)
    [*_]$
    """,
    re.MULTILINE | re.IGNORECASE | re.VERBOSE,
)
_SWARM: Final = re.compile(rf"^swarm of (?:{_SIZE})\s+(?P<type>\w+?)s?$", re.IGNORECASE)
_KIND: Final = re.compile(r"^(?P<type>\w+)(?:\s*\((?P<subtype>[^()]*)\))?$")
_TABLE_ROW: Final = re.compile(r"^\|(?P<cells>.*)\|[ \t]*\n?", re.MULTILINE)
_SIGNED: Final = r"[+−–-]?\s*\d+"
_SCORE: Final = re.compile(rf"(?P<score>\d+)(?:\s*\({_SIGNED}\))?(?:\s*save\s*(?P<save>{_SIGNED}))?", re.IGNORECASE)
_ABILITY_CELL: Final = re.compile(rf"(?P<ability>{'|'.join(ABILITY_OF)})(?:\s+(?P<score>\d+))?", re.IGNORECASE)
_SAVE: Final = re.compile(rf"\b(?P<ability>{'|'.join(ABILITY_OF)})\w*\s*(?P<bonus>{_SIGNED})", re.IGNORECASE)
_SKILL: Final = re.compile(rf"(?P<skill>[A-Z][A-Za-z ]+?)\s*(?P<bonus>{_SIGNED})")
_INITIATIVE: Final = re.compile(rf"^\s*(?P<bonus>{_SIGNED})\s*\((?P<score>\d+)\)")
_CHALLENGE: Final = re.compile(r"^\s*(?P<rating>\d+)(?:/(?P<parts>\d+))?\s*\(")
_XP: Final = re.compile(r"XP\s+(?P<after>[\d,]+)|(?P<before>[\d,]+)\s+XP")
_LAIR_XP: Final = re.compile(r"\bor\s+(?P<xp>[\d,]+)\s+in\s+lair\b")
_PROFICIENCY: Final = re.compile(r"\bPB\s*\+(?P<bonus>\d+)")
_GEAR: Final = re.compile(r"^(?P<name>.+?)(?:\s*\((?P<count>\d+)\)|\s+x\s*(?P<times>\d+))?$")
_NUMBER_ONLY: Final = re.compile(r"^(?P<number>\d+)(?:\s*(?P<how>\(.*\)|[,(i].*))?$", re.DOTALL)
_QUALIFIED: Final = re.compile(r"\((?!hover\)|blind beyond this radius\))[^()]*\)|\bor \d+ ft\. while\b")


@dataclass(slots=True)
class Head:
    """The contents of a stat block's head.

    Attributes:
        facts: column → value.
        beyond: lines that say more than their columns hold, as printed: label → "30 ft. (40 ft. in boar form)".
        unread: lines that could not be read, as printed, and names of missing lines.
        rest: the text after the head.
        modern: whether it is printed as in 2024, with traits under a heading of their own.
    """

    facts: dict[str, Any]
    beyond: dict[str, str] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)
    rest: str = ""
    modern: bool = False


def read_head(text: str) -> Head | None:
    """The head of the stat block that a text begins with, or None if there is none."""
    line = _TYPE_LINE.search(text)
    if line is None or not _LABEL.search(text, line.end()):
        return None
    lines, rest, modern = _lines(text[line.end() :])
    if not {"armor_class", "hit_points"} <= lines.keys():
        return None
    scores, saves = _abilities(text[line.end() :])
    head = Head({}, rest=rest, modern=modern)
    _kind(line, head)
    for read in (_armor_class, _hit_points, _speed, _initiative, _skills, _senses, _challenge):
        read(lines, head)
    head.facts |= {
        "ability_scores": scores or None,
        "saving_throws": _saves(saves, lines, scores) if scores else None,
        **_defences(lines),
        "gear": list(_gear(lines.get("gear", ""))) if modern else None,
        "languages": clean_text(known(lines.get("languages"))),
    }
    if scores.keys() != set(ABILITIES):
        head.unread.append("the table of abilities")
    return head


def signed(text: str) -> int:
    """A number as printed: "+5", "−1", "3"."""
    return int(re.sub(r"\s", "", text).replace("−", "-").replace("–", "-"))


def _lines(text: str) -> tuple[dict[str, str], str, bool]:
    """(fact → text, the text after the head, whether the labels are those of 2024)."""
    found = list(_LABEL.finditer(text))
    labels = [match["label"] or match["unmarked"] for match in found]
    end = text.find("\n", found[-1].end())
    ends = [match.start() for match in found[1:]] + [len(text) if end < 0 else end]
    lines: dict[str, str] = {}
    for match, label, stop in zip(found, labels, ends, strict=True):
        value = _TABLE_ROW.sub("", text[match.end() : stop]).replace("*", "")
        lines.setdefault(_LABELS[label], " ".join(value.split()).strip("|- "))
    return lines, text[ends[-1] :].strip(), "CR" in labels


def _kind(line: re.Match[str], head: Head) -> None:
    kind = line["type"].strip()
    size, other = line["size"].lower(), (line["other"] or "").lower()
    sizes = _SIZE.lower().split("|")
    other_sizes = [other] if other else None
    if other == "smaller":
        other_sizes = sizes[: sizes.index(size)][::-1]
    head.facts |= {
        "size": size,
        "other_sizes": other_sizes,
        "alignment": stat_block.alignment(line["alignment"]),
    }
    if swarm := _SWARM.match(kind):
        head.facts |= {"type": swarm["type"].lower(), "subtype": "swarm"}
    elif plain := _KIND.match(kind):
        head.facts |= {"type": plain["type"].lower(), "subtype": (plain["subtype"] or "").lower() or None}
    else:  # a choice of several types
        head.beyond["Type"] = kind


def _armor_class(lines: dict[str, str], head: Head) -> None:
    printed = lines["armor_class"]
    number = _NUMBER_ONLY.match(printed)
    if number is None:
        head.facts["armor_class"] = None
        head.beyond["Armor Class"] = printed
        return
    how = (number["how"] or "").strip(" ,")
    description = None
    if how:
        # "10 in newt form, 11 (natural armor) in bear form" makes sense only as a whole.
        plain = re.fullmatch(r"\(([^()]*)\)", how)
        description = plain[1] if plain else printed
    head.facts |= {
        "armor_class": int(number["number"]),
        "armor_description": stat_block.armor_description(description),
    }


def _hit_points(lines: dict[str, str], head: Head) -> None:
    printed = lines["hit_points"]
    number = _NUMBER_ONLY.match(printed)
    dice = canonical_dice(number["how"]) if number else None
    head.facts |= {"hit_points": int(number["number"]) if number else None, "hit_dice": dice}
    if number is None or (number["how"] and not dice):
        head.facts["hit_points"] = None
        head.beyond["Hit Points"] = printed


def _speed(lines: dict[str, str], head: Head) -> None:
    printed = lines.get("speed")
    head.facts["speed"] = stat_block.printed_speed(printed) if printed else None
    if head.facts["speed"] is None:
        head.unread.append(f"Speed {printed!r}")
    elif printed and _QUALIFIED.search(printed):
        head.beyond["Speed"] = printed


def _initiative(lines: dict[str, str], head: Head) -> None:
    printed = lines.get("initiative")
    bonus = _INITIATIVE.match(printed) if printed else None
    head.facts["initiative_bonus"] = signed(bonus["bonus"]) if bonus else None
    if printed and bonus is None:
        head.unread.append(f"Initiative {printed!r}")


def _skills(lines: dict[str, str], head: Head) -> None:
    printed = lines.get("skills", "")
    head.facts["skills"] = stat_block.skills({m["skill"]: signed(m["bonus"]) for m in _SKILL.finditer(printed)})
    if _QUALIFIED.search(printed):
        head.beyond["Skills"] = printed


def _senses(lines: dict[str, str], head: Head) -> None:
    printed = lines.get("senses")
    head.facts["senses"] = stat_block.senses(printed, records_blindness=not head.modern) if printed else None
    if not printed or head.facts["senses"]["passive_perception"] is None:
        head.unread.append(f"Senses {printed!r}")
    elif _QUALIFIED.search(printed):
        head.beyond["Senses"] = printed


def _challenge(lines: dict[str, str], head: Head) -> None:
    printed = lines.get("challenge")
    if not printed:
        head.unread.append("Challenge")
        return
    rating, xp = _CHALLENGE.match(printed), _XP.search(printed)
    lair, proficiency = _LAIR_XP.search(printed), _PROFICIENCY.search(printed)
    head.facts["experience_points"] = _count(xp["after"] or xp["before"]) if xp else None
    if rating:
        head.facts["challenge_rating"] = int(rating["rating"]) / int(rating["parts"] or 1)
    elif not printed.startswith(("—", "None")):
        head.unread.append(f"Challenge {printed!r}")
    head.facts["lair_experience_points"] = _count(lair["xp"]) if lair else None
    head.facts["proficiency_bonus"] = int(proficiency["bonus"]) if proficiency else None
    if rating and head.facts["challenge_rating"] not in EXPERIENCE_BY_CHALLENGE:
        head.unread.append(f"Challenge {printed!r}")


def _count(digits: str) -> int:
    return int(digits.replace(",", ""))


def _abilities(text: str) -> tuple[dict[str, int], dict[str, int]]:
    """(scores, saving throws where the tables have them), from whatever kind of table there is."""
    scores: dict[str, int] = {}
    saves: dict[str, int] = {}
    columns: list[str] = []
    for row in _TABLE_ROW.finditer(text):
        cells = [cell.replace("*", "").strip() for cell in row["cells"].split("|")]
        names = [ABILITY_OF[cell.lower()] for cell in cells if cell.lower() in ABILITY_OF]
        if len(names) == len(ABILITIES):
            columns = names
        elif names or _ABILITY_CELL.fullmatch(cells[0]):
            _read_upright(cells, scores, saves)
        elif columns and len(cells) >= len(columns):
            _read_across(cells, columns, scores, saves)
    return scores, saves


def _read_across(cells: list[str], columns: list[str], scores: dict[str, int], saves: dict[str, int]) -> None:
    """A row with a cell for each ability: "19 (+4) Save +4", or only scores or saves where its first cell says so."""
    values = dict(zip(columns, cells[len(cells) - len(columns) :], strict=True))
    what = cells[0].lower() if len(cells) > len(columns) else ""
    if what == "save":
        saves.update({ability: signed(cell) for ability, cell in values.items()})
    elif what in {"", "score"}:
        for ability, cell in values.items():
            if match := _SCORE.match(cell):
                scores[ability] = int(match["score"])
                if match["save"]:
                    saves[ability] = signed(match["save"])


def _read_upright(cells: list[str], scores: dict[str, int], saves: dict[str, int]) -> None:
    """Cells in groups that begin with an ability: "STR | 21 | +5 | +5" or "Str 14 | +2 | +2"; the last is the save."""
    starts = [n for n, cell in enumerate(cells) if _ABILITY_CELL.fullmatch(cell)]
    for start, stop in zip(starts, [*starts[1:], len(cells)], strict=True):
        name = _ABILITY_CELL.fullmatch(cells[start])
        numbers = [cell for cell in cells[start + 1 : stop] if re.fullmatch(_SIGNED, cell)]
        if name is None or not numbers:
            continue
        ability = ABILITY_OF[name["ability"].lower()]
        if score := name["score"] or (numbers[0] if len(numbers) > 2 else None):  # noqa: PLR2004 score, modifier, save
            scores[ability] = int(score)
        saves[ability] = signed(numbers[-1])


def _saves(given: dict[str, int], lines: dict[str, str], scores: dict[str, int]) -> dict[str, int]:
    """The proficient saves: a line of 2014 lists only those, a table or line of 2024 all six or those above 0."""
    printed = {ABILITY_OF[m["ability"].lower()]: signed(m["bonus"]) for m in _SAVE.finditer(lines.get("saves", ""))}
    return {
        ability: bonus
        for ability, bonus in (given | printed).items()
        if bonus > stat_block.modifier(scores.get(ability, 0))
    }


def _defences(lines: dict[str, str]) -> dict[str, list[str]]:
    """Lists of damage and conditions: 2024 prints immunities to both in one line."""
    kinds = {
        kind: stat_block.damage_kinds(lines.get(kind)) for kind in ("vulnerabilities", "resistances", "immunities")
    }
    conditions = stat_block.conditions(lines.get("conditions"))
    conditions += [kind for kind in kinds["immunities"] if kind.partition(" (")[0] in stat_block.CONDITIONS]
    kinds["immunities"] = [kind for kind in kinds["immunities"] if kind not in conditions]
    return {**{f"damage_{kind}": members for kind, members in kinds.items()}, "condition_immunities": conditions}


def _gear(printed: str) -> Iterator[dict[str, Any]]:
    for part in filter(None, (known(piece.strip()) for piece in printed.split(","))):
        match = _GEAR.match(part)
        count = match and (match["count"] or match["times"])
        yield {"name": match["name"] if match else part, "id": None, "quantity": int(count) if count else 1}
