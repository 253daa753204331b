"""Strict JSON parsing that keeps the exact text of each object on a page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from server.dataset.strict_json import finite

_SPACE: Final = " \t\n\r"
"""What JSON counts as white space."""


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
        items: the elements of the answer if it is a list, otherwise of its list `results` if it has one.
    """

    whole: Item
    items: tuple[Item, ...]


def parse_page(body: bytes) -> JsonPage:
    """Parse an answer's body.

    Stricter than `json.loads`: no NaN, no byte-order mark, no lone surrogates, no duplicate keys in an object (which
    would lose a value).

    Raises:
        NotJsonError: the body is not such JSON.
    """
    try:
        text = body.decode("utf-8")
        value = _DECODER.decode(text)
        return JsonPage(Item(value, text.strip(_SPACE)), tuple(_items(body, value)))
    except UnicodeDecodeError as error:
        msg = f"not UTF-8: {error.reason} at byte {error.start}"
        raise NotJsonError(msg) from error
    except json.JSONDecodeError as error:
        msg = f"not JSON: {error.msg} at character {error.pos} of {len(error.doc)}; it begins {error.doc[:40]!r}"
        raise NotJsonError(msg) from error
    except msgspec.DecodeError as error:
        msg = f"not JSON: {error}"
        raise NotJsonError(msg) from error
    except RecursionError as error:
        msg = "not JSON that can be read: nested too deeply"
        raise NotJsonError(msg) from error
    except NotJsonError:
        raise
    except ValueError as error:
        msg = f"not JSON that can be read: {error}"
        raise NotJsonError(msg) from error


def _items(body: bytes, value: Any) -> Iterator[Item]:
    """The elements of a parsed answer, each with its text as msgspec slices it from the body."""
    if isinstance(value, dict) and isinstance(value.get("results"), list):
        value, body = value["results"], bytes(msgspec.json.decode(body, type=dict[str, msgspec.Raw])["results"])
    if isinstance(value, list):
        texts = msgspec.json.decode(body, type=list[msgspec.Raw])
        yield from (Item(item, bytes(text).decode()) for item, text in zip(value, texts, strict=True))


def _unique_members(members: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(members)
    if len(unique) != len(members):
        keys = [key for key, _ in members]
        twice = next(key for key in keys if keys.count(key) > 1)
        msg = f"the key {twice!r} occurs twice in one object"
        raise NotJsonError(msg)
    return unique


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_unique_members, parse_constant=finite, parse_float=finite)
