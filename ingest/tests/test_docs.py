"""What the documents tell a reader to type works."""

from __future__ import annotations

import os
import re
import runpy
import signal
import subprocess
import sys
import time
import urllib.request
from typing import TYPE_CHECKING

import pytest

from ioledger.tables.schema import ROOT
from ioledger.workspace import VARIABLE

if TYPE_CHECKING:
    from pathlib import Path

BLOCK = re.compile(r"^ *```sh\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
SHOWN = re.compile(r"^```console\n\$ (.+)\n((?:(?!\$ |```).*\n)+)```", re.MULTILINE)
PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
LEFT_OUT = "…"
"""A line of a document that stands for lines of the output which it does not show."""
IN_CI = {"npm run build", "npm test"}
SERVERS = {"npm start"}
DOCS = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))
LONGEST = {"README.md": 160, "CONTRIBUTING.md": 250} | dict.fromkeys(DOCS, 200)
"""Lines that a reader can be asked to read."""
MAX_DECISIONS = 40
PICTURE, PICTURE_BYTES = ROOT / ".github" / "home.png", 150_000


def _text(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")


def _commands(document: str) -> list[str]:
    return [line.strip() for block in BLOCK.findall(_text(document)) for line in block.splitlines() if line.strip()]


EVERY = sorted({command for document in ("README.md", "CONTRIBUTING.md", *DOCS) for command in _commands(document)})


def _run(command: str, workspace: Path) -> subprocess.CompletedProcess[str]:
    """Run a command as it is pasted, at the root of the checkout; what is built is the tests' own dataset."""
    return subprocess.run(  # noqa: S603
        ["bash", "-c", command],  # noqa: S607
        cwd=ROOT, capture_output=True, text=True, check=False, env=os.environ | {VARIABLE: str(workspace)},
    )  # fmt: skip


@pytest.mark.pipeline
@pytest.mark.parametrize("command", [command for command in EVERY if command not in IN_CI | SERVERS])
def test_a_command_in_the_documents_runs(command: str, sample: Path) -> None:
    """Pasted as it stands, it ends with 0 and prints something."""
    done = _run(command, sample)
    assert done.returncode == 0, done.stderr
    assert done.stdout + done.stderr


@pytest.mark.pipeline
@pytest.mark.parametrize(("command", "shown"), SHOWN.findall(_text("README.md")))
def test_a_command_in_the_readme_prints_what_is_shown(command: str, shown: str, sample: Path) -> None:
    """Line by line and in this order; lines may be left out only where the document says so."""
    done = _run(command, sample)
    printed = "\n".join(line.rstrip() for line in (done.stdout + done.stderr).splitlines())
    parts = [part.strip("\n") for part in f"\n{shown}".split(f"\n{LEFT_OUT}\n")]
    assert re.fullmatch("(?s:.+)".join(map(re.escape, parts)), printed), printed


@pytest.mark.pipeline
@pytest.mark.parametrize(
    ("document", "example"), [(each, code) for each in ("README.md", *DOCS) for code in PYTHON.findall(_text(each))]
)
def test_python_in_the_documents_runs(document: str, example: str, sample: Path) -> None:
    """At the root of a checkout that is built."""
    code = example.replace("build/", f"{sample.as_posix()}/build/")
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    assert (done.returncode, bool(done.stdout)) == (0, True), (document, done.stderr)


@pytest.mark.parametrize("document", LONGEST)
def test_a_document_is_short(document: str) -> None:
    """Whoever needs more finds it in a document of its own."""
    assert len(_text(document).splitlines()) <= LONGEST[document]


def test_the_readme_has_a_small_picture_three_outputs_and_the_two_commands_that_ci_runs() -> None:
    """A page on a slow line shows it at once; reading a file, comparing runs, asking the database."""
    assert PICTURE.stat().st_size < PICTURE_BYTES
    assert [command.split()[1] for command, _ in SHOWN.findall(_text("README.md"))] == ["parse", "gate", "sql"]
    assert set((ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()) >= IN_CI


def test_every_document_is_linked_from_the_readme_and_has_its_japanese() -> None:
    """With the same headings, in number; what is generated has one text for both."""
    readme = _text("README.md")
    assert [document for document in DOCS if f"({document})" not in readme] == []
    english = {document for document in DOCS if "/ja/" not in document} - {"docs/manifest.md"}
    assert {document.replace("docs/", "docs/ja/") for document in english} == {each for each in DOCS if "/ja/" in each}
    for document in english:
        counts = {_text(each).count("\n## ") for each in (document, document.replace("docs/", "docs/ja/"))}
        assert len(counts) == 1, document


@pytest.mark.parametrize("name", ["statistics", "gate"])
def test_a_chapter_of_the_site_is_its_document(name: str) -> None:
    """Every word of the document is in a block; headings have one anchor in both languages; no Markdown is left."""
    blocks = runpy.run_path(str(ROOT / "site" / "data" / "documents.py"))["chapter"](name)
    anchors = [
        [block["anchor"] for block in blocks if "anchor" in block and block["language"] == of] for of in ("en", "ja")
    ]
    assert anchors[0] == anchors[1] != []
    shown = " ".join(str(block.get("text") or block["rows"]) for block in blocks if block["language"] == "en")
    text = re.sub(r"^```.*$", "", _text(f"docs/{name}.md"), flags=re.MULTILINE)
    words = re.findall(r"[A-Za-z]{4,}", text)
    assert [word for word in words if word not in shown] == []
    assert not re.search(r"```|^#|\n- ", shown)


@pytest.mark.pipeline
def test_npm_start_serves_the_site_and_says_where() -> None:
    """The address that is printed answers with the home page."""
    environment = {**os.environ, "PORT": "0"}
    command = ["npm", "start", "--silent"]
    with subprocess.Popen(  # noqa: S603
        command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=environment, start_new_session=True
    ) as server:
        try:
            assert server.stdout is not None
            deadline, line = time.monotonic() + 60, ""
            while "http://" not in line and time.monotonic() < deadline:
                line = server.stdout.readline()
            address = re.search(r"http://\S+", line)
            assert address, "no address was printed"
            with urllib.request.urlopen(address[0].rstrip("/") + "/") as page:  # noqa: S310
                assert "ioledger" in page.read().decode()
        finally:
            os.killpg(server.pid, signal.SIGTERM)


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md", "DECISIONS.md", "CHANGELOG.md", *DOCS])
def test_links_in_the_documents_lead_somewhere(document: str) -> None:
    """A relative link names a file of the repository, or a heading of the same document."""
    text = _text(document)
    targets = [target for target in re.findall(r"\]\(([^)#\s]+)", text) if "://" not in target]
    assert [target for target in targets if not (ROOT / document).parent.joinpath(target).exists()] == []
    written = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    headings = {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in written}  # GitHub's anchors
    assert [anchor for anchor in re.findall(r"\]\(#([^)]+)\)", text) if anchor not in headings] == []


DOCUMENTS = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (*ROOT.glob("*.md"), *ROOT.glob("*/README.md"), *ROOT.glob("docs/**/*.md"))
)
CODE = sorted(
    path.relative_to(ROOT).as_posix()
    for room, kinds in {
        "ingest": ("py",),
        "tools": ("py", "mjs"),
        "bench": ("py",),
        "site": ("py", "js", "mjs"),
    }.items()
    for kind in kinds
    for path in (ROOT / room).rglob(f"*.{kind}")
    if ".observablehq" not in path.parts
)
ROOMS = "ingest|models|schemas|site|tools|bench|data|tests"
FUNCTION = re.compile(r"`(\w+)` in `(ingest/[^`]+)`")
PATH = re.compile(rf"`((?:{ROOMS})/[^\s`]+)`")
"""A path of this project in backticks; what a build makes (``build/``, ``dist/``) need not be there."""
NAMED_SO = re.compile(r"<[a-z_]+>")
"""A part that stands for any name."""


@pytest.mark.parametrize("document", [*DOCUMENTS, *CODE])
def test_a_path_in_backticks_is_there(document: str) -> None:
    """Files and rooms move; what names them moves along."""
    text = (ROOT / document).read_text(encoding="utf-8")
    named = {NAMED_SO.sub("*", path).rstrip("/") for path in PATH.findall(text)}
    assert sorted(path for path in named if not any(ROOT.glob(path.replace("[", "[[]")))) == []


def test_decisions_are_numbered_dated_and_listed() -> None:
    """In the order of their days; the list at the top has every heading, and they are few enough to read."""
    text = _text("DECISIONS.md")
    headings = re.findall(r"^## (\d+)\. (.+)\n\*(\d{4}-\d\d-\d\d)\.\*", text, re.MULTILINE)
    assert 0 < len(headings) == text.count("\n## ") <= MAX_DECISIONS
    assert [int(number) for number, _, _ in headings] == [*range(1, len(headings) + 1)]
    assert [day for *_, day in headings] == sorted(day for *_, day in headings)
    assert re.findall(r"^\d+\. \[(.+)\]\(#", text, re.MULTILINE) == [what for _, what, _ in headings]


def test_a_function_that_a_document_names_is_in_its_file() -> None:
    """The page of the architecture says where each number is computed."""
    named = {found for document in DOCUMENTS for found in FUNCTION.findall(_text(document))}
    assert named
    assert [(name, path) for name, path in sorted(named) if f"\ndef {name}(" not in _text(path)] == []
