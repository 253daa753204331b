"""Restores what the texts of some books lost on their way into the APIs: commas, apostrophes, spaces, line breaks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache, partial
from typing import Final

from build_pipeline.kept import kept
from build_pipeline.snapshot.raw import RawLayer
from server.dataset.names import normalize_name

_SPELL_ENDPOINTS: Final = (
    ("open5e_v2", "spells"),
    ("open5e_v1", "spells"),
    ("dnd5e_api", "2014/spells"),
    ("dnd5e_api", "2024/spells"),
)
_BROKEN_ESCAPE: Final = re.compile(r"æ(?P<code>0[0-9a-f]{3})")
_CLOSED_LABEL: Final = re.compile(r"(?<=[.:!?]\*\*)(?=[A-Za-z])")
_SLIPS: Final = (
    (re.compile(r"(?<=[a-z)]),(?=[a-z])"), ", "),
    (re.compile(r"(?<=\d)(?=(?:to hit|minutes?|hours?|ft)\b|\(\d+d\d)|(?<=:_)(?=\+\d)|(?<=[a-z])(?=\+\d+d\d)"), " "),
    (re.compile(r"(?<=reach \d)\.(?= ft\.)"), ""),
    (re.compile(r"(?<=one target\. )it(?=: \d)"), "Hit"),
    (re.compile(r"(?<=[a-z]:)(?=\d+ ?\(\d+d\d)|(?<=\b[Hh]it:)(?=\d)"), " "),
    (re.compile(r"(?<=[a-z])\n\n(?=[a-z])(?!\w+(?: \w+){0,2}:)"), " "),
    (re.compile(r"(?<=\d)(?=foot\b)"), "-"),
    (re.compile(r",\.(?= )"), ","),
    (re.compile(r"(?<=DC \d\d)(?= \+\d)"), ","),
    (re.compile(r" ?(?<!\.)\.\.(?!\.)|(?<=[a-z]) \.(?=\s)|\. \.(?=\s)"), "."),
    (re.compile(r"\b(the|to|for|DC) \1\b"), r"\1"),
    (re.compile(r"(?<=\() (?=\w)|(?<=[a-z]) (?=: DC\b)|(?<=\w) (?=”)"), ""),
    (re.compile(r"\bDC(?=\d)"), "DC "),
    (re.compile(r"(?<=-foot)- (?=radius\b)|(?<=\blife)- (?=giving\b)"), "-"),
    (re.compile(r"(?<=\bdisad)- (?=vantage\b)"), ""),
    (re.compile(r"\biI(?=[A-Z][a-z])"), ""),
    (re.compile(r"(?<=-Level\*\* \(\d slots\))(?= \w)"), ":"),
    (re.compile(r"(?<=\b(?:as|of) )- \*\*(\d(?:st|nd|rd|th)) Level\*\*"), r"\1 level"),
    (re.compile(r"(?<=[a-z.])\"(?=[A-Za-z])"), '" '),
)
"""(Error, replacement): characters that are missing, superfluous or doubled, a paragraph broken within a sentence, or a
list mark left in its text."""
_LOST_LINE: Final = re.compile(
    r"(?<=[a-z)])(?=\d/(?:day|week)\b[^:\n]{0,6}:|\d- [A-Z]|- \*\*\d)|(?<=:)(?=1- [A-Z])"
    r"|(?<=[a-z)][:.]) ?(?=(?:at will|constant|\d/day(?: each| ea)?):[^\n;]*(?:\n|\Z))"
    r"|(?<=[a-z)]), (?=(?:\d/day each|\d\w\w-level \(\d slots?\)):)",
    re.IGNORECASE,
)
"""Where a line ended: before a line of spells (unless its sentence continues with more of them), before an option."""
_LOST_BREAK: Final = re.compile(r"(?<=[a-z)]:)(?=[A-Z][a-z])")
"""Between the announcement of options and the first of them."""
_JOINED_SENTENCES: Final = re.compile(r"(?:(?<=[a-z]{2}[.!?])|(?<=[a-z]\)[.!?]))(?=[A-Z][a-zæäöü]{2}|A )")

_LOST_COMMA: Final = re.compile(r"(?<=[A-Za-z\d)’'])  (?=[A-Za-z\d])|(?<=\bft\.)  (?=[a-z])")
_CLAUSES: Final = re.compile(r"\b([A-Za-z]{2,}) (?=\1\b(?!-))")
"""The end of one clause and the beginning of the next: "when it hits with any weapon weapon deals extra"."""
_CONTRACTION: Final = re.compile(r"\b(?P<verb>does|is|do|has|are|was|would|could|did|have|wo|ca(?=nt speak\b))nt\b")
_IT_IS: Final = re.compile(
    r"\b(?P<it>[Ii])ts(?= (?:instead|not|an?|on an?|within|bloodied|carrying transforms|stunned until|moving in)\b)"
)
_OWNER_FIRST: Final = re.compile(r"^(?P<owner>[A-Z][a-z]*[^\Wosu])s(?= [A-Z][^.]{0,30}$)")
"""A name such as "Devils Sight", not "Venomous Bite" or "Chaos Blast"."""
_NAMES: Final = (
    ("Heroes Feast", "Heroes' Feast"),
    ("Earths Embrace", "Earth's Embrace"),
    ("Vampires most", "Vampires' most"),
)
"""Names within a text whose lost apostrophe nothing else reveals."""
_OWNED_BY_MANY: Final = re.compile(r"\b(?P<owners>(?:other|smaller) creatures)(?= spaces?\b)")
_OWNERS: Final = frozenset({"creature", "object", "target", "attacker", "wearer", "caster", "user", "enemy"})
_OWNED: Final = (
    "choice|space|turn|next turn|hit points|level|lair|discretion|heads?|movement|damage (?:can|against)|size and|"
    "presence|moan|"
    "magic[.]|reach misses|area|wisdom and|senses or|target is|innate|breath weapon|ranged attack|weapon attacks|"
    "attack is|[A-Z]"
)
"""Things that any creature may have."""
_NOT_OWNED: Final = (
    "a|an|the|one|two|three|up|each|it|its|this|that|these|those|other|another|any|all|some|both|who|which|whose|and|or|"
    "but|then|to|of|in|on|at|by|from|for|with|within|while|if|when|until|as|is|are|was|were|has|have|can|cannot|must|"
    "may|might|do|does|take|takes|make|makes|appear|reappear|remain|also|instead|that|affected|touched|you|they|only"
)

_ANY_WEAPON: Final = re.compile(
    r"\bbludgeoning damage(?:/P/S| P or S| piercing or slashing)\b(?P<choice>(?: \([^()]*\))?)(?: damage\b)?"
)
"""Three damage types, garbled because their abbreviations were read as separate words."""
_PERIOD: Final = re.compile(r"(?<=[a-z)])\s*(?:•\s*)?(?=\d+/(?:day|week)\b)", re.IGNORECASE)
_SPELL_RUN: Final = re.compile(
    r"(?P<label>(?:at will|(?<!\d)\d+/(?:day|week))(?: (?:each|ea))?): *(?P<run>(?![ *])[^\n:.]+)", re.IGNORECASE
)
_JOINING: Final = re.compile(r" (?:and|or) ")
_NOTE: Final = re.compile(r"\([^()]*\)")


Mend = Callable[[str | None], str | None]
"""A text of one creature → as its book printed it; None stays None."""


class Texts:
    """Mends texts of creatures; knows the names of all spells, to split lists that lost their commas."""

    def __init__(self, raw: RawLayer) -> None:
        names = {str(obj.data.get("name")) for where in _SPELL_ENDPOINTS for obj in raw[where].values()}
        longest_first = sorted({normalize_name(name) for name in names}, key=lambda name: (-len(name), name))
        self._spell = re.compile(rf"(?:{'|'.join(map(re.escape, longest_first))})(?= |$)") if longest_first else None

    def of(self, document: str, name: str) -> Mend:
        """The function that mends the texts of the creature `name` in `document`."""
        return partial(self._mended, document, name)

    def _mended(self, document: str, name: str, text: str | None) -> str | None:
        """A text of the creature `name` as its book printed it, as far as that can be told."""
        if not text:
            return None
        text = _without_slips(text)
        if document == "a5e-mm":
            return _with_apostrophes(_LOST_COMMA.sub(", ", text), name)
        if document == "tob3":
            return self._tome_of_beasts_3(text)
        return _LOST_BREAK.sub(" ", _JOINED_SENTENCES.sub(" ", text))

    def _tome_of_beasts_3(self, text: str) -> str:
        """The lines were joined: "with o" for "without", "light3/day ea: bless", "area.Fire Blast", "one of:Frost"."""
        text = re.sub(r"\bwith o\b", "without", text).replace("(Percept)", "(Perception)")
        text = _CLAUSES.sub(r"\1, ", text)
        text = _ANY_WEAPON.sub(r"bludgeoning, piercing, or slashing damage\g<choice>", text)
        text = _LOST_BREAK.sub("\n\n", _JOINED_SENTENCES.sub("\n\n", text))
        return _SPELL_RUN.sub(lambda m: f"{self._label(m['label'])}: {self._parted(m['run'])}", _PERIOD.sub("\n", text))

    @staticmethod
    def _label(printed: str) -> str:
        return re.sub(r"\bea\b", "each", printed)

    def _parted(self, run: str) -> str:
        """A run of spells with its commas, or unchanged if it has anything but spells and notes in brackets."""
        if "," in _NOTE.sub("", run):
            return run
        parts = list(self._spells(run.strip()))
        joined = re.sub(r" (?:and|or) (?=" + "|".join(map(re.escape, parts)) + ")", " ", run) if parts else run
        return ", ".join(parts) if " ".join(parts) == " ".join(joined.split()) else run

    def _spells(self, run: str) -> Iterator[str]:
        place = 0
        while place < len(run):
            spell = self._spell.match(run, place) if self._spell else None
            if spell is None:
                return
            note = _NOTE.match(run, spell.end() + 1)
            end = note.end() if note else spell.end()
            yield run[place:end]
            joining = _JOINING.match(run, end)
            place = joining.end() if joining else end + 1


@lru_cache(maxsize=2**15)  # creatures share traits, and each is read more than once
@kept
def _without_slips(text: str) -> str:
    text = _BROKEN_ESCAPE.sub(lambda m: chr(int(m["code"], 16)), text)
    for slip, right in _SLIPS:
        text = slip.sub(right, text)
    return _LOST_LINE.sub("\n", _CLOSED_LABEL.sub(" ", text))


@kept
def _with_apostrophes(text: str, name: str) -> str:
    """Text that lost its apostrophes: "doesnt", "the dragons turn", "another creatures space"."""
    for lost, whole in _NAMES:
        text = text.replace(lost, whole)
    text = _IT_IS.sub(r"\g<it>t's", _CONTRACTION.sub(r"\g<verb>n't", text))
    text = _OWNED_BY_MANY.sub(r"\g<owners>'", _OWNER_FIRST.sub(r"\g<owner>'s", text))
    return _owners(name).sub(r"\g<before>\g<owner>'s", text)


@cache
def _owners(name: str) -> re.Pattern[str]:
    words: Iterable[str] = {*_OWNERS, *re.findall(r"[a-z]{3,}", name.lower())}
    return re.compile(
        r"(?P<before>\b(?:[Tt]he|[Ee]ach|[Ee]very|[Tt]h(?:at|is|eir)|[Ii]ts(?= masters )|[Aa]n?|[Aa]ny|[Aa]nother|"
        r"[Oo]ne) |\()"
        rf"(?P<owner>(?<!hat )(?:draconic |master )?[A-Za-z][a-z]+[^\Wosu]"
        rf"(?=s (?:{_OWNED}))"
        rf"|(?:(?!(?:of|to|with|in|by|can|see) )[\w-]+ ){{0,2}}(?:\w+-)*(?:{'|'.join(sorted(words))}))s"
        rf"(?= (?!(?:{_NOT_OWNED})\b)\w)"
    )
