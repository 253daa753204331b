"""Set or remove one table in a TOML text; all else stays, including comments: what `json_edit` does for JSON.

tomlkit is imported only where a TOML file is edited: only one client has one.
"""

from __future__ import annotations

from typing import Any

from server.clients.json_edit import EditError


def get_member(text: str, outer: str, name: str) -> object:
    """The value of `name` in the table `outer`; None if there is none.

    Raises:
        EditError: the text is not TOML, or `outer` is not a table.
    """
    return _parsed(text, outer)[1].get(name)


def set_member(text: str, outer: str, name: str, value: dict[str, Any]) -> str:
    """Set keys of the table `name` in the table `outer`, adding either if it is missing.

    Raises:
        EditError: the text is not TOML, or `outer` is not a table.
    """
    import tomlkit  # noqa: PLC0415

    document, table = _parsed(text, outer)
    if outer not in document:
        document[outer] = table
    if name in table:
        table[name].update(value)
    else:
        table[name] = value
    return tomlkit.dumps(document)


def remove_member(text: str, outer: str, name: str) -> str:
    """Remove `name`, which must be there, from the table `outer`.

    Raises:
        EditError: the text is not TOML, or `outer` is not a table.
    """
    import tomlkit  # noqa: PLC0415

    document, table = _parsed(text, outer)
    del table[name]
    return tomlkit.dumps(document)


def _parsed(text: str, outer: str) -> tuple[Any, Any]:
    """The document, and its table `outer`: a new one, not yet in the document, if it has none."""
    import tomlkit  # noqa: PLC0415
    from tomlkit.exceptions import ParseError  # noqa: PLC0415

    try:
        document = tomlkit.parse(text)
    except ParseError as error:
        msg = f"it is not TOML ({error})"
        raise EditError(msg) from error
    table = document.get(outer, tomlkit.table(is_super_table=True))
    if not isinstance(table, dict):
        msg = f"its {outer!r} is not a table"
        raise EditError(msg)
    return document, table
