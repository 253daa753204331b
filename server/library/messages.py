"""The library's sentences for language models: empty results, refused values, incomplete answers."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

from server.library.closed.books import is_closed
from server.library.message import (
    Call,
    Given,
    Message,
    Named,
    WhereDocumentsAre,
    enumerated,
    joined,
)
from server.library.names.renamed import EDITIONS
from server.library.requests.filter_types import Comparison, cut
from server.library.requests.kinds import kind_parameter
from server.library.requests.synonyms import meant

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from server.library.closed.content import ClosedThing
    from server.library.message import Way
    from server.library.names.name_index import Instead
    from server.library.names.renamed import Successor
    from server.library.requests.filter_types import Filter
    from server.library.requests.request import FilterValue, Request

_PREPOSITIONS: Final = frozenset({"for", "in", "of", "to", "with"})
_MAX_VALUES: Final = 30
MAX_COUNTED: Final = 8
_MAX_CONDITIONAL: Final = 3
"""Most values listed: without and with their counts, and of those with a condition."""

_NO_PART: Final = Named("part", left_out=True)
NO_DOCUMENTS_ASKED: Final = Message(
    Named("documents"), " is an empty list, so nothing was searched: leave it out to search all documents."
)

DROP_SEVERAL: Final = "Leaving out any single filter still finds nothing: leave out several."


def did_you_mean(value: object, valid: Iterable[str]) -> str:
    """` Did you mean "…"?`; empty if nothing is similar."""
    near = meant(cut(str(value)), valid)
    return f' Did you mean "{near}"?' if near else ""


def not_among(parameter: str, value: object, valid: Sequence[str], hint: str = "") -> Message:
    """A value outside a closed set; `hint`, if known, is better than a similar value."""
    refused = Message(Named(parameter), f' cannot be "{cut(str(value))}".', hint or did_you_mean(value, valid))
    return Message(refused, f" Valid values: {_listed(valid)}.")


def finer(family: str, value: str, kinds: Sequence[str]) -> Message:
    """A hint for a kind of thing for which `type` has no value, such as demons: to search for it.

    `kinds`: the values of `type` that such things have; a search is narrowed to it if there is only one.
    """
    within = (Given("type", kinds[0]),) if len(kinds) == 1 else ()
    search = Call(f"search_{family}", (Given("search", cut(value)), *within))
    return Message(" That is finer than ", Named(kind_parameter(family)), ": use ", search, ".")


def nothing_matches(
    noun: str, given: Mapping[Filter, FilterValue], documents: Sequence[str], names: Sequence[str]
) -> str:
    """`Found no spells named "x" and of level 3 in srd-2014.`"""
    clauses = [f"named {enumerated(_quoted(names), 'or')}"] if names else []
    clauses += [declared.says(value) for declared, value in given.items()]
    what = f" {enumerated(clauses)}" if clauses else ""
    where = f" in {enumerated(_first([cut(entry) for entry in dict.fromkeys(documents)]), 'or')}" if documents else ""
    return f"Found no {noun}{what}{where}."


def unknown_value(noun: str, declared: Filter, value: object, present: Sequence[str], known: Sequence[str]) -> Message:
    """A value of an open set that nothing of the family has: `The dataset has no equipment with spell "x".`

    `noun`: what is searched, in the plural, since the value may well exist elsewhere; `present`: the values that would
    find something; `known`: those that it may be a misspelling of.
    """
    hint = did_you_mean(value, known)
    named = Named(declared.parameter)
    unknown = Message(f"The dataset has no {noun} with ", named, f' "{declared.shown(value)}".{hint}')
    if not present:
        return unknown
    more = f" and {len(present) - _MAX_VALUES} more" if len(present) > _MAX_VALUES else ""
    return Message(unknown, f" Values here: {_listed(present[:_MAX_VALUES])}{more}.")


def only_for(declared: Filter) -> Message:
    """A filter that makes no sense for the requested kind."""
    kinds = [kind for kind in declared.only if kind != "all"]
    return Message(Named(declared.parameter), " applies only to ", _of_kinds(declared, kinds), ".")


def drop_one(alternatives: Mapping[Filter, tuple[int, Sequence[tuple[Any, int]]]]) -> Message:
    """Which single filter to leave out: filter → (how many results that gives, the values found with their counts)."""
    ways = [
        Message(Named(f.parameter, left_out=True), f" finds {count} ({_there_are(f, values, count)})")
        for f, (count, values) in alternatives.items()
    ]
    return Message("Leaving out ", joined(ways, "; leaving out "), ".")


def conditional(declared: Filter, value: FilterValue, count: int, texts: Sequence[tuple[str, int]]) -> Message:
    """How many more have a filter's value only with a condition, and the values that find them, with their counts."""
    shown = texts if len(texts) <= _MAX_CONDITIONAL + 1 else texts[:_MAX_CONDITIONAL]  # never "or 1 other"
    name = declared.parameter
    ways = [
        Message(Given(name, text, lead="" if place else None), f" ({number})")
        for place, (text, number) in enumerate(shown)
    ]
    others = [f"{len(texts) - len(shown)} others"] if len(shown) < len(texts) else []
    more_are = "1 more is" if count == 1 else f"{count} more are"
    conditions = enumerated([*ways, *others], "or")
    return Message(f"{more_are} {declared.says(value)} only on a condition: ", conditions, ".")


def unknown_fact(declared: Filter, count: int) -> Message:
    """How many more may have a filter's value, since their fact is unknown."""
    return Message(f"{count} more {'has' if count == 1 else 'have'} no known ", Named(declared.parameter), ".")


def drop_documents(count: int) -> Message:
    """How many results there are in all documents."""
    return Message("Leaving out ", Named("documents", left_out=True), f" finds {count}.")


def drop_named(noun: str, count: int) -> str:
    """How many results there are in all documents, where the text named the edition or source that is searched."""
    return f"Leaving out the {noun} finds {count}."


def in_documents(holders: Mapping[str, Sequence[str]], *, is_named: bool = False) -> str:
    """Names that are outside the requested documents → the documents that have them.

    `is_named`: the sentence before has named the only name.
    """
    named = {"It" if is_named else f'"{cut(name)}"': documents for name, documents in holders.items()}
    return " ".join(f"{name} is in {enumerated(_first(documents))}." for name, documents in named.items())


def no_such_part(part: str, names: Sequence[str], parts: Sequence[str], levels: range) -> Message:
    """None of the records found has a part of that name; `parts` and `levels` are those that they have."""
    distinct = list(dict.fromkeys(names))
    none_has = f"{distinct[0]} has no" if len(distinct) == 1 else f"None of {enumerated(_first(distinct))} has a"
    if not parts and not levels:
        return Message(f'{none_has} part "{cut(part)}", nor any other: leave out ', _NO_PART, ".")
    more = f" and {len(parts) - _MAX_VALUES} more" if len(parts) > _MAX_VALUES else ""
    said = [Message(f'{none_has} part "{cut(part)}".', did_you_mean(part, parts))]
    if parts:
        said.append(Message(f"The parts: {', '.join(parts[:_MAX_VALUES])}{more}."))
    if levels:
        one = Given("part", f"Level {levels[0]}")
        said.append(Message(f"Levels {levels[0]} to {levels[-1]} are parts too, e.g. ", one, "."))
    return joined(said)


def without_the_part(part: str, ids: Sequence[str]) -> str:
    """Some of the records found have no part of that name, others do."""
    return f'No part "{cut(part)}": {_listed(ids)}.'


def further_parts(part: str, names: Sequence[str]) -> str:
    """Parts of the records found whose names contain that of the requested one."""
    return f'Further parts named "{cut(part)}": {_listed(names)}.'


def are_fields(part: str, fields: Sequence[str]) -> str:
    """The requested part means a field of the records found, or several."""
    given = f"field {fields[0]}" if len(fields) == 1 else f"fields {enumerated(fields)}"
    return f'Read "{cut(part)}" as the {given}.'


def is_part_of(name: str, ways: Mapping[Call, Sequence[str]], most: int = MAX_COUNTED) -> Message:
    """A name that is a part of some records; `ways`: how to look it up → the names of these records."""
    said = [
        Message(f"of {enumerated(_first(owners, most))}", way._replace(lead=": "))
        for way, owners in sorted(ways.items(), key=lambda way: len(way[1]))
    ]
    return Message(f'"{cut(name)}" is a part ', joined(said, "; "), ".")


def named_elsewhere(name: str, counts: Mapping[Way, int]) -> Message:
    """A query that is the name of nothing of the requested kind → how to look it up, with the number of results."""
    return Message(f'Nothing of this kind is called "{cut(name)}", but ', _finding(counts), ".")


def look_up(asked: Request) -> Call:
    """How a look-up by name or part is written: `lookup_rule(rule_type="condition", name="prone")`."""
    given = {
        kind_parameter(asked.family): asked.kind,
        "name": asked.name,
        "part": asked.part,
        "documents": asked.documents,
    }
    return Call(f"lookup_{asked.family}", tuple(Given(name, value) for name, value in given.items() if value))


def not_found(missing: Mapping[str, Sequence[str]]) -> str:
    """The ones of several names that found nothing, each with similar names."""
    named = [f'"{cut(name)}"{_similar(near)}' for name, near in missing.items()]
    return f"Not found: {enumerated(named)}."


def nowhere(names: Sequence[str]) -> str:
    """No document has anything of these names."""
    return f"No document of this library has {'it' if len(names) == 1 else 'any of them'}."


def closed(things: Sequence[ClosedThing]) -> str:
    """Things that only closed books have: `Mind Flayer (creature, Monster Manual) is not open content.`"""
    named = enumerated(_first([f"{thing.name} ({thing.kind}, {thing.book})" for thing in things]))
    return f"{named} {'is' if len(things) == 1 else 'are'} not open content."


def as_named(entries: Sequence[str], noun: str, *, searched: bool) -> Message:
    """The text of a request named editions or sources (`noun`), and is read as asking for their documents."""
    several, read = len(entries) > 1, Given("documents", tuple(entries))
    # A search lists the best of several variants.
    more = f" A look-up by name shows the version of each {noun}." if searched and several else ""
    return Message("Read as ", read, f", the {noun}{'s' * several} named in the text.{more}")


def not_as_named(entries: Sequence[str], documents: Sequence[str], noun: str) -> str:
    """The text of a request named editions or sources (`noun`), but its documents include others."""
    where = enumerated(_first([cut(entry) for entry in documents]), "or")
    return f"Searched in {where}, not in the {noun} that was named: {enumerated(entries)}."


def several_named(noun: str) -> str:
    """The names of a request name several editions or sources (`noun`)."""
    return f"The names are not all of one {noun}, so all are searched: look them up by {noun}."


def found_by_words(name: str, names: Sequence[str], *, whole: bool) -> str:
    """What a look-up found that is not called so: names that have its words, whole or as beginnings of words."""
    by = "its words" if whole else "the beginnings of words"
    return f'None is called "{cut(name)}"; found by {by}: {enumerated(_first(names, _MAX_CONDITIONAL))}.'


def called(name: str, elsewhere: Instead) -> str:
    """What a thing is called elsewhere: in the open books, in the rules of another edition."""
    return _is_there(name, "renamed" if elsewhere.whole else "merged", elsewhere.names, elsewhere.where)


def succeeded(found: Iterable[Successor | None]) -> list[str]:
    """What other editions have for parts; None for a part that has the name asked for."""
    names: defaultdict[tuple[str, str, str], dict[str, None]] = defaultdict(dict)
    for there in filter(None, found):
        names[there.of, there.relation, EDITIONS[there.game_system]][there.name] = None
    return [_is_there(of, relation, [*there], where) for (of, relation, where), there in names.items()]


def _is_there(name: str, relation: str, names: Sequence[str], where: str) -> str:
    """How something is the things of other names elsewhere."""
    there = enumerated(names)
    if relation == "replaced":
        return f'{where[0].upper()}{where[1:]} have {there} instead of "{cut(name)}".'
    return f'"{cut(name)}" is{" part of" * (relation == "merged")} {there} in {where}.'


def goes_only_with(declared: Filter, value: object, kind: str | None) -> Message:
    """A filter that is refused with the requested kind."""
    refused = Message(Named(declared.parameter), f' "{declared.shown(value)}"')
    return Message(refused, " can be combined only with ", _of_kinds(declared, declared.only), f", not with {kind}.")


def exclude_each_other(exact: Filter, value: FilterValue, bounds: Mapping[Filter, FilterValue]) -> Message:
    """An exact value together with bounds of the same fact."""
    others = enumerated([_at(bound, limit) for bound, limit in bounds.items()], "or")
    return Message(_at(exact, value), " cannot be combined with ", others, ": give one or the other.")


def above_maximum(lower: Filter, value: FilterValue, upper: Filter, maximum: FilterValue) -> Message:
    """A minimum over its maximum."""
    return Message(_at(lower, value), " is greater than ", _at(upper, maximum), ".")


def elsewhere(counts: Mapping[Way, int], *, is_whole: bool = True) -> Message:
    """Other kinds and look-ups that find the name (`is_whole`) or longer ones with its words → how many results."""
    return Message("But " if is_whole else "Longer names have it: ", _finding(counts), ".")


def see_suggestions(suggestions: Sequence[str]) -> str:
    """Names that the requested one may be a misspelling of."""
    return f"Similar names: {enumerated(suggestions)}."


def without_filters(suggestions: Sequence[str]) -> str:
    """Names that the requested one may be a misspelling of, where no such name passes the filters."""
    return f"Similar names, if the filters are left out: {enumerated(suggestions)}."


def unknown_documents(unknown: Mapping[str, Sequence[str]]) -> Message:
    """Entries of `documents` that match none, with similar ones; for books that are not open, with those that are."""
    named = [f'"{cut(entry)}"{_open(near) if is_closed(entry) else _similar(near)}' for entry, near in unknown.items()]
    return Message(f"Unknown documents: {enumerated(_first(named))}. ", WhereDocumentsAre())


def without_closed_books(books: Sequence[str], open_books: Sequence[str]) -> str:
    """Books that a text names but no dataset may have: the rest of the text was searched for."""
    return f"Searched without {enumerated(_quoted(books))}{_open(open_books)}."


def no_documents(source: str | None) -> str:
    """`list_documents` has no rows: none from this source, or none at all."""
    return "No documents found in cache" if source is None else f"No documents from {source}."


def _of_kinds(declared: Filter, kinds: Sequence[str]) -> Message:
    """`type weapon or armor`."""
    return Message(Named(kind_parameter(declared.family)), " ", enumerated(kinds, "or"))


def _at(bound: Filter, value: FilterValue) -> Message:
    """`cr_min 5`."""
    return Message(Named(bound.parameter), f" {bound.shown(value)}")


def _finding(counts: Mapping[Way, int]) -> Message:
    """`type="armor" finds 2 and lookup_spell(name="shield") finds 3`."""
    return enumerated([Message(way, f" finds {count}") for way, count in counts.items()])


def _similar(near: Sequence[str]) -> str:
    return f" (similar: {enumerated(near)})" if near else ""


def _open(documents: Sequence[str]) -> str:
    return (
        f" (not an open book; open books of the game: {enumerated(documents)})" if documents else " (not an open book)"
    )


def _there_are(declared: Filter, values: Sequence[tuple[Any, int]], count: int) -> str:
    """The values found: for a bound the lowest and the highest, otherwise the commonest with their counts.

    `14 of school illusion, 11 of evocation and 7 of abjuration`; a value that all have comes without a count.
    """
    if not values:
        return f"{declared.fact} unknown"
    if declared.comparison is not Comparison.EQUALS:
        lowest, highest = (declared.shown(choose(value for value, _ in values)) for choose in (min, max))
        return f"{declared.fact} {lowest}" if lowest == highest else f"{declared.fact} {lowest} to {highest}"
    if len(values) == 1 and values[0][1] == count:
        return declared.says(values[0][0])
    (first, commonest), *others = values[:MAX_COUNTED]
    said = [f"{number} {_briefly(declared, value)}" for value, number in others]
    return enumerated([f"{commonest} {declared.says(first)}", *said])


def _briefly(declared: Filter, value: object) -> str:
    """A filter's value without what has been said: `of ooze` for `of type ooze`, `to acid` for `immune to acid`.

    The last preposition of the phrase is kept; if it has none, the whole phrase.
    """
    words, shown = declared.says(value), declared.shown(value)
    if not (isinstance(value, str) and words.endswith(f" {shown}")):
        return words
    before = words.removesuffix(f" {shown}").split()
    preposition = next((word for word in reversed(before) if word in _PREPOSITIONS), " ".join(before))
    return f"{preposition} {shown}"


def _quoted(names: Sequence[str]) -> list[str]:
    return [f'"{cut(name)}"' for name in names]


def _first(words: Sequence[str], most: int = MAX_COUNTED) -> Sequence[str]:
    """The words that a message lists, and how many more there are."""
    return words if len(words) <= most else [*words[:most], f"{len(words) - most} more"]


def _listed(values: Sequence[str]) -> str:
    """Values separated by commas; those that contain a comma are quoted."""
    return ", ".join(f'"{value}"' if "," in value else value for value in values)
