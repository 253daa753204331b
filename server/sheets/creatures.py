"""Stat blocks: in the layout of 2024 for its books, in that of 2014 for all others."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from server.dataset.record import Record
from server.dataset.vocabulary import ABILITIES, challenge_rating_text
from server.sheets.markdown import entry, facts, heading, italic, plain, prose, table
from server.sheets.wording import (
    SENSES,
    ability_modifier,
    capitalized,
    dice,
    follows_2024,
    joined,
    modifier,
    speeds,
    titled,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_NUMBERS: Final = re.compile(r"(?<=\d)-(?=\d)")
"""The hyphen between two numbers, as in `Recharge 5-6`, for which the books print a dash."""
_NOTATION: Final = re.compile(
    r"(?<![*\w])((?:Melee|Ranged|Melee or Ranged) (?:(?:Weapon|Spell) )?Attack(?: Roll)?:|Hit(?: or Miss)?:|Miss:|"
    r"(?:Strength|Dexterity|Constitution|Intelligence|Wisdom|Charisma) Saving Throw:|"
    r"(?:(?:First |Second )?Failure|Success|Failure or Success|Trigger|Response):)(?!\*)"
)
"""The notation of attacks and saving throws, which books print in italics and some sources do not."""
_SECTIONS: Final = (
    ("actions", "Actions"),
    ("bonus_actions", "Bonus Actions"),
    ("reactions", "Reactions"),
    ("legendary_actions", "Legendary Actions"),
    ("lair_actions", "Lair Actions"),
)


def body(record: Record) -> Iterator[str]:
    """The blocks of a creature's sheet: its stat block, then its description and other facts."""
    yield from _block_2024(record) if follows_2024(record) else _block_2014(record)
    for column, title in _SECTIONS:
        actions = record.get(column)
        if actions:
            yield heading(3, title)
            if column == "legendary_actions":
                yield legendary(record)
            yield from map(_entry, actions)
    if record.get("description"):
        yield heading(3, "Description")
        yield prose(record["description"], under=3)
    yield facts(
        ("Group", plain(record.get("group") or "")),
        ("Environments", ", ".join(map(plain, record.get("environments") or ()))),
        colon=True,
    )


def armor_class(record: Record) -> str | None:
    """`17 (natural armor)`, as Markdown."""
    return _with_detail(record.get("armor_class"), record.get("armor_description"))


def gear(record: Record) -> str:
    """`Javelin (6), Shield`, as Markdown; empty if there is none."""
    counted = ((item["name"], item.get("quantity") or 1) for item in record.get("gear") or ())
    return ", ".join(plain(name) + (f" ({quantity})" if quantity > 1 else "") for name, quantity in counted)


def printed_lines(record: Record) -> dict[str, str]:
    """Label → line as Markdown, for lines that say more than the columns: `Speed`: `30 ft. (40 ft. in wolf form)`."""
    return {line["name"]: plain(line["description"]) for line in record.get("stat_lines") or ()}


def resisted(record: Record, kind: str) -> list[str]:
    """Damage and conditions together, as Black Flag prints them; the kind is `resistances` or `vulnerabilities`."""
    return [each for of in ("damage", "condition") for each in record.get(f"{of}_{kind}") or ()]


def sizes(record: Record) -> str:
    """The size and its alternatives: `Medium or Small`."""
    return " or ".join(capitalized(size) for size in (record.get("size"), *(record.get("other_sizes") or ())) if size)


def _block_2014(record: Record) -> Iterator[str]:
    subtype = f" ({plain(record['subtype'])})" if record.get("subtype") else ""
    printed = printed_lines(record)
    kind = " ".join(filter(None, (sizes(record), printed.get("Type") or record.get("type")))) + subtype
    yield italic(", ".join(filter(None, (kind, record.get("alignment")))))
    yield facts(
        ("Armor Class", printed.get("Armor Class") or armor_class(record)),
        ("Hit Points", printed.get("Hit Points") or _hit_points(record)),
        ("Speed", printed.get("Speed") or speeds(record.get("speed") or {})),
    )
    if record.get("ability_scores"):
        scores = [_score(record, ability) for ability in ABILITIES]
        shown = [None if score is None else f"{score} ({modifier(ability_modifier(score))})" for score in scores]
        yield table([ability[:3].upper() for ability in ABILITIES], [shown])
    saves = _bonuses(record, "saving_throws")
    yield facts(
        ("Saving Throws", ", ".join(f"{name[:3].capitalize()} {bonus}" for name, bonus in saves)),
        ("Skills", printed.get("Skills") or _skills(record)),
        ("Damage Vulnerabilities", _phrases(record.get("damage_vulnerabilities"))),
        ("Damage Resistances", _phrases(record.get("damage_resistances"))),
        ("Damage Immunities", _phrases(record.get("damage_immunities"))),
        ("Condition Vulnerabilities", _phrases(record.get("condition_vulnerabilities"))),
        ("Condition Resistances", _phrases(record.get("condition_resistances"))),
        ("Condition Immunities", _phrases(record.get("condition_immunities"))),
        ("Senses", printed.get("Senses") or ", ".join(filter(None, (*_senses(record), _passive(record))))),
        ("Languages", _languages(record)),
        ("Challenge", _challenge(record)),
        ("Proficiency Bonus", _optional_modifier(record.get("proficiency_bonus"))),
    )
    yield from map(_entry, record.get("traits") or ())


def _block_2024(record: Record) -> Iterator[str]:
    subtype = f" ({titled(plain(record['subtype']))})" if record.get("subtype") else ""
    printed = printed_lines(record)
    kind = " ".join(filter(None, (sizes(record), printed.get("Type") or titled(record.get("type") or "")))) + subtype
    yield italic(", ".join(filter(None, (kind, titled(record.get("alignment") or "")))))
    yield facts(
        ("AC", printed.get("Armor Class") or _armor_and_initiative(record)),
        ("HP", printed.get("Hit Points") or _hit_points(record)),
        ("Speed", printed.get("Speed") or speeds(record.get("speed") or {}, capitals=True)),
    )
    if record.get("ability_scores"):
        rows = [_ability_row(record, ability) for ability in ABILITIES]
        yield table(["Ability", "Score", "Mod", "Save"], rows, left={"Ability"})
    immunities = (
        _phrases(record.get(column), capitals=True) for column in ("damage_immunities", "condition_immunities")
    )
    yield facts(
        ("Skills", printed.get("Skills") or _skills(record)),
        ("Vulnerabilities", _phrases(resisted(record, "vulnerabilities"), capitals=True)),
        ("Resistances", _phrases(resisted(record, "resistances"), capitals=True)),
        ("Immunities", "; ".join(filter(None, immunities))),
        ("Gear", gear(record)),
        (
            "Senses",
            printed.get("Senses")
            or "; ".join(filter(None, (", ".join(map(capitalized, _senses(record))), _passive(record)))),
        ),
        ("Languages", _languages(record)),
        ("CR", _challenge(record)),
    )
    if record.get("traits"):
        yield heading(3, "Traits")
        yield from map(_entry, record["traits"])


def _score(record: Record, ability: str) -> int | None:
    score: int | None = record["ability_scores"].get(ability)
    return score


def _ability_row(record: Record, ability: str) -> Sequence[object]:
    """An ability with its score, modifier and saving throw, which equals the modifier if no other bonus is printed."""
    score = _score(record, ability)
    if score is None:
        return ability[:3].capitalize(), None, None, None
    bonus = ability_modifier(score)
    save = (record.get("saving_throws") or {}).get(ability)
    return ability[:3].capitalize(), score, modifier(bonus), modifier(bonus if save is None else save)


def _with_detail(value: int | None, detail: str | None) -> str | None:
    if value is None:
        return None
    return f"{value} ({plain(detail)})" if detail else str(value)


def _armor_and_initiative(record: Record) -> str | None:
    """`17 **Initiative** +7 (17)`: the books print both on one line."""
    armor, bonus = record.get("armor_class"), record.get("initiative_bonus")
    if armor is None or bonus is None:
        return None if armor is None else str(armor)
    return f"{armor} **Initiative** {modifier(bonus)} ({10 + bonus})"


def _hit_points(record: Record) -> str | None:
    formula = record.get("hit_dice")
    return _with_detail(record.get("hit_points"), dice(formula) if formula else None)


def _bonuses(record: Record, column: str) -> list[tuple[str, str]]:
    return [(name, modifier(bonus)) for name, bonus in (record.get(column) or {}).items() if bonus is not None]


def _skills(record: Record) -> str:
    return ", ".join(f"{titled(skill)} {bonus}" for skill, bonus in _bonuses(record, "skills"))


def _phrases(phrases: Sequence[str] | None, *, capitals: bool = False) -> str:
    return joined([plain(titled(phrase) if capitals else phrase) for phrase in phrases or ()])


def _senses(record: Record) -> list[str]:
    senses = record.get("senses") or {}
    shown = []
    for sense in SENSES:
        if senses.get(sense) is not None:
            blind = sense in ("blindsight", "keensense") and senses.get("blind_beyond")
            shown.append(f"{sense} {senses[sense]} ft.{' (blind beyond this radius)' if blind else ''}")
    return shown


def _passive(record: Record) -> str | None:
    passive = (record.get("senses") or {}).get("passive_perception")
    return None if passive is None else f"{'P' if follows_2024(record) else 'p'}assive Perception {passive}"


def _languages(record: Record) -> str | None:
    return plain(record["languages"]) if record.get("languages") else None


def _challenge(record: Record) -> str | None:
    """`10 (5,900 XP)`; in the books of 2024 `10 (XP 5,900, or 7,200 in lair; PB +4)`."""
    number, points = record.get("challenge_rating"), record.get("experience_points")
    if number is None:
        return None
    rating = challenge_rating_text(number)
    if not follows_2024(record):
        return rating if points is None else f"{rating} ({points:,} XP)"
    lair, bonus = record.get("lair_experience_points"), record.get("proficiency_bonus")
    details = [] if points is None else [f"XP {points:,}{'' if lair is None else f', or {lair:,} in lair'}"]
    details += [] if bonus is None else [f"PB {modifier(bonus)}"]
    return f"{rating} ({'; '.join(details)})" if details else rating


def _optional_modifier(number: int | None) -> str | None:
    return None if number is None else modifier(number)


def legendary(record: Record) -> str:
    """The text that explains the legendary actions, as Markdown, otherwise their uses; empty if neither is known."""
    uses, description = record.get("legendary_uses"), record.get("legendary_description")
    if description:
        return prose(description)
    return italic(f"Legendary Action Uses: {uses}.") if uses is not None else ""


def _entry(action: dict[str, Any]) -> str:
    usage = f" ({plain(_NUMBERS.sub('–', action['usage']))})" if action.get("usage") else ""
    description = _NOTATION.sub(r"*\1*", action.get("description") or "")
    return entry(plain(action["name"]) + usage if action.get("name") else None, description)
