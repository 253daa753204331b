"""Other names of a thing (turned around a comma, as in the sources' keys, in the open books), and its sound."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from server.dataset.names import normalize_name
from server.dataset.vocabulary import RENAMED_SPELLS, WIZARDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_WORD: Final = re.compile(r"\w+")
_RENAMED: Final = {
    normalize_name(name).replace("'", ""): normalize_name(there) for name, there in RENAMED_SPELLS.items()
}
_OF_WIZARD: Final = re.compile(rf"(?:{'|'.join(WIZARDS)})(?:'?s|')? (?P<rest>.+)")
_BONUS: Final = re.compile(r"\+(?P<before>\d) (?P<of>[^+]+)|(?P<thing>[^+]+?)(?: \+(?P<after>\d)| \(\+(?P<aside>\d)\))")
_BONUSES: Final = re.compile(r"(?P<thing>[^+]+?),? (?P<bonuses>\+\d(?:, \+\d)*,? or \+\d)")
_PARENTHESIS: Final = re.compile(r"(?P<name>[^(]*?)(?P<rest> \(.*)?")

JOINTS: Final = "- "
"""Characters between the words of a name."""
_SOUNDS: Final = tuple(
    (re.compile(pattern), sound)
    for pattern, sound in (
        (r"que\b|ck|q(?=u)|c(?![eiyh])", "k"),
        (r"c(?=[eiy])", "s"),
        (r"ph", "f"),
        (r"y", "i"),
        (r"z", "s"),
        (r"(?<=[^aeiou\s])h|\bh(?=[^aeiou])", ""),
        (r"(.)\1+", r"\1"),
    )
)
_OPEN: Final = (
    (_OF_WIZARD, (r"\g<rest>",), "which leave out the wizard's name"),
    (re.compile(r"(?P<rest>.+?) ?mail"), (r"\g<rest> armor",), "which call it armor"),
    (re.compile(r"full plate(?: armor| mail)?"), ("plate armor",), "which have no other plate except half plate"),
    (
        re.compile(r"(?P<rest>(?:.+ )?)save(?P<plural>s?)"),
        (r"\g<rest>saving throw\g<plural>", r"\g<rest>saving throws"),
        "which call a save a saving throw",
    ),
    (  # an attack of opportunity is an opportunity attack
        re.compile(r"(?P<thing>[^\W_]+?)s? of (?P<owner>[^\W_]+)"),
        (r"\g<owner> \g<thing>", r"\g<owner> \g<thing>s"),
        "which swap the words",
    ),
)
"""What players call things → what the open books may call them, and why."""


def unhyphenated(text: str) -> str:
    """A name or slug as one word: "long sword" and "long-sword" are "longsword"."""
    return text.replace("-", "").replace(" ", "")


def words_of(folded_name: str) -> list[str]:
    """The words of a folded name, without apostrophes: "hunter's mark" → hunters, mark."""
    return _WORD.findall(folded_name.replace("'", ""))


def around_comma(folded_name: str) -> str | None:
    """A name with one comma the other way round: "rope, hempen (50 feet)" → "hempen rope (50 feet)"."""
    match = _PARENTHESIS.fullmatch(folded_name)
    if match is None or match["name"].count(", ") != 1:
        return None
    first, _, second = match["name"].partition(", ")
    return f"{second} {first}{match['rest'] or ''}" if first and second else None


def one_spelling(folded_name: str) -> str:
    """A name in the order of speech, with its bonus last: "ammunition, +1" and "+1 ammunition" are "ammunition +1"."""
    spoken = around_comma(folded_name) or folded_name
    bonus = _BONUS.fullmatch(spoken)
    if bonus is None:
        return spoken
    return f"{bonus['of'] or bonus['thing']} +{bonus['before'] or bonus['after'] or bonus['aside']}"


def each_bonus(folded_name: str) -> list[str]:
    """The names that an entry of several bonuses covers, in one spelling: three for "armor, +1, +2, or +3"."""
    several = _BONUSES.fullmatch(folded_name)
    return [f"{several['thing']} {bonus}" for bonus in re.findall(r"\+\d", several["bonuses"])] if several else []


def other_names(folded_name: str, keys: Iterable[str]) -> Iterator[str]:
    """Further folded names of a thing: turned around its comma, and its words in the order of a source's key."""
    if turned := around_comma(folded_name):
        yield turned
    words = words_of(folded_name)
    for key in keys:
        of_key = words_of(key.rpartition("_")[2].casefold())
        if set(of_key) <= set(words) and not _in_order(of_key, words):
            yield " ".join(of_key)


def open_names(folded_name: str) -> Iterator[tuple[str, str]]:
    """Names that the open books may use for a thing, and why: "melf's acid arrow" is "acid arrow" there."""
    if there := _RENAMED.get(folded_name.replace("'", "")):
        yield there, "which replace the wizard's name"
    for pattern, names, why in _OPEN:
        if match := pattern.fullmatch(folded_name):
            yield from ((name, why) for name in dict.fromkeys(map(match.expand, names)))


def kinds_told(folded_name: str) -> Iterator[tuple[str, str]]:
    """The ways to split off a last word or two that may name the kind of thing: "dash action" → dash, action."""
    words = folded_name.split()
    for place in range(len(words) - 1, max(0, len(words) - 3), -1):
        yield " ".join(words[:place]), " ".join(words[place:])


def without_wizard(folded_name: str) -> str | None:
    """The open books' name for a thing that bears a wizard's name: "melf's acid arrow" → "acid arrow"."""
    match = _OF_WIZARD.fullmatch(folded_name)
    return match["rest"] if match else None


def sound_of(folded_name: str) -> str:
    """Roughly how a name sounds: "tarrasque" and "tarask" are both "tarask"."""
    for pattern, sound in _SOUNDS:
        folded_name = pattern.sub(sound, folded_name)
    return folded_name


def _in_order(some: Sequence[str], words: Sequence[str]) -> bool:
    rest = iter(words)
    return all(word in rest for word in some)
