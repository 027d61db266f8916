"""Figures as SVG text: small, self-contained, every word in them escaped."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

# Told apart by the colour-blind (Okabe and Ito).
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#b8a900")
_WIDTH, _HEIGHT = 640, 360
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 28, 12, 44
_TICKS = 5


@dataclass(frozen=True, slots=True)
class Series:
    """A named line, or points where it is not joined; `tips` are shown on hovering."""

    name: str
    points: Sequence[tuple[float, float]]
    tips: Sequence[str] = ()
    is_joined: bool = True


@dataclass(frozen=True, slots=True)
class _Scale:
    """From values to pixels."""

    low: float
    high: float
    first: float
    last: float
    is_logarithmic: bool = False

    def __call__(self, value: float) -> float:
        low, high, value = map(self._bend, (self.low, self.high, value))
        share = (value - low) / (high - low) if high > low else 0.5
        return round(self.first + share * (self.last - self.first), 1)

    def _bend(self, value: float) -> float:
        return math.log(max(value, 1e-9)) if self.is_logarithmic else value


def chart(
    series: Sequence[Series],
    across: str,
    up: str,
    is_logarithmic: bool = False,
    ticks: Sequence[float] = (),
) -> str:
    """Lines or points with axes and a legend."""
    xs = [x for each in series for x, _ in each.points] or [0.0, 1.0]
    ys = [y for each in series for _, y in each.points] or [0.0, 1.0]
    margin = (max(ys) - min(ys)) * 0.08 or 0.05
    x_scale = _Scale(min(xs), max(xs), _LEFT, _WIDTH - _RIGHT, is_logarithmic)
    y_scale = _Scale(min(ys) - margin, max(ys) + margin, _HEIGHT - _BOTTOM, _TOP)
    parts = [_axes(x_scale, y_scale, across, up, ticks or _spread(min(xs), max(xs)))]
    for number, each in enumerate(series):
        parts.append(_draw(each, COLOURS[number % len(COLOURS)], x_scale, y_scale))
    legend = "".join(
        f'<li><span style="background:{COLOURS[number % len(COLOURS)]}"></span>'
        f"{escape(each.name)}</li>"
        for number, each in enumerate(series)
    )
    return f'{_svg("".join(parts), f"{up} against {across}")}<ul class="legend">{legend}</ul>'


def _svg(body: str, title: str, height: float = _HEIGHT) -> str:
    return (
        f'<svg viewBox="0 0 {_WIDTH} {height:g}" role="img" xmlns="http://www.w3.org/2000/svg">'
        f"<title>{escape(title)}</title>{body}</svg>"
    )


def _axes(x: _Scale, y: _Scale, across: str, up: str, ticks: Sequence[float]) -> str:
    bottom = _HEIGHT - _BOTTOM
    parts = []
    for value in _spread(y.low, y.high):
        at = y(value)
        ends = f'x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{at}" y2="{at}"'
        parts.append(f'<line class="grid" {ends}/>')
        parts.append(_text(_LEFT - 6, at + 4, _number(value), "end"))
    parts += [_text(x(value), bottom + 16, _number(value), "middle") for value in ticks]
    parts.append(_text((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 8, across, "middle"))
    middle = (_TOP + bottom) / 2
    parts.append(
        f'<text x="14" y="{middle}" text-anchor="middle" transform="rotate(-90 14 {middle})">'
        f"{escape(up)}</text>"
    )
    return "".join(parts)


def _draw(series: Series, colour: str, x: _Scale, y: _Scale) -> str:
    places = [(x(one), y(other)) for one, other in series.points]
    line = " ".join(f"{one},{other}" for one, other in places)
    parts = (
        [f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>']
        if series.is_joined and len(places) > 1
        else []
    )
    tips = series.tips or [series.name] * len(places)
    for (one, other), tip in zip(places, tips, strict=True):
        parts.append(
            f'<circle cx="{one}" cy="{other}" r="4" fill="{colour}">'
            f"<title>{escape(tip)}</title></circle>"
        )
    return "".join(parts)


def interval_bar(low: float, mean: float, high: float, least: float, most: float) -> str:
    """A mean with its interval, for a cell of a table."""
    scale = _Scale(least, most, 4, 156)
    return (
        '<svg class="bar" viewBox="0 0 160 16" role="img" xmlns="http://www.w3.org/2000/svg">'
        f"<title>{low:.1%} – {high:.1%}</title>"
        f'<line x1="{scale(low)}" x2="{scale(high)}" y1="8" y2="8" stroke="{COLOURS[0]}" '
        f'stroke-width="4" stroke-opacity="0.45"/>'
        f'<circle cx="{scale(mean)}" cy="8" r="4" fill="{COLOURS[0]}"/></svg>'
    )


def heat_map(values: Mapping[tuple[str, str], float], across: str, down: str) -> str:
    """The mean of a measure for every pair of two parameters' values."""
    columns = list(dict.fromkeys(column for column, _ in values))
    rows = list(dict.fromkeys(row for _, row in values))
    low, high = min(values.values()), max(values.values())
    width, height = (_WIDTH - 150) / max(len(columns), 1), 30
    parts = [_text(8, 16, f"{down} ↓   {across} →", "start")]
    for at, column in enumerate(columns):
        parts.append(_text(150 + (at + 0.5) * width, 32, column, "middle"))
    for down_at, row in enumerate(rows):
        y = 40 + down_at * height
        parts.append(_text(144, y + 19, row, "end"))
        for at, column in enumerate(columns):
            if (column, row) in values:
                parts.append(_cell(150 + at * width, y, width, values[column, row], low, high))
    return _svg("".join(parts), f"{down} and {across}", 48 + height * len(rows))


def _cell(x: float, y: float, width: float, value: float, low: float, high: float) -> str:
    share = (value - low) / (high - low) if high > low else 0.5
    return (
        f'<rect x="{x:.1f}" y="{y}" width="{width - 2:.1f}" height="28" fill="{COLOURS[0]}" '
        f'fill-opacity="{0.12 + 0.6 * share:.2f}"/>'
        + _text(x + width / 2, y + 19, f"{value:.1%}", "middle")
    )


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _spread(low: float, high: float) -> list[float]:
    """Round values between two."""
    if high <= low:
        return [low]
    step = 10 ** math.floor(math.log10((high - low) / _TICKS))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= _TICKS)
    first = math.ceil(low / step)
    return [round(at * step, 10) for at in range(first, math.floor(high / step) + 1)]


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 10 or value == int(value) else f"{value:g}"
