"""The kind of entities that a request is about, before any filter."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from server.library.message import Message, Named
from server.library.messages import not_among
from server.library.requests.kinds import CONTENT_TYPES, KINDS, kind_parameter
from server.library.requests.request import Request, RequestError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from server.library.arrays import Mask
    from server.library.catalogue import Catalogue

_ALL: Final = "all"


@dataclass(frozen=True, slots=True)
class Scope:
    """A set of entities.

    Attributes:
        kind: the tool's token for them (`weapon`, `condition`); None if it has none.
        noun: the word for them in messages.
        inside: bool[catalogue size]: the entities.
        groups: sets of entities (bool[catalogue size]) in which a name is matched separately.
        siblings: the parameter's other tokens → their entities (bool[catalogue size]).
        parameter: the tool's parameter that chose the kind; None if there is no choice.
    """

    kind: str | None
    noun: str
    inside: Mask
    groups: tuple[Mask, ...]
    siblings: dict[str, Mask]
    parameter: str | None = None


class Scopes:
    """The scopes of a catalogue, computed once."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._kinds = {
            (family, token): catalogue.of_kind(kind) for family, kinds in KINDS.items() for token, kind in kinds.items()
        }
        self._content_types = {_fold(token): types for token, types in CONTENT_TYPES.items()}

    def of(self, request: Request) -> Scope:
        """The scope of a request.

        Raises:
            RequestError: there is no such kind or content type.
        """
        if request.family == "all":
            return self._of_content(request.content_types)
        kinds = KINDS[request.family]
        token = _ALL if _ALL in kinds else None
        if request.kind is not None:
            token = "-".join(request.kind.casefold().replace("_", " ").split())
        parameter = kind_parameter(request.family)
        if token is None and None not in kinds:
            return self._of_family(request.family)
        if token not in kinds:
            raise RequestError(
                parameter, request.kind, not_among(parameter, request.kind, [str(valid) for valid in kinds])
            )
        inside = self._kinds[request.family, token]
        others = {str(t): self._kinds[request.family, t] for t in kinds if t not in {None, _ALL, token}}
        if token == _ALL:
            return Scope(token, kinds[token].noun, inside, tuple(others.values()), {}, parameter)
        return Scope(token, kinds[token].noun, inside, (inside,), others, parameter)

    def holding(self, rows: Sequence[int]) -> dict[tuple[str, str | None], list[int]]:
        """How to request some entities (catalogue rows): family, kind (None where it may be left out) → its rows."""
        held: dict[tuple[str, str | None], list[int]] = {}
        for (family, token), inside in self._kinds.items():
            whole = {None, _ALL} & KINDS[family].keys()
            if (not whole or token in whole) and (those := [row for row in rows if inside[row]]):
                held[family, None if whole else token] = those
        return held

    def _of_family(self, family: str) -> Scope:
        """All kinds of a family that has no token for all of them; a name is matched in each kind by itself."""
        groups = tuple(self._kinds[family, token] for token in KINDS[family])
        return Scope(None, f"{family.replace('_', ' ')}s", np.logical_or.reduce(groups), groups, {})

    def _of_content(self, tokens: tuple[str, ...] | None) -> Scope:
        if tokens is not None and not tokens:
            message = Message(Named("content_types"), " is empty: leave it out for all of them.")
            raise RequestError(parameter="content_types", value=[], message=message)
        for token in tokens or ():
            if _fold(token) not in self._content_types:
                message = not_among("content_types", token, list(CONTENT_TYPES))
                raise RequestError(parameter="content_types", value=token, message=message)
        wanted = [_fold(token) for token in tokens] if tokens else list(self._content_types)
        types = [entity_type for token in wanted for entity_type in self._content_types[token]]
        inside = self._catalogue.of_types(types)
        return Scope(None, "entries", inside, (inside,), {})


def _fold(token: str) -> str:
    return re.sub(r"[^a-z]", "", token.casefold())
