"""HTML from Python: plain text is escaped, its invisible characters made visible; `Html` is markup and stays.

A template language would be one more dependency of every installation, for a handful of pages; functions are checked by
the type checker, and escaping cannot be forgotten.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final, TypeAlias

from server.dataset.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_VOID: Final = frozenset({"br", "hr", "input", "link", "meta"})


class Html(str):
    """Markup, as distinct from text."""

    __slots__ = ()


Child: TypeAlias = "str | Html | Iterable[Child] | None"
Attribute: TypeAlias = "str | int | bool | None"


def markup(*children: Child) -> Html:
    """The children, one after the other, as markup: text is escaped, None is left out."""
    return Html("".join(_pieces(children)))


def element(name: str, /, *children: Child, **attributes: Attribute) -> Html:
    """An element.

    Args:
        name: such as `p`.
        children: texts, elements, and iterables of them.
        attributes: by name, with `_` for hyphens and a trailing one after Python keywords: `class_`, `aria_label`.
            True is an attribute without a value; False and None leave it out.
    """
    written = "".join(_attribute(key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items())
    return Html(f"<{name}{written}>" if name in _VOID else f"<{name}{written}>{markup(children)}</{name}>")


def _attribute(name: str, value: Attribute) -> str:
    if value is None or value is False:
        return ""
    return f" {name}" if value is True else f' {name}="{escape(str(value))}"'


def _pieces(children: Iterable[Child]) -> Iterator[str]:
    for child in children:
        if isinstance(child, Html):
            yield child
        elif isinstance(child, str):
            yield escape(printable(child))
        elif child is not None:
            yield from _pieces(child)
