"""Actions and traits of stat blocks: repair their names, usage and order; parse attacks from their text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from build_pipeline.normalize.text.clean import known
from build_pipeline.normalize.text.numerals import NUMBER, number
from build_pipeline.normalize.text.stat_blocks.attacks import parse_attacks
from build_pipeline.normalize.text.stat_blocks.markdown import USES, stat_block_text
from build_pipeline.snapshot.raw import JsonObject
from server.dataset.names import normalize_name

_PARENTHESES: Final = re.compile(r"\s*\((?P<inside>[^()]*)\)?\s*$")
_USAGE: Final = re.compile(
    r"\brecharges?\b|\bcosts?\s+\d|\d\s*/\s*(?:day|turn|round|week|hour|rest|month|year)|\bonly\b|\bwhile\s+bloodied\b"
    r"|\d\s+(?:minutes?|hours?)\s*/\s*day|\bper\s+day\b|\bHP\s+or\b|\brequires\b|^\d(?:\s+actions?)?$"
    r"|^\w+(?:,? or \w+)? form$",
    re.IGNORECASE,
)
_PARTS_OF_USAGE: Final = re.compile(r"\s*[;,]\s*(?=[A-Z\d])(?![^;]*,\s+or\b)")
_SPELL_LEVEL: Final = re.compile(r"\s*\((?P<inside>(?:cantrip|\d\w\w-level)\b[^()]*)\)?$", re.IGNORECASE)
_USAGE_FIRST: Final = re.compile(r"^\((?P<inside>[^()]+)\)\.?\s*(?=\S)")
_COST: Final = re.compile(r"^(?:costs?\s+)?(\d)(?:\s+actions?)?$", re.IGNORECASE)
_PER_TIME: Final = re.compile(r"(?<=\d)\s*/\s*(day|turn|round|week|hour|rest|month|year)\b", re.IGNORECASE)
_AFTER_REST: Final = re.compile(
    r"\brecharges?(?:: | (?:after|on) (?:an? )?)(?:short(?:/| or (?:a )?)long|long or (?:a )?short) rest", re.IGNORECASE
)
_DASH: Final = re.compile(r"(?<=\d)\s*[–—−-]\s*(?=\d)")
_GAME_WORDS: Final = re.compile(
    r"\b(?:creatures?|targets?|sav(?:e|es|ing)|damage|attacks?|actions?|combat|DC|hit|wielded|operate|recharges?)\b",
    re.IGNORECASE,
)
_LEGENDARY_INTRODUCTION: Final = re.compile(rf"(?:\bcan\s+take|has)\s+{NUMBER}\s+legendary\s+actions?\b")
_LEGENDARY_USES: Final = re.compile(
    rf"\blegendary action uses:\s*(?P<uses>\d)"
    rf"|\b(?:can\s+(?:take|use)|has)\s+(?:up\s+to\s+)?(?P<can>{NUMBER})\s+legendary\s+actions?\b"
    rf"|^(?P<between>{NUMBER})\s+between\s+turns\b",
    re.IGNORECASE,
)
_SENTENCE_START: Final = re.compile(
    r"^(?:The|A|An|Each)\s+(?:target|creature)\s+[a-z]+s\b|^(?:If|On a)\s+[a-z]+\s+[a-z]+\s"
)
_TACTICS: Final = "Combat"
"""Heading of a creature's tactics, which Level Up's book prints below the stat block."""
_CUT_SENTENCE: Final = re.compile(r"As an? (?:bonus )?action")
"""The start of a sentence whose remaining words are lost; the row's text is the next sentence."""
_BROKEN_OFF: Final = re.compile(r"\b(?:of|on|only one|or [A-Z][a-z]+|the(?: [A-Z][a-z]+)?)$")
"""The end of a text whose last sentence continues in the next row's name."""
_USES_LABEL: Final = re.compile(USES, re.IGNORECASE)
_ATTACK_IN_NAME: Final = re.compile(r"^(?P<name>\S.*?) (?P<attack>(?:Melee|Ranged) (?:Weapon|Spell) Attack: .*)$")
_NUMBERED: Final = re.compile(r"(?<!\d)\d+(?:[–-]\d+)?(?::\s|\s+\w+$)")
_SHORT_OPTION: Final = re.compile(r"^(?P<label>[A-Z][\w’' -]{2,40}):\s+(?P<text>\S+(?:\s+\S+){3,})$")


def action(name: str, description: str | None, usage: Iterable[str] = ()) -> dict[str, Any]:
    """One action in the schema's form.

    Usage in the name ("Fire Breath (Recharge 5-6)"), or before the text, moves to `usage`, after the `usage` given;
    other parentheses stay in the name.
    """
    bare, usages = _split_usage(name)
    told, text = _usage_first(stat_block_text(description))
    ways: dict[str, str] = {}
    for way in (*(_usage(part) for given in usage for part in _PARTS_OF_USAGE.split(given)), *usages, *told):
        ways.setdefault(way.casefold(), way)
    if spell := _SPELL_LEVEL.search(bare):
        bare = bare[: spell.start()]
        text = text if text and text.startswith("(") else f"({spell['inside']}) {text or ''}".strip()
    return {
        "name": bare,
        "description": text,
        "attacks": parse_attacks(bare, text or ""),
        "usage": "; ".join(ways.values()) or None,
    }


def trait(name: str, description: str | None) -> dict[str, Any]:
    """One trait in the schema's form. Traits have no `usage` column, so usage stays in the name or moves there."""
    told, text = _usage_first(stat_block_text(description))
    bare = _DASH.sub("-", name.strip().rstrip("."))
    if (match := _PARENTHESES.search(bare)) and _USAGE.search(match["inside"]):
        bare = f"{bare[: match.start()]} ({_usage(match['inside'])})"
    return {"name": f"{bare} ({'; '.join(told)})" if told and "(" not in bare else bare, "description": text}


def _usage_first(text: str | None) -> tuple[list[str], str | None]:
    """Split off the usage in brackets before a text: "(3/day) It sings." → ["3/Day"], "It sings."."""
    first = _USAGE_FIRST.match(text or "")
    if text is None or first is None or not _USAGE.search(first["inside"]):
        return [], text
    return [_usage(part) for part in _PARTS_OF_USAGE.split(first["inside"])], text[first.end() :]


def legendary_uses(introduction: str | None) -> int | None:
    """Number of legendary actions per round, outside the lair; None if the text does not say."""
    match = _LEGENDARY_USES.search(introduction or "")
    return number(match["uses"] or match["can"] or match["between"]) if match else None


def usage_in(name: str) -> list[str]:
    """Usage given in a name: "Fire Breath (Recharge 5–6)" → ["Recharge 5-6"]."""
    return _split_usage(name)[1]


def recharge(lowest: int) -> str:
    """Usage of an action that recharges on a roll of `lowest` to 6."""
    return "Recharge 6" if lowest == 6 else f"Recharge {lowest}-6"  # noqa: PLR2004 a die


def split_wrongly(rows: Iterable[JsonObject]) -> tuple[list[JsonObject], list[str], list[str]]:
    """Repair rows {name, desc} wrongly split from running text: (rows, lore, legendary action introductions).

    A "name" that runs into the attack after it is cut before the attack. A row whose "name" is a list label ("3/day
    each", "1-4: Arm") belongs to the row that introduces the list. A row whose "name" is a sentence continues the
    previous row ("If a swallowed creature deals…"), describes the creature ("Alchemists brew…", always last) or
    introduces its legendary actions.
    """
    mended: list[JsonObject] = []
    lore: list[str] = []
    legendary: list[str] = []
    all_rows = list(rows)
    for place, row in enumerate(all_rows, 1):
        name, text = str(row["name"]), known(row.get("desc")) or ""
        if begun := _ATTACK_IN_NAME.match(name):
            mended.append({**row, "name": begun["name"], "desc": f"{begun['attack']}.{text}"})
            continue
        if mended and (added := _continuation(name, text, mended[-1]["desc"])):
            mended[-1] = {**mended[-1], "desc": f"{mended[-1]['desc']}{added}"}
            continue
        if name == _TACTICS:
            lore.append(text.strip())
            continue
        if not is_sentence(name):
            mended.append({**row, "desc": text})
            continue
        paragraph = (
            f"{name.rstrip('.')}. {text}".strip() if not name.endswith((".", "!", ":")) else f"{name} {text}".strip()
        )
        if _LEGENDARY_INTRODUCTION.search(name):
            legendary.append(paragraph)
        elif place == len(all_rows) and not _GAME_WORDS.search(name):
            lore.append(paragraph)
        elif mended:
            option = _SHORT_OPTION.match(paragraph)
            added = f"**{option['label']}.** {option['text']}" if option else paragraph
            mended[-1] = {**mended[-1], "desc": f"{mended[-1]['desc']}\n\n{added}".strip()}
        elif option := _SHORT_OPTION.match(paragraph):
            mended.append({**row, "name": option["label"], "desc": option["text"]})
        else:
            mended.append({**row, "desc": text})
    return mended, lore, legendary


def _continuation(name: str, text: str, before: str) -> str | None:
    """The text that a row adds to the one before it, if its name is only part of a sentence or list; else None."""
    if _CUT_SENTENCE.fullmatch(name):
        return f"\n\n{text}"
    if _BROKEN_OFF.search(before):
        return f" {name.rstrip('.')}. {text}"
    return f"\n\n* **{name.strip(' .:')}:** {text}" if _is_line_of(name, before) else None


def _is_line_of(name: str, before: str) -> bool:
    label = name.strip(" .:")
    listed = re.search(r":\s*$|\bResult\s*$|\n\* \*\*[^\n]*$", before)
    return bool(listed and (_USES_LABEL.fullmatch(label) or _NUMBERED.match(label)))


def is_sentence(name: str) -> bool:
    """Whether the name of an action or trait is really a sentence cut from running text."""
    option = _SHORT_OPTION.match(name)
    if _SENTENCE_START.match(name):
        return True
    if option and not _USAGE.search(option["text"]):
        return True
    words: list[str] = re.findall(r"[^\s]+", name)
    lower = sum(word[0].islower() for word in words)
    return (len(words) >= 6 and lower >= 0.6 * len(words)) or len(words) == lower + 1 == 5  # noqa: PLR2004 else a name


def in_order(rows: Iterable[JsonObject], order: Iterable[JsonObject]) -> list[JsonObject]:
    """Rows sorted like `order`, another list of the same rows; rows missing from it come last, by their own number.

    v2 sorts actions and traits by key and numbers only the first ten of a stat block.
    """
    places: dict[str, int] = {}
    for place, row in enumerate(order):
        for name in (normalize_name(row["name"]), bare_name(row["name"])):
            places.setdefault(name, place)

    def position(pair: tuple[int, JsonObject]) -> tuple[float, bool, int, int]:
        number, row = pair
        names = normalize_name(row["name"]), bare_name(row["name"])
        begun = (
            place for name, place in places.items() if names[0].startswith(f"{name} ")
        )  # "False" of False Appearance
        place = next((places[name] for name in names if name in places), min(begun, default=float("inf")))
        numbered = row.get("order_in_statblock")
        return place, numbered is None, numbered or 0, number

    return [row for _, row in sorted(enumerate(rows), key=position)]


def bare_name(name: str) -> str:
    """An action's or trait's name for comparison, without trailing brackets."""
    return _PARENTHESES.sub("", normalize_name(name)) or normalize_name(name)


def union(winner: list[dict[str, Any]], loser: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """All actions of both lists by name, the winner's where both have one; in the loser's order if it has them all.

    A usage that the winner lacks is filled in from the loser.

    The loser's "Sting (Bite in Beast Form)" matches the winner's "Sting".
    """
    ours = {normalize_name(row["name"]): row for row in winner}
    theirs: dict[str, dict[str, Any]] = {}
    for row in loser:
        name = normalize_name(row["name"])
        bare = _PARENTHESES.sub("", name)
        theirs[bare if name not in ours and bare in ours else name] = row
    merged = {name: _with_usage(row, theirs.get(name)) for name, row in ours.items()}
    if merged.keys() <= theirs.keys():
        return [merged.get(name, row) for name, row in theirs.items()]
    return [*merged.values(), *(row for name, row in theirs.items() if name not in merged)]


def _with_usage(row: dict[str, Any], other: dict[str, Any] | None) -> dict[str, Any]:
    return row if row["usage"] or other is None else {**row, "usage": other["usage"]}


def _split_usage(name: str) -> tuple[str, list[str]]:
    bare = " ".join(name.split()).rstrip(".:")
    usages: list[str] = []
    while (match := _PARENTHESES.search(bare)) and _USAGE.search(match["inside"]) and match.start():
        usages[:0] = [_usage(part) for part in _PARTS_OF_USAGE.split(match["inside"])]
        bare = bare[: match.start()].rstrip(".:")
    return bare, usages


def _usage(text: str) -> str:
    """One spelling: "3/day" → "3/Day", "Recharge 5–6" → "Recharge 5-6", "costs 2 actions" → "Costs 2 Actions"."""
    spelled = _DASH.sub("-", " ".join(text.split()))
    spelled = _PER_TIME.sub(lambda m: f"/{m[1].capitalize()}", spelled)
    spelled = _COST.sub(r"Costs \1 Actions", spelled)
    spelled = re.sub(r"(?<=\w) (?=Recharge \d)", "; ", spelled)
    spelled = _AFTER_REST.sub("Recharges after a Short or Long Rest", spelled)
    spelled = re.sub(r"^Recharges (?=\d)", "Recharge ", spelled)
    spelled = re.sub(r"\bform only$", "Form Only", spelled)
    return spelled[:1].upper() + spelled[1:]
