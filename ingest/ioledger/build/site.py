"""
The pages of a build: their frame, by the framework; what they show, from the database; then drawn, number pages beside.

The frame needs nothing of the database and takes one processor for 15 seconds, so a build starts it first and reads
files meanwhile. Source tree and data are made in a scratch folder beside the site, so that two builds never share one.
Between builds the packages of the browser (``tools/hermetic.mjs``), the reader (``tools/reader.mjs``), the fonts
(``tools/fonts.mjs``) and the frame (``site/data/frame.py``) are kept.

The lineage of every published number is a page, too: dbt's own documentation in one file, with the pages of the site as
dbt's exposures. It carries links for its makers' analytics; a Content-Security-Policy forbids every request. What dbt
says of the run is taken out, so that two builds give the same page. Five megabytes that show nothing without scripts
lie in it packed.
"""

from __future__ import annotations

import base64
import gzip
import os
import re
import shutil
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import msgspec

from ioledger.build import pages, start_program, tail
from ioledger.problems import Problem
from ioledger.system import scratch_folder
from ioledger.tables.schema import ROOT, marts, views

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ioledger.workspace import Workspace

SITE_CODE = ROOT / "observablehq.config.js"
SITE_LOG = "site.log"
"""What the programs that make the pages printed."""
RULE = "R-SITE-1"
FRAMEWORK = ROOT / "node_modules" / "@observablehq" / "framework" / "dist" / "bin" / "observable.js"
REASON = re.compile(r"site/\S+: |site/\S+ line \d+: |(Unexpected |\w*)[Ee]rror: ")
LINEAGE = Path("lineage", "index.html")
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data:; "
    "font-src data:; connect-src 'none'; form-action 'none'; base-uri 'none'"
)
PROJECT = "ioledger"
STATED = ("dbt_schema_version", "dbt_version", "project_name", "adapter_type")
"""What is kept of what dbt says of a run; the rest is its time, its id, and whoever ran it."""
OF_A_RUN = ("build_path", "compiled_path", "created_at")
"""What dbt says of every model and test that is another in the next run."""
LEVEL = 6
"""Of gzip: level 9 takes twice the time for one percent."""
PACKED = """<!doctype html><html lang=en><head><meta http-equiv="Content-Security-Policy" content="{policy}">\
<meta charset=utf-8><title>{title}</title><body><noscript>This page needs scripts.</noscript><script>
const packed = Uint8Array.from(atob("{text}"), (sign) => sign.charCodeAt(0));
new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).text()
  .then((page) => {{ document.open(); document.write(page); document.close(); }});
</script>
"""
"""The page as it is served: what shows the lineage, packed, and what unpacks it. The policy holds for both."""


class Site:
    """The pages of one build, from the start of the framework to the end."""

    def __init__(self, data: Path, made: Path, dist: Path, *, anew: bool = False) -> None:
        """Take the folders: ``data`` has the submissions, ``made`` will have the database, and ``dist`` the pages."""
        self._brought, _, self.problems = pages.load_pages(ROOT / "site")
        self._data, self._made, self._dist = data, made, dist
        self.frame = "--new-frame" if anew else "--frame"
        self._open = ExitStack()
        self._log: list[str] = []

    def __enter__(self) -> Self:
        """Start the framework."""
        if not self.problems:
            self._dist.parent.mkdir(parents=True, exist_ok=True)
            self._aside = self._open.enter_context(scratch_folder(self._dist.parent))
            self._variables = _variables(self._data, self._made, self._dist, self._aside)
            self._framed = self._start([make_command(self._aside, self.frame)])
        return self

    def __exit__(self, *error: object) -> None:
        """End what still runs."""
        self._open.close()

    def build(self, printed: Path | None = None) -> tuple[list[Problem], str]:
        """Complete the pages, now that the database is there; return what is wrong, and what was built in words."""
        if self.problems:
            return self.problems, ""
        public = self._aside / "public"
        rows = [make_command(self._aside, part) for part in ("--pages", "--machine", "--numbers")]
        reader = _node("tools/reader.mjs", public)
        problems = self._wait(self._start([*rows, reader])) or self._wait(self._framed)
        if not problems:
            drawn = _node("tools/finish.mjs", self._aside, self._dist)
            numbers = _node("site/numbers/write.mjs", self._aside / "numbers", public)
            card = _node("tools/card.mjs", public / "data" / "card.json", public / "card.png")
            last = self._start([drawn, numbers, card])
            if is_documented(self._made / "dbt"):
                publish_lineage(self._made / "dbt", self._dist, self._brought)
            problems = self._wait(last)
        if printed:
            printed.write_text("".join(self._log), encoding="utf-8")
        if problems:
            return problems, ""
        _merge(public, self._dist)
        return [], f"{sum(1 for _ in self._dist.rglob('*.html')):,} pages"

    def _start(self, commands: list[list[str]]) -> list[subprocess.Popen[str]]:
        return [self._open.enter_context(start_program(command, self._variables)) for command in commands]

    def _wait(self, programs: list[subprocess.Popen[str]]) -> list[Problem]:
        """Wait for programs; return a problem for each that failed, and add what they printed to the log."""
        problems = []
        for program in programs:
            output, errors = program.communicate()
            self._log.append(output + errors)
            if program.returncode:
                lines = [line.strip() for line in errors.splitlines()]
                reason = next((line for line in lines if REASON.match(line)), "")  # not the stack of calls around it
                what = reason or tail(f"{output}\n{errors}", program.returncode)
                remedy = "Look at the page, query or script it names under site/."
                problems.append(Problem("site", "", what, remedy, RULE))
        return problems


def make_command(aside: Path, part: str) -> list[str]:
    """Return the command that writes a part of what the site is made of into a scratch folder."""
    return [sys.executable, str(ROOT / "site" / "data" / "write.py"), str(aside), part]


def _node(script: str, *places: Path) -> list[str]:
    return ["node", str(ROOT / script), *map(str, places)]


def _merge(public: Path, dist: Path) -> None:
    """Move what is served as it is beside the pages; both lie on one disk."""
    for path in sorted(public.iterdir()):
        place = dist / path.name
        if path.is_dir() and place.is_dir():
            _merge(path, place)
        else:
            shutil.move(path, place)


def preview(place: Workspace) -> int:
    """Serve the pages with live reload, and the files beside them, until interrupted; return the exit code."""
    command = _node("tools/preview.mjs")
    with scratch_folder(place.folder) as aside:
        environment = {**os.environ, **_variables(place.data, place.build, place.dist, aside)}
        return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode  # noqa: S603


def _variables(*folders: Path) -> dict[str, str]:
    """Return the folders of a build as the programs that make the pages are told them."""
    names = ("DATA", "BUILD", "DIST", "SCRATCH")
    return {f"IOLEDGER_{name}": str(path.absolute()) for name, path in zip(names, folders, strict=True)}


def is_documented(documentation: Path) -> bool:
    """Tell whether a folder has the documents of the lineage; dbt writes them for a build with a site only."""
    return all((documentation / name).is_file() for name in ("index.html", "manifest.json", "catalog.json"))


def publish_lineage(documentation: Path, site: Path, brought: Iterable[pages.Page]) -> Path:
    """Write dbt's documentation, with these pages in it, into a built site; return its page."""
    manifest, catalog = (
        msgspec.json.decode((documentation / f"{name}.json").read_bytes()) for name in ("manifest", "catalog")
    )
    add_exposures(manifest, brought)
    describe_columns(manifest)
    text = (documentation / "index.html").read_text(encoding="utf-8")
    # As `dbt docs generate --static` does it, which would write 5 MB that nobody reads.
    for name, document in (("MANIFEST", manifest), ("CATALOG", catalog)):
        _forget_run(document)
        shown = msgspec.json.encode(document, order="sorted").decode()
        text = text.replace(f'"{name}.JSON INLINE DATA"', shown, 1)
    packed = base64.b64encode(gzip.compress(text.replace(str(ROOT), ".").encode(), LEVEL, mtime=0)).decode()
    page = site / LINEAGE
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(PACKED.format(policy=POLICY, title=f"{PROJECT}: lineage", text=packed), encoding="utf-8")
    return page


def _forget_run(document: dict[str, Any]) -> None:
    """Take what is of one run only out of a document of dbt's."""
    document["metadata"] = {key: value for key, value in document["metadata"].items() if key in STATED}
    for kind in document.values():
        for node in kind.values() if isinstance(kind, dict) else ():
            if isinstance(node, dict):
                for key in OF_A_RUN:
                    node.pop(key, None)
                depends = node.get("depends_on") or {}
                for names in (*depends.values(), node.get("sources"), node.get("refs")):  # in the order of a set
                    if isinstance(names, list):
                        names.sort(key=msgspec.json.encode)


def add_exposures(manifest: dict[str, Any], brought: Iterable[pages.Page]) -> None:
    """Add the pages that read marts to dbt's manifest, as dbt writes exposures, and to its maps of who reads whom."""
    for page in brought:
        if not page.marts:
            continue
        address = page.path.removesuffix("index")
        name = "page_" + (address.strip("/").replace("/", "_").replace("-", "_") or "home")
        key, nodes = f"exposure.{PROJECT}.{name}", [f"model.{PROJECT}.{mart}" for mart in page.marts]
        manifest["exposures"][key] = {
            "name": name,
            "resource_type": "exposure",
            "package_name": PROJECT,
            "path": page.file,
            "original_file_path": page.file,
            "unique_id": key,
            "fqn": [PROJECT, name],
            "type": "dashboard",
            "owner": {"email": None, "name": "The ioledger contributors"},
            "description": page.description,
            "label": "Home" if address == "/" else page.title,
            "maturity": "high",
            "meta": {},
            "tags": [],
            "config": {"enabled": True, "tags": [], "meta": {}},
            "url": address,
            "depends_on": {"macros": [], "nodes": nodes},
        }
        manifest["parent_map"][key] = nodes
        manifest["child_map"][key] = []
        for node in nodes:
            manifest["child_map"][node] = sorted([*manifest["child_map"][node], key])


def describe_columns(manifest: dict[str, Any]) -> None:
    """Add to the columns of every mart and view in dbt's manifest what ``schemas`` says of them."""
    for table in (*marts().values(), *views().values()):
        described = manifest["nodes"].get(f"model.{PROJECT}.{table.name}", {}).get("columns", {})
        for column in table.columns:
            if column.name in described:
                described[column.name]["description"] = column.description
