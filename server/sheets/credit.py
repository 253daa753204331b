"""The credit of a document: who published it, under which licence, and the notices that the licence requires."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from server.dataset.record import Record

_NO_LICENCE: Final = "none is known; do not pass it on"


def render_credit(credit: Record) -> str:
    """A document's credit in Markdown, under a heading of the first level; it ends with a line break."""
    facts = (
        ("Publisher", credit["publisher"]),
        ("Authors", credit["author"]),
        ("Licence", credit["license"] or _NO_LICENCE),
        ("Published at", credit["permalink"]),
    )
    lines = [f"**{name}:** {value}" for name, value in facts if value]
    notices = [credit[name] for name in ("attribution", "copyright") if credit[name]]
    return "\n\n".join([f"# {credit['document_name']}", "  \n".join(lines), *notices]) + "\n"
