"""The charts of a page as SVG, as the site draws them: operating curve, tail, heat map, and A against B."""

from __future__ import annotations

import math
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from ioledger import report as look

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

WIDTH = 760
_STEPS = ((1, 1.5, 2, 3, 4, 5, 6, 8), (1, 2, 4), (1, 2, 5), (1, 3), (1,))
_ROOM, _ROW = 62, 26


class Drawing(str):
    """A chart as HTML, which a notebook shows."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(self)


class Dot(NamedTuple):
    """A place of a series: both values, its label, and a word beside it."""

    x: float
    y: float
    label: str
    word: str = ""


class Series(NamedTuple):
    """A line of dots with its name and the number of its symbol and colour; what is before is drawn in grey."""

    name: str
    dots: list[Dot]
    number: int
    is_stepped: bool = False
    is_before: bool = False

    @property
    def ink(self) -> str:
        """The colour of the line."""
        return "var(--ink-3)" if self.is_before else f"var(--m-{_kind(self.number)})"


class Cell(NamedTuple):
    """A cell of a heat map: row, column, value and label."""

    row: int
    column: int
    value: float
    label: str


class Quotient(NamedTuple):
    """A row of A against B: its name, the ratio with its ends, the verdict in words, and which colour it has."""

    name: str
    ratio: float
    low: float | None
    high: float | None
    verdict: str
    ink: str


class Scale:
    """A logarithmic scale from values to places."""

    def __init__(self, values: Sequence[float], start: float, end: float, *, least: float = 2.0) -> None:
        """Cover the values and a little more; at least ``least`` wide, as a ratio."""
        low, high = (min(values), max(values)) if values else (1.0, 1.0)
        if high / low < least:
            low, high = low / math.sqrt(least * low / high), high * math.sqrt(least * low / high)
        edge = (high / low) ** 0.04
        self.low, self.high, self.start, self.end = low / edge, high * edge, start, end

    def __call__(self, value: float) -> float:
        """Return the place of a value."""
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self, room: float = _ROOM) -> list[float]:
        """Return round numbers at least ``room`` apart: whole decades if those are enough, else finer ones."""
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        for steps in _STEPS:
            found = [float(f"{step * 10.0**power:.3g}") for power in powers for step in steps]
            found = [value for value in found if self.low <= value <= self.high]
            places = [self(value) for value in found]
            if all(abs(b - a) >= room for a, b in pairwise(places)):
                return found
        return [10.0 ** powers[len(powers) // 2]]


def draw_lines(series: Sequence[Series], titles: tuple[str, str], ticks: tuple[Callable[[float], str], ...]) -> Drawing:
    """Return lines over two logarithmic axes, each with the symbol and colour of its place in the order."""
    height, (left, right, top, bottom) = 420, (74, WIDTH - 20, 30, 372)
    dots = [dot for each in series for dot in each.dots]
    x, y = Scale([dot.x for dot in dots], left, right), Scale([dot.y for dot in dots], bottom, top)
    parts = [_text(left, 16, titles[1], "muted"), _text(right, height - 6, titles[0], "muted", "end")]
    for value in y.ticks(34):
        parts += [_line(left, y(value), right, y(value)), _text(left - 8, y(value) + 4, ticks[1](value), "tick", "end")]
    parts += _draw_axis(x, ticks[0], top, bottom)
    parts += [_draw_series(each, x, y) for each in series]
    return Drawing(draw_legend(series) + _chart(height, f"{titles[1]} / {titles[0]}", parts))


def _draw_axis(x: Scale, tick: Callable[[float], str], top: float, bottom: float) -> list[str]:
    places = [(x(value), tick(value)) for value in x.ticks()]
    lines = [
        (_line(place, top, place, bottom), _text(place, bottom + 18, text, "tick", "middle")) for place, text in places
    ]
    return [part for each in lines for part in each]


def _draw_series(series: Series, x: Scale, y: Scale) -> str:
    kind, ink = _kind(series.number), series.ink
    places = [(x(dot.x), y(dot.y)) for dot in series.dots]
    joints = [f"M{_n(places[0][0])},{_n(places[0][1])}"]
    joints += [f"H{_n(a)}V{_n(b)}" if series.is_stepped else f"L{_n(a)},{_n(b)}" for a, b in places[1:]]
    marks = [
        f'<g transform="translate({_n(a)},{_n(b)})"><title>{escape(f"{series.name}: {dot.label}")}</title>'
        f'<path d="{look.SYMBOLS[kind]}" fill="{ink}"/></g>'
        + (_text(a + 6, b - 6, dot.word, "word") if dot.word and not series.is_before else "")
        for (a, b), dot in zip(places, series.dots, strict=True)
    ]
    return f'<path d="{"".join(joints)}" fill="none" stroke="{ink}" stroke-width="1.75"/>{"".join(marks)}'


def draw_legend(series: Sequence[Series]) -> str:
    """Return the names of series with their symbols, as a list."""
    items = (
        f'<li><svg width="14" height="14" viewBox="-7 -7 14 14" aria-hidden="true">'
        f'<path d="{look.SYMBOLS[_kind(each.number)]}" fill="{each.ink}"/></svg> {escape(each.name)}</li>'
        for each in series
    )
    return f'<ul class="legend">{"".join(items)}</ul>'


def _kind(number: int) -> str:
    return look.SERIES[number % len(look.SERIES)]


def draw_heat_map(rows: Sequence[str], columns: Sequence[str], cells: Sequence[Cell], title: str) -> str:
    """Return a table of coloured cells; the shade is the logarithm of the value between the least and the most."""
    left, top, tall = 250, 44, 32
    wide = min(64.0, (WIDTH - left) / max(len(columns), 1))
    values = [math.log(cell.value) for cell in cells if cell.value > 0]
    low, high = (min(values), max(values)) if values else (0.0, 0.0)
    parts = [_text(left, 14, title, "muted")]
    parts += [_text(left + (i + 0.5) * wide, top - 8, name, "tick", "middle") for i, name in enumerate(columns)]
    parts += [_text(left - 8, top + (i + 0.62) * tall, name, "tick", "end") for i, name in enumerate(rows)]
    for cell in cells:
        share = (math.log(cell.value) - low) / (high - low) if high > low and cell.value > 0 else 0.5
        a, b = left + cell.column * wide, top + cell.row * tall
        shade = f"color-mix(in oklab,var(--accent) {round(8 + 44 * share)}%,var(--surface))"
        parts.append(
            f'<g><title>{escape(cell.label)}</title><rect x="{_n(a + 1)}" y="{_n(b + 1)}" width="{_n(wide - 2)}" '
            f'height="{tall - 2}" rx="3" style="fill:{shade}"/>'
            f"{_text(a + wide / 2, b + tall * 0.62, look.iops(cell.value, tight=True), 'cell', 'middle')}</g>"
        )
    return _chart(top + tall * len(rows) + 6, title, parts)


def draw_ratios(rows: Sequence[Quotient], margin: float, titles: tuple[str, str]) -> str:
    """Return quotients with their intervals on a logarithmic axis, and their verdicts; dashed lines are the margin."""
    left, right, top = 270, WIDTH - 190, 40
    bottom = top + _ROW * len(rows)
    ends = [each for row in rows for each in (row.low, row.ratio, row.high) if each is not None]
    x = Scale([1.0, 1 / margin, margin, *ends], left, right, least=1.2)
    parts = [_text(left, 14, titles[0], "muted"), _text(right, 14, titles[1], "muted", "end")]
    parts += _draw_axis(x, look.quotient, top, bottom)
    parts.append(_line(x(1), top - 6, x(1), bottom, "one"))
    parts += [_line(x(each), top - 6, x(each), bottom, "margin") for each in (1 / margin, margin)]
    for number, row in enumerate(rows):
        y, ink = top + (number + 0.5) * _ROW, f"var(--{row.ink})"
        interval = ""
        if row.low is not None and row.high is not None:
            interval = f'<path d="M{_n(x(row.low))},{_n(y)}H{_n(x(row.high))}" stroke="{ink}" stroke-width="2"/>'
        said, dot = f"{row.name}: {look.quotient(row.ratio)}", look.SYMBOLS["ssd_nvme"]
        parts.append(
            f"<g><title>{escape(said)}</title>{interval}"
            f'<path transform="translate({_n(x(row.ratio))},{_n(y)})" d="{dot}" fill="{ink}"/></g>'
        )
        parts += [_text(left - 10, y + 4, row.name, "tick", "end"), _text(right + 12, y + 4, row.verdict, "tick")]
    return _chart(bottom + 26, titles[1], parts)


def _chart(height: float, name: str, parts: Sequence[str]) -> str:
    return (
        f'<svg class="chart" role="img" aria-label="{escape(name)}" viewBox="0 0 {WIDTH} {_n(height)}" '
        f'width="{WIDTH}" height="{_n(height)}">{"".join(parts)}</svg>'
    )


def _text(x: float, y: float, text: str, kind: str, anchor: str = "start") -> str:
    return f'<text x="{_n(x)}" y="{_n(y)}" class="{kind}" text-anchor="{anchor}">{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str = "grid") -> str:
    return f'<path class="{kind}" d="M{_n(x1)},{_n(y1)}L{_n(x2)},{_n(y2)}"/>'


def _n(value: float) -> str:
    """Return a place with one decimal, as short as it can be."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text
