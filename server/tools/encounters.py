"""`evaluate_encounter` and `suggest_encounter`."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING, Any, Final

from server.dataset.schema import CREATURES
from server.library.message import Message, Named
from server.library.records.budget import Shorter
from server.library.requests.filters import filters_of
from server.library.requests.request import Request, RequestError
from server.play.candidates import Candidates, candidates_of
from server.play.encounters import (
    MOST_PER_CHARACTER,
    Party,
    called_otherwise,
    cautions,
    chosen,
    encounter,
    party_of,
    unrated,
)
from server.play.limits import DIFFICULTIES, EDITIONS, HIGHEST_LEVEL, MOST_CHARACTERS, USUAL_DIFFICULTY
from server.play.suggestions import suggestions
from server.tools import encounter_notes, values
from server.tools.at_the_table import (
    CITATIONS,
    SEED,
    TOOLSET,
    answers,
    seed_of,
    within_documents,
    worked_out,
)
from server.tools.output import COUNT, NUMBER, TEXT
from server.tools.parameters import DOCUMENTS, Parameter, integer, of_filter, token, words
from server.tools.tool import Envelope, Tool

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from server.library.library import Library
    from server.play.citation import Citation

MOST_KINDS: Final = 20
"""Maximum number of entries in `monsters`."""
MOST_OF_A_KIND: Final = 999
MOST_SUGGESTIONS: Final = 10


_FILTERS: Final = filters_of("creature")
_WORDS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBERS: Final = {"a": 1, "an": 1} | {word: number for number, word in enumerate(_WORDS, 1)}
_COUNTED: Final = re.compile(
    rf"(?:(?:(?P<before>\d+)(?:\s*[x×*]\s*|\s+)|(?P<word>{'|'.join(_NUMBERS)})\s+))?(?P<name>\S.*?)(?:\s*[x×*]\s*(?P<after>\d+))?",
    re.IGNORECASE,
)
_NEXT: Final = re.compile(r",\s*(?=\d)")
"""The separator of creatures in a text, as in "2 druid, 9 stirge", but not in a name, as in "Rat, Giant"."""

_EVALUATE: Final = """\
Evaluate an encounter for a party: experience points against the budgets of its edition (2024: low, moderate, \
high; 2014: one worthy challenge, as its open books print no budgets), with the books' cautions. \
E.g. party=[3, 3, 3, 3], monsters=["2 druid", "9 stirge"]; party=[5, 5, 4], monsters=["troll"], edition="2014"."""
_SUGGEST: Final = """\
Random encounters that never exceed a party's budget, with the filters of search_creature; another seed draws others. \
Without cr filters, no creature's CR is above the lowest level. \
E.g. party=[5, 5, 5, 5], difficulty="high", type="undead"; party=[2, 2, 2], search="swamp ambush", seed=7."""


def _levels(name: str, value: object) -> tuple[int, ...]:
    refused = values.refusal(
        name, value, f"a list of 1 to {MOST_CHARACTERS} levels from 1 to {HIGHEST_LEVEL}, such as [3, 3, 3, 2]"
    )
    if not isinstance(value, list | tuple) or not 1 <= len(value) <= MOST_CHARACTERS:
        raise refused
    try:
        return tuple(values.integer(name, level, minimum=1, maximum=HIGHEST_LEVEL) for level in value)
    except RequestError:
        raise refused from None


def _difficulty(name: str, value: object) -> str:
    try:
        return values.choice(name, value, DIFFICULTIES)
    except RequestError:
        editions = f"{values.listed(DIFFICULTIES)}, as in 2024; leave it out for 2014, which has only one measure"
        raise values.refusal(name, value, editions) from None


def _monsters(name: str, value: object) -> tuple[tuple[str, int], ...]:
    """(name or id, number) of `["2 druid", "stirge x9", {"name": "wight", "count": 1}]`."""
    valid = f'a list of 1 to {MOST_KINDS} creatures such as ["2 druid", "9 stirge"]'
    if not isinstance(value, list | tuple) or not 1 <= len(value) <= MOST_KINDS:
        raise values.refusal(name, value, valid)
    parted = [part for entry in value for part in (_NEXT.split(entry) if isinstance(entry, str) else [entry])]
    if len(parted) > MOST_KINDS:
        raise values.refusal(name, value, valid)
    return tuple(_monster(name, entry, valid) for entry in parted)


def _monster(name: str, entry: object, valid: str) -> tuple[str, int]:
    number: object = 1
    if isinstance(entry, dict) and entry.keys() <= {"name", "count"}:
        number, entry = entry.get("count", 1), entry.get("name")
    elif isinstance(entry, str) and (counted := _COUNTED.fullmatch(values.text(name, entry, valid))):
        entry = counted["name"]
        number = counted["before"] or counted["after"] or _NUMBERS.get((counted["word"] or "").lower(), 1)
    text = values.text(name, entry, valid)
    if not text:
        raise values.refusal(name, entry, valid)
    return text, values.integer(name, number, minimum=1, maximum=MOST_OF_A_KIND)


def _evaluate(
    library: Library, given: Mapping[str, Any], documents: tuple[str, ...] | None, said: list[str]
) -> Envelope:
    party = party_of(library, given["party"], given.get("edition"), documents)
    creatures, known = chosen(library, given["monsters"], party, documents)
    found = encounter(party, creatures, known)
    found["cautions"] = _inside(library, documents, cautions(library, party, found))
    others = sorted({str(row["game_system"]) for row in known.values()} - {_system(party)})
    notes = [
        *said,
        *called_otherwise(given["monsters"], known),
        party.measure.note
        if party.measure and party.budgets
        else encounter_notes.without_measure(library, party, given, documents),
        encounter_notes.far_below(party, found),
        encounter_notes.measured_outside(library, party, documents),
        f"Some of the monsters are from {' and '.join(others)}." if others and party.budgets else None,
        unrated(known.values()),
    ]
    return worked_out(
        library, [found], rules=_rules(library, party, documents), notes=notes, shorter=_BRIEFLY, **_of_party(party)
    )


def _suggest(
    library: Library, given: Mapping[str, Any], documents: tuple[str, ...] | None, said: list[str]
) -> Envelope:
    party = party_of(library, given["party"], given.get("edition"), documents)
    budget, of_budget = _budget(library, party, given, documents)
    seed = seed_of(given)
    inside = documents if documents is not None or party.measure is None else (party.measure.game_system,)
    candidates = _candidates(library, given, inside, party, may_borrow=documents is None)
    known = {row["id"]: row for row in candidates.rows}
    drawn = suggestions(
        candidates.rows,
        budget,
        MOST_PER_CHARACTER * len(party.levels),
        given["limit"],
        Random(seed),  # noqa: S311 - not a secret
    )
    found = [encounter(party, creatures, known) for creatures in drawn]
    for each in found:
        each["cautions"] = _inside(library, documents, cautions(library, party, each))
    notes = [
        *said,
        *of_budget,
        encounter_notes.measured_outside(library, party, documents),
        encounter_notes.BORROWED if candidates.borrowed else None,
        candidates.said,
        encounter_notes.too_strong(candidates, party),
    ]
    if found:
        notes.append(encounter_notes.why_easier(found, party, given, len(candidates.rows)))
    elif candidates.rows:
        notes.append(encounter_notes.too_expensive(candidates.rows, budget))
    elif not candidates.above and not candidates.said:
        elsewhere = [] if inside is None else _candidates(library, given, None, party).rows
        notes.append(encounter_notes.only_in(elsewhere) or _what_to_drop(library, given, documents))
    return worked_out(
        library,
        found,
        rules=_rules(library, party, documents),
        notes=notes,
        shorter=_BRIEFLY,
        fewer=Message("Give a smaller ", Named("limit"), "."),
        budget=budget,
        seed=seed,
        **_of_party(party),
    )


def _with_monsters(*facts: str) -> Callable[[Any], Any]:
    """A function that keeps only these facts of the monsters of an encounter."""
    return lambda found: (
        found | {"monsters": [{name: monster[name] for name in facts} for monster in found["monsters"]]}
    )


_BRIEFLY: Final = (
    Shorter(_with_monsters("count", "name", "id", "xp"), "Only number, name, id and XP of monsters are given."),
    Shorter(_with_monsters("count", "name"), "Only number and name of monsters are given."),
)


def _budget(
    library: Library, party: Party, given: Mapping[str, Any], documents: tuple[str, ...] | None
) -> tuple[int, list[str | None]]:
    """The experience points that may be spent, and notes on them."""
    if "xp" in given:
        return given["xp"], [f"The budget is the {given['xp']:,} XP given."]
    budgets = party.budgets
    if party.measure is None or not budgets:
        why = encounter_notes.without_measure(library, party, given, documents)
        raise RequestError(parameter="edition", value=given.get("edition"), message=why)
    difficulty = given.get("difficulty", USUAL_DIFFICULTY)
    if difficulty in budgets:
        return budgets[difficulty], [party.measure.note]
    only, most = next(iter(budgets.items()))
    instead = f'So the budget is that of "{only}", not of "{difficulty}".' if "difficulty" in given else None
    return most, [party.measure.note, instead]


def _candidates(
    library: Library,
    given: Mapping[str, Any],
    documents: tuple[str, ...] | None,
    party: Party,
    *,
    may_borrow: bool = False,
) -> Candidates:
    lowest = min(party.levels)
    return candidates_of(library, _filters(given), given.get("search"), documents, lowest, may_borrow=may_borrow)


def _filters(given: Mapping[str, Any]) -> dict[str, Any]:
    return {declared.parameter: given[declared.parameter] for declared in _FILTERS if declared.parameter in given}


def _of_party(party: Party) -> dict[str, Any]:
    return {"party": list(party.levels), "edition": _system(party), "budgets": party.budgets}


def _system(party: Party) -> str | None:
    return party.measure.game_system if party.measure else None


def _rules(library: Library, party: Party, documents: Sequence[str] | None) -> list[Citation]:
    return _inside(library, documents, party.measure.rules if party.measure else ())


def _inside(library: Library, documents: Sequence[str] | None, citations: Sequence[Citation]) -> list[Citation]:
    """The citations of the allowed documents."""
    allowed = library.facts.documents(documents)
    return [each for each in citations if each["document"] in allowed]


def _what_to_drop(library: Library, given: Mapping[str, Any], documents: tuple[str, ...] | None) -> str | None:
    """The message of a search if no creature passes the filters; None if some pass but have unknown worth."""
    request = Request("creature", filters=_filters(given), documents=documents, limit=1, detail="names")
    said: str | None = library.find(request)["message"]
    return said


_PARTY: Final = Parameter(
    "party",
    "Levels, e.g. [3, 3, 3, 2]",
    {"type": "array", "items": {"type": "integer"}},
    _levels,
    required=True,
)
_EDITION: Final = token("edition", "Rules edition; default: that of documents", EDITIONS)
_OF_PARTY: Final = {
    "party": {"type": "array", "items": COUNT},
    "edition": TEXT,
    "budgets": {"type": "object"},
}
_NOTHING: Final[dict[str, Any]] = {"party": [], "edition": None, "budgets": {}}
"""The fields about the party in an answer to a call with an empty list of documents."""
_ENCOUNTER: Final = {
    "monsters": {"type": "array", "items": {"type": "object"}},
    "creatures": COUNT,
    "xp": NUMBER,
    "difficulty": TEXT,
    "cautions": CITATIONS,
}

EVALUATE: Final = Tool(
    "evaluate_encounter",
    "Evaluate an encounter",
    TOOLSET,
    _EVALUATE,
    parameters=(
        _PARTY,
        Parameter(
            "monsters",
            'Number and name or id, e.g. ["2 druid", "9 stirge"]',
            {"type": "array", "items": {"type": ["string", "object"]}},
            _monsters,
            required=True,
        ),
        _EDITION,
        DOCUMENTS,
    ),
    tables=(CREATURES,),
    answer=within_documents(_evaluate, **_NOTHING),
    answers=answers(_ENCOUNTER, _OF_PARTY),
)

SUGGEST: Final = Tool(
    "suggest_encounter",
    "Suggest encounters",
    TOOLSET,
    _SUGGEST,
    parameters=(
        _PARTY,
        Parameter(
            "difficulty",
            f"Default: {USUAL_DIFFICULTY}",
            {"type": "string", "enum": list(DIFFICULTIES)},
            _difficulty,
        ),
        words("search", "E.g. swamp ambush"),
        integer("xp", "Custom XP budget", 1),
        *map(of_filter, _FILTERS),
        _EDITION,
        DOCUMENTS,
        integer("limit", f"1-{MOST_SUGGESTIONS}", 1, MOST_SUGGESTIONS, default=3),
        SEED,
    ),
    tables=(),
    answer=within_documents(_suggest, **_NOTHING),
    answers=answers(_ENCOUNTER, {"budget": COUNT, "seed": COUNT, **_OF_PARTY}),
)
