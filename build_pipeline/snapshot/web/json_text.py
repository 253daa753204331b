"""JSON as received: parsed strictly, with the exact text of each object that a page holds."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Final, NoReturn

_SPACE: Final = re.compile(r"[ \t\n\r]*")


class NotJsonError(ValueError):
    """A text is not strict JSON; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Item:
    """A value inside a page.

    Attributes:
        value: the parsed value.
        text: its text in the page, character for character.
    """

    value: Any
    text: str


@dataclass(frozen=True, slots=True)
class JsonPage:
    """A parsed answer.

    Attributes:
        whole: the answer itself.
        items: the elements of the answer if it is a list, of its `results` if it is an object that has such a list.
    """

    whole: Item
    items: tuple[Item, ...]


def parse_page(body: bytes) -> JsonPage:
    """Parse an answer's body.

    Stricter than `json.loads`: no NaN, no byte-order mark, no key twice in one object (it would lose a value).

    Raises:
        NotJsonError: the body is not that.
    """
    try:
        return _parse(body.decode("utf-8"))
    except UnicodeDecodeError as error:
        msg = f"not UTF-8: {error.reason} at byte {error.start}"
        raise NotJsonError(msg) from error
    except json.JSONDecodeError as error:
        msg = f"not JSON: {error.msg} at character {error.pos} of {len(error.doc)}; it begins {error.doc[:40]!r}"
        raise NotJsonError(msg) from error
    except RecursionError as error:
        msg = "not JSON that can be read: nested too deeply"
        raise NotJsonError(msg) from error


def _parse(text: str) -> JsonPage:
    start = _skip_space(text, 0)
    items: list[Item] = []
    value: Any
    if text.startswith("[", start):
        items, end = _list_at(text, start)
        value = [item.value for item in items]
    elif text.startswith("{", start):
        value, items, end = _object_at(text, start)
    else:
        value, end = _DECODER.raw_decode(text, start)
    if _skip_space(text, end) != len(text):
        msg = "text after the end"
        raise json.JSONDecodeError(msg, text, end)
    return JsonPage(Item(value, text[start:end]), tuple(items))


def _object_at(text: str, start: int) -> tuple[dict[str, Any], list[Item], int]:
    """The object that begins at `start`, the items of its `results`, and where it ends."""
    members: list[tuple[str, Any]] = []
    items: list[Item] = []
    position = _skip_space(text, start + 1)
    while not text.startswith("}", position):
        if members:
            position = _expect(",", text, position)
        if not text.startswith('"', position):
            msg = "expected a key in double quotes"
            raise json.JSONDecodeError(msg, text, position)
        key, position = _DECODER.raw_decode(text, position)
        position = _expect(":", text, position)
        if key == "results" and text.startswith("[", position):
            items, position = _list_at(text, position)
            members.append((key, [item.value for item in items]))
        else:
            value, position = _DECODER.raw_decode(text, position)
            members.append((key, value))
        position = _skip_space(text, position)
    return _unique_members(members), items, position + 1


def _list_at(text: str, start: int) -> tuple[list[Item], int]:
    """The elements of the list that begins at `start`, and where it ends."""
    items: list[Item] = []
    position = _skip_space(text, start + 1)
    while not text.startswith("]", position):
        if items:
            position = _expect(",", text, position)
        value, end = _DECODER.raw_decode(text, position)
        items.append(Item(value, text[position:end]))
        position = _skip_space(text, end)
    return items, position + 1


def _expect(mark: str, text: str, position: int) -> int:
    """The position of the next value after `mark`."""
    position = _skip_space(text, position)
    if not text.startswith(mark, position):
        msg = f"expected {mark!r}"
        raise json.JSONDecodeError(msg, text, position)
    return _skip_space(text, position + 1)


def _skip_space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _unique_members(members: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(members)
    if len(unique) != len(members):
        keys = [key for key, _ in members]
        twice = next(key for key in keys if keys.count(key) > 1)
        msg = f"the key {twice!r} occurs twice in one object"
        raise NotJsonError(msg)
    return unique


def _refuse_constant(name: str) -> NoReturn:
    msg = f"{name} is no JSON number"
    raise NotJsonError(msg)


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_unique_members, parse_constant=_refuse_constant)
