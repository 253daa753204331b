"""A line chart with two logarithmic axes, as SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import ceil, floor, log10
from typing import Final

Points = Sequence[tuple[float, float]]

_WIDTH: Final = 720
_HEIGHT: Final = 420
_LEFT: Final = 70
_RIGHT: Final = 190
"""Includes room for the names of the lines."""
_EDGE: Final = 40
_COLOURS: Final = ("#3b6fb6", "#c8553d", "#2f855a", "#8250a8", "#b7791f", "#4a5568")
_STYLE: Final = 'font-family="sans-serif" font-size="12"'
_LEADING: Final = 15
"""Minimum distance in pixels between the names of two lines."""


class _Plane:
    """Maps values to positions: the axes cover whole decades, from the left and from the bottom."""

    def __init__(self, points: Points) -> None:
        (self.left, self.right), (self.bottom, self.top) = (_decades([p[axis] for p in points]) for axis in (0, 1))

    def x(self, value: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * (log10(value) - self.left) / (self.right - self.left)

    def y(self, value: float) -> float:
        return _HEIGHT - _EDGE - (_HEIGHT - 2 * _EDGE) * (log10(value) - self.bottom) / (self.top - self.bottom)


def drawing(lines: Mapping[str, Points], across: str, upwards: str, limit: float) -> str:
    """An SVG document.

    Args:
        lines: name → points (x, y), all positive.
        across: label of the x axis.
        upwards: label of the y axis.
        limit: a value of y that gets a dashed line.
    """
    plane = _Plane([point for points in lines.values() for point in points])
    right = _WIDTH - _RIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" {_STYLE}>',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
    ]
    for decade in range(plane.left, plane.right + 1):
        x = plane.x(10.0**decade)
        parts.append(f'<path d="M{x:.1f} {_EDGE}V{_HEIGHT - _EDGE}" stroke="#ddd"/>')
        parts.append(_text(x, _HEIGHT - _EDGE + 18, f"{10**decade:,}", "middle"))
    for decade in range(plane.bottom, plane.top + 1):
        y = plane.y(10.0**decade)
        parts.append(f'<path d="M{_LEFT} {y:.1f}H{right}" stroke="#ddd"/>')
        parts.append(_text(_LEFT - 8, y + 4, f"{10.0**decade:,g}", "end"))
    y = plane.y(limit)
    parts.append(f'<path d="M{_LEFT} {y:.1f}H{right}" stroke="#888" stroke-dasharray="5 4"/>')
    parts.append(_text(_LEFT + 6, y - 5, f"{limit:g}", "start"))
    parts += [_text(right, _HEIGHT - 6, across, "end"), _text(_LEFT - 8, _EDGE - 16, upwards, "start")]
    free = float(_HEIGHT)
    highest_last = sorted(zip(lines.items(), _COLOURS, strict=False), key=lambda line: line[0][1][-1][1])
    for (name, points), colour in highest_last:
        corners = " ".join(f"{plane.x(x):.1f},{plane.y(y):.1f}" for x, y in points)
        free = min(plane.y(points[-1][1]) + 4, free - _LEADING)
        parts.append(f'<polyline points="{corners}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(_text(right + 8, free, name, "start", colour))
    return "\n".join([*parts, "</svg>", ""])


def _decades(values: Sequence[float]) -> tuple[int, int]:
    """The powers of ten that enclose the values."""
    first = floor(log10(min(values)))
    return first, max(first + 1, ceil(log10(max(values))))


def _text(x: float, y: float, text: str, anchor: str, colour: str = "#333") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{escape(text)}</text>'
