"""Results as one page: the look of the site, every result with its place, and nothing that reaches out."""

from __future__ import annotations

import html
import json
import re
import subprocess
from html.parser import HTMLParser
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

import gated
import ioledger
from conftest import COMMAND, FIXTURES
from ioledger import report as look
from ioledger.cli import main
from ioledger.problems import one_line
from ioledger.report import LANGUAGES, Words, page, pictures
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from pathlib import Path

REPORT = FIXTURES / "submission" / "report.json"
SITE = ROOT / "site"
NUMBERS = (0, 1, 2.5, 9.995, 99.95, 123.456, 999.5, 1234, 12345.678, 99950, 1e6, 2.5e9, 0.0321, 1 / 3, -5, 4096, 1.005)
TIMES = (1e-6, 7.8e-5, 0.0139, 1.25, 9.995e-4, 1e-3, 5e-7, 12)
SIZES = (512, 4096, 65536, 1 << 20, 1536, 5000, 1 << 30)
OF_THE_SITE = """
import "./tools/dom.mjs";
import * as format from "./site/components/format.js";
import {palette, symbolPath} from "./site/components/marks.js";
const [numbers, times, sizes] = JSON.parse(process.argv[1]);
console.log(JSON.stringify({
  iops: numbers.map((value) => format.iops(value)), tight: numbers.map((value) => format.iops(value, {tight: true})),
  tick: numbers.map(format.tick), throughput: numbers.map((value) => format.throughput(value)),
  quotient: numbers.map(format.quotient), latency: times.map((value) => format.latency(value)),
  latency_tick: times.map(format.latencyTick), block_size: sizes.map(format.blockSize),
  symbols: Object.fromEntries(Object.keys(palette).map((id) => [id, symbolPath(id, 64)])),
  palette: Object.fromEntries(Object.entries(palette).map(([id, {light, dark}]) => [id, [light, dark]]))
}));
"""


def test_colours_symbols_and_numbers_are_those_of_the_site() -> None:
    """The site's own modules are asked: every symbol, colour, ink and format, with numbers at the edges of rounding."""
    asked = json.dumps([NUMBERS, TIMES, SIZES])
    command = ["node", "--input-type=module", "-e", OF_THE_SITE, asked]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603
    assert json.loads(done.stdout) == {
        "iops": [look.iops(value) for value in NUMBERS],
        "tight": [look.iops(value, tight=True) for value in NUMBERS],
        "tick": [look.tick(value) for value in NUMBERS],
        "throughput": [look.throughput(value) for value in NUMBERS],
        "quotient": [look.quotient(value) for value in NUMBERS],
        "latency": [look.latency(value) for value in TIMES],
        "latency_tick": [look.latency_tick(value) for value in TIMES],
        "block_size": [look.block_size(value) for value in SIZES],
        "symbols": look.SYMBOLS,
        "palette": {name: list(colours) for name, colours in look.PALETTE.items()},
    }
    text = (SITE / "styles" / "base.css").read_text(encoding="utf-8")
    inks = {name: (light, dark) for name, light, dark in re.findall(r"--([\w-]+): light-dark\((\S+), (\S+)\);", text)}
    assert {name: inks[name] for name in look.INKS} == look.INKS


def test_both_languages_say_the_same_and_the_words_of_the_site_are_its_own() -> None:
    """The same keys with the same values in braces; verdicts and axes as the site says them."""
    texts = {name: _json(f"ingest/ioledger/report/{name}.json") for name in LANGUAGES}
    braces = {name: {key: set(re.findall(r"{\w+}", text)) for key, text in texts[name].items()} for name in LANGUAGES}
    assert braces["en"] == braces["ja"]
    for name in LANGUAGES:
        site = _json(f"site/messages/{name}.json")
        for own, theirs in (
            ("verdict.better", "verdict.b_faster"), ("verdict.worse", "verdict.a_faster"),
            ("verdict.equal", "verdict.equal"), ("verdict.undecided", "verdict.undecided"),
            ("axis.iops", "axis.iops"), ("axis.latency_mean", "axis.latency_mean"),
            ("axis.queue_depth", "axis.queue_depth"),
        ):  # fmt: skip
            assert texts[name][own].replace("{margin}", "5") == site[theirs], (name, own)


def _json(path: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((ROOT / path).read_text(encoding="utf-8"))
    return found


class _Page(HTMLParser):
    """The elements of a page with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with five runs of four points, a report of another tool's kind, and what is no result."""
    made = gated.side(tmp_path_factory.mktemp("page") / "runs", enumerate(gated.rates(5, 0.01, 1)))
    (made / "mixed.json").write_bytes(REPORT.read_bytes())
    (made / "cut.json").write_text('{"fio version": "fio-3.36", "jobs": [', encoding="utf-8")
    return made


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_result_stands_in_the_page_with_its_file_hash_and_place(folder: Path, language: str) -> None:
    """And what was not read, with the reason."""
    text = html.unescape(page.make_page([str(folder)], language).html)
    measured = ioledger.read(folder)
    for row in measured.results.to_pylist():
        assert f'<td class="name">{row["source_path"]}</td><td class="name">{row["source_pointer"]}</td>' in text
        assert f'<td class="hash">{row["source_sha256"]}</td>' in text
    assert text.count(f'<td class="name">{folder / "cut.json"}</td>') >= 1
    words = Words(language)
    assert [words(name) in text for name in ("curve", "tail", "heat", "rows", "files")] == [True] * 5
    assert f'<html lang="{language}">' in text


def test_the_page_runs_nothing_and_loads_nothing(folder: Path) -> None:
    """No script, no handler, no address; the policy that says so comes before anything else that could ask."""
    text = page.make_page([str(folder)], "en").html
    found = _Page(text)
    tags = {tag for tag, _ in found.elements}
    assert not tags & {"script", "link", "img", "iframe", "object", "embed", "base", "form", "a", "use", "image"}
    names = {name for _, attributes in found.elements for name in attributes}
    assert not {name for name in names if name.startswith("on")} | names & {"href", "src", "srcset", "xlink:href"}
    assert "url(" not in text
    assert "@import" not in text
    metas = [attributes for tag, attributes in found.elements if tag == "meta"]
    assert metas[1] == {"http-equiv": "Content-Security-Policy", "content": page.POLICY}
    assert page.POLICY == "default-src 'none'; style-src 'unsafe-inline'"


def test_names_of_strangers_are_shown_as_they_are(tmp_path: Path) -> None:
    """Markup in a name is text, and a sequence of a terminal is its escape."""
    odd = tmp_path / "<script>alert(1)<!--\x1b[31m"
    gated.side(odd, enumerate(gated.rates(1, 0.01, 1)))
    text = page.make_page([str(odd)], "en").html
    assert "<script" not in text
    assert "&lt;script&gt;alert(1)&lt;!--\\x1b[31m" in text
    assert "\x1b" not in text


def test_two_folders_are_compared_as_a_gate_does(tmp_path: Path) -> None:
    """A against B with an interval for each point, and one verdict; the same words in the picture and the table."""
    slow = [{depth: 0.8 * rate for depth, rate in rates.items()} for rates in gated.rates(5, 0.005, 2)]
    sides = gated.paired(tmp_path, gated.rates(5, 0.005, 1), slow)
    text = page.make_page([str(side) for side in sides], "en").html
    assert '<p class="answer">A faster</p>' in text
    assert (
        len(re.findall(r"<td class=\"name\">random read, 4 KiB, \d</td><td class=\"num\">0.(?:79|80|81)</td>", text))
        == 4
    )
    blocks = gated.blocks(tmp_path / "blocks", gated.rates(5, 0.005, 1), slow)
    assert "The order of the runs does not exclude a drift" in page.make_page([str(side) for side in blocks], "en").html
    assert "Before in grey, after in colour." in text
    assert text.count('stroke="var(--ink-3)" stroke-width="1.75"') == 2, "one line of each chart is the side before"


def test_what_is_said_of_the_order_is_said_of_runs_that_are_there(tmp_path: Path) -> None:
    """Runs without a time are not called blocks; logs alone have no order; without a depth there is no "None"."""
    sides = gated.blocks(tmp_path / "undated", gated.rates(5, 0.005, 1), gated.rates(5, 0.005, 2))
    logs = [tmp_path / name for name in ("first", "second")]
    for place, folder in enumerate((*sides, *logs)):
        folder.mkdir(exist_ok=True)
        (folder / "run_lat.1.log").write_text(f"10, 500{place}, 0, 4096, 0\n", encoding="utf-8")
    for path in (path for side in sides for path in side.glob("*.json")):
        report = json.loads(path.read_bytes())
        report = {name: value for name, value in report.items() if not name.startswith("time")}
        for job in report["jobs"]:
            del job["job options"]["iodepth"]
        path.write_text(json.dumps(report), encoding="utf-8")
    undated = page.make_page([str(side) for side in sides], "en").html
    assert "The order of the runs does not exclude a drift" in undated
    assert "not every run states when it ran" in undated
    assert "None" not in undated
    alone = page.make_page([str(folder) for folder in logs], "en").html
    assert '<p class="answer">unreadable</p>' in alone
    assert "does not exclude a drift" not in alone
    assert "Before in grey" not in alone


def test_a_comparison_says_all_that_a_gate_says_of_the_same_sides(tmp_path: Path) -> None:
    """What is unreadable or moved nothing is not dropped: the gate's sentence, problems and notes stand in the page."""
    sides = gated.paired(tmp_path, gated.rates(5, 0.005, 1), gated.rates(5, 0.005, 2))
    broken = sides[1] / "001.json"
    report = json.loads(broken.read_bytes())
    report["jobs"][1]["read"] |= {"iops": 0.0, "total_ios": 0, "io_bytes": 0, "io_kbytes": 0, "bw_bytes": 0, "bw": 0}
    broken.write_text(json.dumps(report), encoding="utf-8")
    for answer in ("undecided", "unreadable"):
        text = html.unescape(page.make_page([str(side) for side in sides], "en").html)
        verdict = ioledger.gate(*sides)
        assert f'<p class="answer">{answer}</p>' in text
        said = [verdict.sentence[:1].upper() + verdict.sentence[1:], *verdict.problems, *verdict.notes()]
        assert [each for each in said if f"<li>{one_line(each)}</li>" not in text] == []
        assert len(said) > 2
        (sides[1] / "cut.json").write_text('{"fio version": "fio-3.36", "jobs": [', encoding="utf-8")


def test_a_page_is_never_written_over_a_result(tmp_path: Path) -> None:
    """Nor over an input by a link; an earlier page below the folder is written anew."""
    made = gated.side(tmp_path / "runs", enumerate(gated.rates(2, 0.01, 1)))
    kept = (made / "000.json").read_bytes()
    (tmp_path / "link.html").symlink_to(made / "000.json")
    own = made / "index.html"
    for output, code in ((made / "000.json", 2), (tmp_path / "link.html", 2), (own, 0), (own, 0)):
        done = CliRunner().invoke(main, ["report", str(made), "-o", str(output)])
        assert done.exit_code == code, done.output
    assert (made / "000.json").read_bytes() == kept


def test_a_scale_has_round_ticks_with_room_between_them() -> None:
    """Within its range, whatever the range is."""
    for low, high in ((1.0, 1.01), (3.0, 700.0), (1e-6, 10.0), (5.0, 5.0)):
        scale = pictures.Scale([low, high], 0, 600)
        ticks = scale.ticks()
        places = [scale(value) for value in ticks]
        assert ticks
        assert all(later - earlier >= 62 for earlier, later in pairwise(places))
        assert all(scale.low <= value <= scale.high for value in ticks) or len(ticks) == 1


def test_the_command_writes_the_page_or_says_why_not(folder: Path, tmp_path: Path) -> None:
    """Exit code 1 for what cannot be read, which is told, and for a folder that is not there; 2 for three of them."""

    def call(*arguments: Any) -> subprocess.CompletedProcess[str]:  # noqa: ANN401  (names and paths)
        command = [str(COMMAND), "report", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603

    runs = gated.side(tmp_path / "runs", enumerate(gated.rates(3, 0.01, 1)))
    done = call(runs, "-o", tmp_path / "one.html", "--language", "ja")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{tmp_path / 'one.html'}\n", "")
    assert (tmp_path / "one.html").read_text(encoding="utf-8") == page.make_page([str(runs)], "ja").html
    partly = call(folder, "-o", tmp_path / "partly.html")
    assert (partly.returncode, partly.stderr.count("\n")) == (1, 1)
    assert f"{folder / 'cut.json'}:" in partly.stderr
    assert (tmp_path / "partly.html").read_text(encoding="utf-8") == page.make_page([str(folder)], "en").html
    missing = call(tmp_path / "nowhere", "-o", tmp_path / "two.html")
    assert (missing.returncode, "[R-FILE-8]" in missing.stderr) == (1, True)
    assert call(folder, folder, folder, "-o", tmp_path / "two.html").returncode == 2
    assert not (tmp_path / "two.html").exists()
