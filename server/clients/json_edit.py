"""Set or remove one member in a JSON text; every other character stays, including comments and trailing commas."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_DECODER: Final = json.JSONDecoder()
_NOT_JSON: Final = re.compile(r'("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_TRAILING_COMMA: Final = re.compile(r'("(?:\\.|[^"\\\n])*")|,(?=\s*[}\]])')
_INDENT: Final = re.compile(r"^([ \t]+)\S", re.MULTILINE)


class EditError(ValueError):
    """The text cannot be edited: it is not JSON, or has something other than an object where there must be one."""


@dataclass(frozen=True, slots=True)
class _Member:
    """A member of an object: its name, the offset of the name, and the offsets of its value's start and end."""

    name: str
    start: int
    value: int
    end: int


def get_member(text: str, outer: str, name: str) -> object:
    """The value of member `name` of the object `outer` of the root object; None if there is none.

    Raises:
        EditError: the text is not JSON, or the root or `outer` is not an object.
    """
    root = _parsed(_plain(text)) if text.strip() else {}
    inner = root.get(outer, {})
    _check_object(inner, outer)
    return inner.get(name)


def set_member(text: str, outer: str, name: str, value: object) -> str:
    """Set member `name` of the object `outer` of the root object, adding either if it is missing.

    Raises:
        EditError: the text is not JSON, or the root or `outer` is not an object.
    """
    if not text.strip():
        return json.dumps({outer: {name: value}}, indent=2, ensure_ascii=False) + "\n"
    plain = _plain(text)
    _check_object(_parsed(plain).get(outer, {}), outer)
    root = plain.index("{")
    found = _member(plain, root, outer)
    if found is None:
        return _inserted(text, plain, root, outer, {name: value})
    own = _member(plain, found.value, name)
    if own is None:
        return _inserted(text, plain, found.value, name, value)
    return text[: own.value] + _written(text, own.start, value) + text[own.end :]


def remove_member(text: str, outer: str, name: str) -> str:
    """Remove member `name` of the object `outer` of the root object; the text is unchanged if there is none.

    Raises:
        EditError: the text is not JSON, or the root or `outer` is not an object.
    """
    if get_member(text, outer, name) is None:
        return text
    plain = _plain(text)
    found = _member(plain, plain.index("{"), outer)
    if found is None:
        return text
    members = list(_members(plain, found.value))
    at = max(index for index, member in enumerate(members) if member.name == name)
    if at:
        start, end = members[at - 1].end, members[at].end
    elif len(members) > 1:
        start, end = members[0].start, members[1].start
    else:
        start, end = found.value + 1, members[0].end
    return text[:start] + text[end:]


def _plain(text: str) -> str:
    """The text as strict JSON of the same length: comments and trailing commas become blanks."""
    without_comments = _NOT_JSON.sub(_blanked, text)
    return _TRAILING_COMMA.sub(_blanked, without_comments)


def _blanked(match: re.Match[str]) -> str:
    return match[1] or re.sub(r"[^\n]", " ", match[0])


def _parsed(plain: str) -> dict[str, Any]:
    try:
        root = json.loads(plain)
    except ValueError as error:
        msg = f"it is not JSON ({error})"
        raise EditError(msg) from error
    _check_object(root, "")
    return root  # type: ignore[no-any-return]


def _check_object(value: object, name: str) -> None:
    if not isinstance(value, dict):
        msg = f"{f'its {name!r}' if name else 'its content'} is not an object"
        raise EditError(msg)


def _members(plain: str, start: int) -> Iterator[_Member]:
    """The members of the object whose brace is at `start`."""
    at = _after_space(plain, start + 1)
    while plain[at] != "}":
        name, end = _DECODER.raw_decode(plain, at)
        value = _after_space(plain, _after_space(plain, end) + 1)  # past the colon
        _, end = _DECODER.raw_decode(plain, value)
        yield _Member(name, at, value, end)
        at = _after_space(plain, end)
        if plain[at] == ",":
            at = _after_space(plain, at + 1)


def _member(plain: str, start: int, name: str) -> _Member | None:
    """The last member of that name, which is the one that counts."""
    return next((member for member in reversed(list(_members(plain, start))) if member.name == name), None)


def _after_space(plain: str, at: int) -> int:
    while plain[at].isspace():
        at += 1
    return at


def _inserted(text: str, plain: str, start: int, name: str, value: object) -> str:
    """The text with a member appended to the object whose brace is at `start`."""
    members = list(_members(plain, start))
    if members:
        last = members[-1]
        one_line = "\n" not in text[start : last.start]
        gap = " " if one_line else "\n" + _indent_at(text, last.start)
        return text[: last.end] + f",{gap}{_named(text, last.start, name, value)}" + text[last.end :]
    outer = _indent_at(text, start)
    written = json.dumps({name: value}, indent=_unit(text), ensure_ascii=False)[1:-1].rstrip()
    inside = text[start + 1 : _after_space(plain, start + 1)].rstrip()
    end = _after_space(plain, start + 1)
    return text[: start + 1] + inside + written.replace("\n", "\n" + outer) + "\n" + outer + text[end:]


def _named(text: str, at: int, name: str, value: object) -> str:
    return f"{json.dumps(name)}: {_written(text, at, value)}"


def _written(text: str, at: int, value: object) -> str:
    """A value as JSON, in the text's own indentation, nested below the line of `at`."""
    return json.dumps(value, indent=_unit(text), ensure_ascii=False).replace("\n", "\n" + _indent_at(text, at))


def _unit(text: str) -> str:
    found = _INDENT.search(text)
    return found[1] if found else "  "


def _indent_at(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip())]
