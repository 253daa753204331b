"""What the library says in words: empty results, refused values, answers that are not all there is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rapidfuzz import fuzz, process

from server.library.filter_types import Comparison, cut

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from server.library.filter_types import Filter
    from server.library.request import FilterValue

_NEAR: Final = 60
_MANY: Final = 30
_COUNTED: Final = 8
"""Values listed at most, without and with their counts."""

NO_DOCUMENTS_ASKED: Final = "documents is an empty list, which stands for no document: leave it out to search in all."

DROP_SEVERAL: Final = "Leaving out any one filter finds nothing either: leave out several."

NOTHING_ABOUT_IT: Final = (
    "Hardly anything here seems to be about this query: the results are only the least unlike it, with low scores."
)


def did_you_mean(value: object, valid: Iterable[str]) -> str:
    """` Did you mean "…"?`, or nothing where nothing is near."""
    near = process.extractOne(
        cut(str(value)), list(valid), scorer=fuzz.ratio, processor=str.casefold, score_cutoff=_NEAR
    )
    return f' Did you mean "{near[0]}"?' if near else ""


def not_among(parameter: str, value: object, valid: Sequence[str]) -> str:
    """A value outside a closed set."""
    return f'{parameter} cannot be "{cut(str(value))}".{did_you_mean(value, valid)} Valid values: {", ".join(valid)}.'


def nothing_matches(
    noun: str, given: Mapping[Filter, FilterValue], documents: Sequence[str] | None, name: str | None
) -> str:
    """`No spells named "x", of level 3, in srd-2014 match.`"""
    clauses = [f'named "{cut(name)}"'] if name else []
    clauses += [declared.says(value) for declared, value in given.items()]
    clauses += [f"in {_either(_first([cut(entry) for entry in documents]))}"] if documents else []
    return f"No {noun} {', '.join(clauses)}{' ' if clauses else ''}match."


def unknown_value(declared: Filter, value: object, present: Sequence[str]) -> str:
    """A value of an open set that the dataset does not hold, with those that would find something."""
    unknown = f'{declared.parameter} "{declared.shown(value)}" is not in the dataset.'
    if not present:
        return unknown
    more = f" and {len(present) - _MANY} more" if len(present) > _MANY else ""
    return f"{unknown}{did_you_mean(value, present)} Values here: {', '.join(present[:_MANY])}{more}."


def only_for(declared: Filter) -> str:
    """A filter that makes no sense for the kind asked for."""
    kinds = [kind for kind in declared.only if kind != "all"]
    return f"{declared.parameter} applies to type {_either(kinds)} only."


def drop_one(finds: Mapping[Filter, tuple[int, Sequence[tuple[Any, int]]]]) -> str:
    """Which single filter to leave out: filter → (how many that finds, the values found with their counts)."""
    ways = []
    for declared, (count, values) in finds.items():
        ways.append(f"leaving out {declared.parameter} finds {count} ({_there_are(declared, values)})")
    return f"{_capital('; '.join(ways))}."


def drop_documents(count: int) -> str:
    """How many other documents hold; not which, since an answer says nothing of documents not asked for."""
    return f"Leaving out documents finds {count}."


def goes_only_with(declared: Filter, value: object, kind: str | None) -> str:
    """A filter that is refused with the kind asked for."""
    return f'{declared.parameter} "{declared.shown(value)}" goes only with {_either(declared.only)}, not with {kind}.'


def exclude_each_other(exact: Filter, value: FilterValue, bounds: Mapping[Filter, FilterValue]) -> str:
    """An exact value beside bounds of the same fact."""
    others = ", ".join(f"{bound.parameter} {bound.shown(limit)}" for bound, limit in bounds.items())
    return f"{exact.parameter} {exact.shown(value)} excludes {others}: give one or the other."


def above_maximum(lower: Filter, value: FilterValue, upper: Filter, maximum: FilterValue) -> str:
    """A minimum over its maximum."""
    return f"{lower.parameter} {lower.shown(value)} is greater than {upper.parameter} {upper.shown(maximum)}."


def other_kinds(parameter: str, counts: Mapping[str, int]) -> str:
    """Where else the name is found."""
    places = [f'{parameter}="{kind}" finds {count}' for kind, count in counts.items()]
    return f"But {', '.join(places)}."


def see_suggestions(suggestions: Sequence[str]) -> str:
    return f"Similar names: {', '.join(suggestions)}."


def unknown_documents(unknown: Mapping[str, Sequence[str]]) -> str:
    """Entries of `documents` that match none."""
    said = []
    for entry, near in unknown.items():
        hint = " (near: " + ", ".join(near) + ")" if near else ""
        said.append(f'"{cut(entry)}"{hint}')
    return f"Unknown documents: {', '.join(_first(said))}; list_documents names all."


def no_documents(source: str | None) -> str:
    """`list_documents` has no rows: none from this source, or none at all."""
    return "No documents found in cache" if source is None else f"No documents from {source}."


def past_the_end(offset: int, listed: int) -> str:
    return f"offset {offset} is past the end: there are {listed} results to list."


def summarised(full: int, listed: int, offset: int, budget: int) -> str:
    """Of the records listed only the first `full` are as full as asked; the first of the others is at `offset`."""
    if not full:
        return (
            f"All records are shortened (`truncated`) to keep the answer under {budget:,} characters: "
            "use a smaller limit, or look one up by name."
        )
    which = f"Record {listed} is" if full + 1 == listed else f"Records {full + 1} to {listed} are"
    return (
        f"{which} shortened (`truncated`) to keep the answer under {budget:,} characters: "
        f"for the rest of them use offset={offset}, or look one up by name."
    )


def ends_early(next_offset: int, budget: int) -> str:
    return f"The page ends early to keep the answer under {budget:,} characters: go on with offset={next_offset}."


def query_cut(longest: int, max_tokens: int) -> str:
    return (
        f"The query is over {longest} characters or {max_tokens} tokens: "
        f"its meaning was read from the first {max_tokens} tokens only."
    )


def preferred(asked: Sequence[str]) -> str:
    """What a query asks for in passing counted for more, but excluded nothing."""
    return f"Read from the query and preferred, not required: {', '.join(asked)}."


def unranked(reason: str) -> str:
    """The encoder gave nothing."""
    return (
        f"Not ranked by meaning, since the query could not be encoded ({reason}): "
        "those whose names share words with the query come first, then all by name."
    )


def _there_are(declared: Filter, values: Sequence[tuple[Any, int]]) -> str:
    """The values found: of a bound the lowest and the highest, else the commonest with their counts."""
    if not values:
        return f"{declared.fact} is unknown there"
    if declared.comparison is not Comparison.EQUALS:
        found = [value for value, _ in values]
        return f"{declared.fact} {declared.shown(min(found))} to {declared.shown(max(found))}"
    return ", ".join(f"{number} {declared.says(value)}" for value, number in values[:_COUNTED])


def _first(words: Sequence[str]) -> Sequence[str]:
    """As many as a message lists, and how many more there are."""
    return words if len(words) <= _COUNTED else [*words[:_COUNTED], f"{len(words) - _COUNTED} more"]


def _either(words: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
