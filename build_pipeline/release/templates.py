"""Rendering of the texts that come with a dataset, from Jinja templates in `templates/`."""

from __future__ import annotations

from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup, escape

_ENVIRONMENT: Final = Environment(
    loader=PackageLoader("build_pipeline.release"),
    autoescape=select_autoescape(enabled_extensions=("html.j2",), default=False),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)


def _cell(value: object) -> str:
    """Text for one cell of a Markdown table."""
    return " ".join(str(value).split()).replace("|", "\\|")


def _number(value: int) -> str:
    return f"{value:,}"


def _ticks(text: str) -> Markup:
    """HTML of a text with `code` between backticks."""
    parts = [
        Markup("<code>{}</code>").format(part) if n % 2 else escape(part) for n, part in enumerate(text.split("`"))
    ]
    return Markup("").join(parts)


_ENVIRONMENT.filters.update(cell=_cell, number=_number, ticks=_ticks)


def render(name: str, **values: Any) -> str:
    """Render a template; values in HTML are escaped."""
    return _ENVIRONMENT.get_template(name).render(**values)
