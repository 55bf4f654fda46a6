"""What the documents tell a reader to type works."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest

from ioledger.tables.schema import ROOT
from ioledger.workspace import VARIABLE

BLOCK = re.compile(r"^ *```sh\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
IN_CI = {"npm run build", "npm test"}
SERVERS = {"npm start"}


def _commands(document: str) -> list[str]:
    text = (ROOT / document).read_text(encoding="utf-8")
    return [line.strip() for block in BLOCK.findall(text) for line in block.splitlines() if line.strip()]


EVERY = sorted({*_commands("README.md"), *_commands("CONTRIBUTING.md")})


@pytest.mark.pipeline
@pytest.mark.parametrize("command", [command for command in EVERY if command not in IN_CI | SERVERS])
def test_a_command_in_the_documents_runs(command: str, sample: Path) -> None:
    """Pasted as it stands, it ends with 0 and prints something; what is built is the tests' own dataset."""
    done = subprocess.run(  # noqa: S603
        ["bash", "-c", command],  # noqa: S607
        cwd=ROOT, capture_output=True, text=True, check=False, env=os.environ | {VARIABLE: str(sample)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout + done.stderr


def test_the_two_commands_run_in_ci() -> None:
    """CI runs both, so they need no run of their own here."""
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert set(script) >= IN_CI


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


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md", "DECISIONS.md", "CHANGELOG.md"])
def test_links_in_the_documents_lead_somewhere(document: str) -> None:
    """A relative link names a file of the repository."""
    text = (ROOT / document).read_text(encoding="utf-8")
    targets = [target for target in re.findall(r"\]\(([^)#\s]+)\)", text) if "://" not in target]
    assert [target for target in targets if not Path(ROOT, target).exists()] == []


DOCUMENTS = sorted(path.relative_to(ROOT).as_posix() for path in (*ROOT.glob("*.md"), *ROOT.glob("*/README.md")))
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


def test_paragraphs_of_decisions_stand_in_the_order_of_their_days_each_once() -> None:
    """A line is between two of them, and no two have the same heading."""
    text = (ROOT / "DECISIONS.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (\d{4}-\d\d-\d\d): (.+)$", text, re.MULTILINE)
    assert len(headings) == text.count("\n\n## ") == text.count("\n## ")
    assert [day for day, _ in headings] == sorted(day for day, _ in headings)
    assert len({what for _, what in headings}) == len(headings)
