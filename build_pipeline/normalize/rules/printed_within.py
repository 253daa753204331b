"""Texts of other sources that the book prints inside one of its rules, where the sources divide its chapters otherwise.

"Objects" in Open5e is the end of the book's "Breaking Objects", which is inside its "Objects"; "Damage Threshold" is a
paragraph of "Statistics for Objects".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from build_pipeline.normalize.merging.draft import Draft, Reference
from build_pipeline.normalize.rules.outline import squash
from server.dataset.names import normalize_name

_BOOK: Final = "srd"
_LEAST_LETTERS: Final = 150
"""Shorter texts may be in a rule by chance."""


@dataclass(frozen=True, slots=True)
class _Printed:
    draft: Draft
    letters: str


def placed_in_book(drafts: list[Draft]) -> Iterator[Draft]:
    """The drafts; a text that is inside a rule of its book is recognised as that rule, or put below it.

    It is that rule if the book has another rule of its name: else there would be two of that name. The smallest rule
    that has the text counts.
    """
    book: dict[str, list[_Printed]] = defaultdict(list)
    names, marks = set[tuple[str, str]](), set[tuple[str, str]]()
    for draft in drafts:
        if draft.source == _BOOK and draft.entity_type == "rule":
            book[draft.document_key].append(_Printed(draft, squash(draft.facts.get("description") or "")))
            names.add((draft.document_key, normalize_name(draft.name)))
            marks.update((draft.document_key, mark) for mark in draft.marks)
    renamed: dict[tuple[str, str], tuple[str, ...]] = {}
    for draft in drafts:
        own = {(draft.document_key, mark) for mark in draft.marks}
        if draft.source != _BOOK and draft.entity_type == "rule" and not own & marks:
            host = _host(draft, book[draft.document_key])
            if host is not None and (draft.document_key, normalize_name(draft.name)) not in names:
                draft.facts["parent"] = Reference(("rule",), host.name, host.raw[0])
            elif host is not None and normalize_name(host.name) != normalize_name(draft.name):
                renamed |= dict.fromkeys(own, host.marks)
    for draft in drafts:
        # The other sources have the text under the same mark, some without its words.
        same = (renamed.get((draft.document_key, mark)) for mark in draft.marks)
        draft.marks = next(filter(None, same), draft.marks)
        yield draft


def _host(draft: Draft, printed: Iterable[_Printed]) -> Draft | None:
    letters = squash(draft.facts.get("description") or "")
    if len(letters) < _LEAST_LETTERS:
        return None
    holding = [each for each in printed if letters in each.letters]
    return min(holding, key=lambda each: len(each.letters)).draft if holding else None
