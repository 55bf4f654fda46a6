"""
One page from a folder of results, or from two that are compared: pictures, then every result with its file and place.

It is a pure function of the files. The policy in its head lets it load nothing and run no script, whatever names and
texts of strangers stand in it.
"""

from __future__ import annotations

import math
from html import escape
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, NamedTuple

from ioledger import __version__, loading
from ioledger import report as look
from ioledger.comparison import Change
from ioledger.gating import points
from ioledger.gating.run import Asked, compare_sides
from ioledger.loading.parse import TABLES
from ioledger.problems import one_line
from ioledger.report import Words, pictures
from ioledger.report.pictures import Cell, Dot, Quotient, Series
from ioledger.tables import MARKED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from ioledger.gating.points import Point, Run
    from ioledger.gating.verdict import Verdict
    from ioledger.loading import Measurement
    from ioledger.problems import Problem

    Percentiles = dict[str, dict[float, float]]

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
MAX_SERIES = len(look.SERIES)
"""More lines than there are symbols are not told apart; those with the highest rates are drawn."""
MOST_QUOTIENTS = 60
IOPS, LATENCY = "operations_per_second", "latency_mean_seconds"
_TAIL = 0.99
_COLUMNS = tuple(
    f"column.{name}" for name in ("file", "place", "load", "depth", "iops", "throughput", "mean", "p99", "sha256")
)
_NUMBERS = frozenset({"depth", "iops", "throughput", "mean", "p99", "ratio", "interval"})
"""Columns of figures, to the right."""
_CLASSES = {"sha256": "hash", **dict.fromkeys(("file", "place", "why", "side", "load"), "name")}
"""Columns of long words, which break but not into single letters."""
_INKS = {Change.BETTER: "good", Change.WORSE: "bad", Change.EQUAL: "ink-2"}


class Mean(NamedTuple):
    """A point with the geometric means of its runs, and their number."""

    point: Point
    rate: float
    latency: float | None
    runs: list[Run]


class Page(NamedTuple):
    """The page as HTML, and what kept files from being read, which the page tells too."""

    html: str
    problems: list[Problem]


def make_page(folders: Sequence[str], language: str) -> Page:
    """Return the page of one folder, file or archive, or of two; raises FileNotFoundError when one is not there."""
    words = Words(language)
    taken = [list(loading.read_chunks(folder, TABLES)) for folder in folders]
    read = [loading.of_chunks(chunks) for chunks in taken]
    sides = [points.collect_side(folder, chunks) for folder, chunks in zip(folders, taken, strict=True)]
    known = _collect_percentiles(read)
    verdict = compare_sides(sides[0], sides[1], Asked()) if len(sides) > 1 else None
    means = _average_points(sides[-1].points)
    earlier = _average_points(sides[0].points) if verdict else []
    drawn = f"<p>{escape(words('charts'))}</p>" if earlier and means else ""
    counts = {
        "files": sum(row == "read" for each in read for row in each.files["status"].to_pylist()),
        "results": sum(each.results.num_rows for each in read),
        "points": len({point for side in sides for point in side.points}),
    }
    parts = [
        f'<p class="lede">{escape(words("lede", **counts))}</p>',
        _compare(verdict, words) if verdict else "",
        drawn,
        _draw_curves(means, earlier, words),
        _draw_tails(means, earlier, known, words),
        _draw_heat_map(means, words),
        _list_results(folders, read, known, words),
        _list_reasons("files", read, words),
        _list_reasons("findings", read, words),
        f"<footer><p>{escape(words('nothing'))}</p><p>{escape(words('made', version=__version__))}</p></footer>",
    ]
    heading = f"{words('title')}: {' / '.join(map(one_line, folders))}"
    text = _make_document(heading, language, "\n".join(filter(None, parts)))
    return Page(text, [problem for side in sides for problem in side.problems])


def _average_points(side: dict[Point, list[Run]]) -> list[Mean]:
    found = []
    for point, runs in side.items():
        rate, latency = (_average([run.values[name] for run in runs]) for name in (IOPS, LATENCY))
        if rate is not None:
            found.append(Mean(point, rate, latency, runs))
    return found


def _average(values: Iterable[float | None]) -> float | None:
    known = [math.log(value) for value in values if value is not None and value > 0]
    return math.exp(math.fsum(known) / len(known)) if known else None


def _group_by_load(means: Sequence[Mean]) -> dict[Point, list[Mean]]:
    """Return points by their load, the fastest load first, each by depth; those without a depth are left out."""
    found: dict[Point, list[Mean]] = {}
    for mean in means:
        if mean.point.queue_depth is not None:
            found.setdefault(mean.point._replace(queue_depth=None), []).append(mean)
    for each in found.values():
        each.sort(key=lambda mean: mean.point.queue_depth or 0)
    return dict(sorted(found.items(), key=lambda item: -max(mean.rate for mean in item[1])))


def _make_figure(question: str, picture: str, note: str) -> str:
    drawn = f'<div class="wide">{picture}</div><figcaption>{escape(note)}</figcaption>'
    return f"<figure><h2>{escape(question)}</h2>{drawn}</figure>"


def _draw_curves(means: Sequence[Mean], earlier: Sequence[Mean], words: Words) -> str:
    """Return how IOPS and latency grow with the depth; of two sides the one before in grey."""
    before = _group_by_load(earlier)
    loads = {load: (before.get(load, []), after) for load, after in _group_by_load(means).items()}
    dots = {
        load: [
            [
                Dot(each.rate, each.latency, _describe_mean(each, words), str(each.point.queue_depth))
                for each in side
                if each.latency
            ]
            for side in sides
        ]
        for load, sides in loads.items()
    }
    titles = (words("axis.iops"), words("axis.latency_mean"))
    return _draw_lines("curve", dots, titles, (look.tick, look.latency_tick), words)


def _draw_lines(  # noqa: PLR0913
    name: str,
    loads: Mapping[Point, Sequence[list[Dot]]],
    titles: tuple[str, str],
    ticks: tuple[Callable[[float], str], ...],
    words: Words,
    *,
    is_stepped: bool = False,
) -> str:
    """Return a chart of lines: of each load the dots before, which may be none, and those after."""
    series = []
    for number, (load, sides) in enumerate(list(loads.items())[:MAX_SERIES]):
        called = words.load(load)
        names = (words("before", load=called), called)
        series += [
            Series(each, dots, number, is_stepped, is_before)
            for each, dots, is_before in zip(names, sides, (True, False), strict=True)
            if dots
        ]
    return (
        _make_figure(words(name), pictures.draw_lines(series, titles, ticks), words(f"{name}_note")) if series else ""
    )


def _describe_mean(mean: Mean, words: Words) -> str:
    runs = f"{words('column.runs')} {len(mean.runs)}"
    depth = f"{words('column.depth')} {mean.point.queue_depth}"
    return f"{depth}; {look.iops(mean.rate)} IOPS; {look.latency(mean.latency)}; {runs}"


def _collect_percentiles(read: Sequence[Measurement]) -> Percentiles:
    """Return the latencies of each result by share of operations: total ones, and completion where there are none."""
    found: Percentiles = {}
    for kind in ("completion", "total"):
        for row in (row for each in read for row in each.percentiles.to_pylist()):
            if row["latency_kind"] == kind and 0 < row["percentile_ratio"] < 1 and row["latency_seconds"]:
                found.setdefault(row["result_id"], {})[row["percentile_ratio"]] = row["latency_seconds"]
    return found


def _draw_tails(means: Sequence[Mean], earlier: Sequence[Mean], known: Percentiles, words: Words) -> str:
    """Return the percentiles of each load at its fastest depth; of two sides the one before in grey, at that depth."""
    before = {mean.point: mean for mean in earlier}
    dots = {}
    for load, each in _group_by_load(means).items():
        best = max(each, key=lambda mean: mean.rate)
        dots[load] = [_place_tail_dots(mean, known, words) if mean else [] for mean in (before.get(best.point), best)]
    titles = (words("axis.latency"), words("axis.share"))
    ticks = (look.latency_tick, lambda share: f"{100 * share:.6g} %")
    return _draw_lines("tail", dots, titles, ticks, words, is_stepped=True)


def _place_tail_dots(mean: Mean, known: Percentiles, words: Words) -> list[Dot]:
    """Return the percentiles that all runs of a point have, as latency and the share that takes longer."""
    runs = [known[run.result_id] for run in mean.runs if run.result_id in known]
    dots = []
    for ratio in sorted(set.intersection(*(set(one) for one in runs)) if runs else ()):
        latency = _average(one[ratio] for one in runs)
        if latency is not None:
            depth = f"{words('column.depth')} {mean.point.queue_depth}"
            dots.append(Dot(latency, 1 - ratio, f"{depth}; {100 * ratio:.10g} %: {look.latency(latency)}"))
    return dots


def _draw_heat_map(means: Sequence[Mean], words: Words) -> str:
    loads = _group_by_load(means)
    depths = sorted({mean.point.queue_depth or 0 for cell_means in loads.values() for mean in cell_means})
    if not loads:
        return ""
    names = [words.load(load) for load in loads]
    cells = [
        Cell(row, depths.index(mean.point.queue_depth or 0), mean.rate, f"{names[row]}; {_describe_mean(mean, words)}")
        for row, cell_means in enumerate(loads.values())
        for mean in cell_means
    ]
    picture = pictures.draw_heat_map(names, [str(depth) for depth in depths], cells, words("axis.queue_depth"))
    return _make_figure(words("heat"), picture, words("heat_note"))


def _compare(verdict: Verdict, words: Words) -> str:
    margin = f"{100 * verdict.margin:g}"
    rows = [
        Quotient(
            ", ".join(filter(None, (words.load(row.point), str(row.point.queue_depth or ""), row.apart))),
            row.ratio, row.low, row.high,
            words(f"verdict.{row.change.value}", margin=margin), _INKS.get(row.change, "ink-3"),
        )
        for row in verdict.points
        if row.point is not None and row.ratio is not None
    ]  # fmt: skip
    said = words("verdict.unreadable" if verdict.problems else f"verdict.{verdict.change.value}", margin=margin)
    sentences = [verdict.sentence[:1].upper() + verdict.sentence[1:], *verdict.problems, *verdict.notes()]
    listed = "".join(f"<li>{escape(one_line(each))}</li>" for each in sentences)
    head = f'<p class="answer">{escape(said)}</p>'
    if verdict.points and not verdict.layout.excludes_order:
        head += f"<p>{escape(words('order'))}</p>"
    head += f'<p>{escape(words("gate"))}</p><ul lang="en">{listed}</ul>'
    if not rows:
        return f"<section><h2>{escape(words('versus'))}</h2>{head}</section>"
    titles = (words("verdict.worse"), words("verdict.better"))
    picture = pictures.draw_ratios(rows[:MOST_QUOTIENTS], 1 + verdict.margin, titles)
    note = words("versus_note", level=f"{100 * (1 - verdict.alpha):g}")
    ends = [(row.low, row.high) for row in rows]
    intervals = ["" if None in each else look.NONE.join(map(look.quotient, each)) for each in ends]
    cells = [(row.name, look.quotient(row.ratio), each, row.verdict) for row, each in zip(rows, intervals, strict=True)]
    columns = ("column.load", "column.ratio", "column.interval", "column.verdict")
    return _make_figure(words("versus"), f"{head}{picture}", note) + _make_table(columns, cells, words)


def _list_results(folders: Sequence[str], read: Sequence[Measurement], known: Percentiles, words: Words) -> str:
    """Return every result with what stands behind it."""
    is_pair = len(folders) > 1
    found = []
    for folder, each in zip(folders, read, strict=True):
        for row in each.results.to_pylist():
            point = points.make_point(row)
            side = [one_line(folder)] if is_pair else []
            place = [one_line(row["source_path"]), one_line(row["source_pointer"])]
            asked = [words.load(point), "" if point.queue_depth is None else str(point.queue_depth)]
            rates = [look.iops(row[IOPS]), look.throughput(row["throughput_bytes_per_second"])]
            times = [look.latency(row[LATENCY]), look.latency(known.get(row["result_id"], {}).get(_TAIL))]
            found.append([*side, *place, *asked, *rates, *times, row["source_sha256"]])
    columns = [*(["column.side"] if is_pair else []), *_COLUMNS]
    table = _make_table(columns, found, words)
    return f"<section><h2>{escape(words('rows'))}</h2>{table}<p>{escape(words('legend'))}</p></section>"


def _list_reasons(heading: str, read: Sequence[Measurement], words: Words) -> str:
    """Return a section of the files that were not read, or of the findings, with what is wrong with them."""
    names = {
        "files": ("path", "member_path", "reason", "rule_id"),
        "findings": ("source_path", "source_pointer", "message", "rule_id"),
    }[heading]
    rows = [row for each in read for row in getattr(each, heading).to_pylist() if row.get("status") != "read"]
    cells = [[one_line(row[name] or "") for name in names] for row in rows]
    columns = ("column.file", "column.place", "column.why", "column.rule")
    return f"<section><h2>{escape(words(heading))}</h2>{_make_table(columns, cells, words)}</section>" if rows else ""


def _make_table(columns: Sequence[str], rows: Sequence[Sequence[str]], words: Words) -> str:
    head = "".join(f'<th scope="col">{escape(words(name))}</th>' for name in columns)
    names = [name.removeprefix("column.") for name in columns]
    kinds = ["num" if name in _NUMBERS else _CLASSES.get(name, "") for name in names]
    starts = [f'<td class="{kind}">' if kind else "<td>" for kind in kinds]
    body = "".join(
        f"<tr>{''.join(f'{start}{escape(cell)}</td>' for start, cell in zip(starts, row, strict=True))}</tr>"
        for row in rows
    )
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _make_document(heading: str, language: str, body: str) -> str:
    """Return the whole page, with the inks and colours of the site, light and dark as the reader's system is."""
    named = {**look.INKS, **{f"m-{name}": pair for name, pair in look.PALETTE.items()}}
    colours = "".join(f"--{name}:light-dark({light},{dark});" for name, (light, dark) in named.items())
    template = Template(Path(__file__).with_name("page.html").read_text(encoding="utf-8"))
    heading = escape(heading)
    return template.substitute(
        policy=POLICY, language=language, heading=heading, colours=colours, body=body, mark=MARKED
    )
