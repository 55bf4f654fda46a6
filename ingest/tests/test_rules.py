"""Rules, code and fixtures hold together: nothing is refused without a rule, and no rule refuses nothing."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import hostile
from conftest import FIXTURES
from ioledger.build import checking
from ioledger.submission import gather
from ioledger.submission.rows import raw_tables
from ioledger.tables.schema import IDENTIFIER, ROOT, SCHEMAS, rules

if TYPE_CHECKING:
    from conftest import Run

STAGES = {"submission", "reading", "numbers", "build", "command"}
SEVERITIES = {"refuse", "warn"}
NO_FIXTURE_BREAKS = {
    "R-READ-1": "a reader that fails is mended, not kept as a fixture",
    "R-DETECT-3": "no file of two tools that both readers claim is known",
    "R-MODEL-1": "models are tested by dbt",
    "R-SITE-1": "pages are tested by the build",
    "R-SQL-2": "words of the database",
    "R-EXPECT-2": "an expectation that cannot run is mended",
}


def _named(*paths: Path) -> set[str]:
    return {name for path in paths for name in IDENTIFIER.findall(path.read_text(encoding="utf-8", errors="replace"))}


def _code() -> set[str]:
    tests = ROOT / "ingest" / "tests"
    code = [path for path in (ROOT / "ingest").rglob("*.py") if not path.is_relative_to(tests)]
    return _named(*code, ROOT / "tools" / "own_rows.py", *(SCHEMAS / "expectations").glob("*.json"))


def test_every_rule_in_the_code_is_stated_once_and_every_stated_rule_is_in_the_code() -> None:
    """The site's page shows exactly what the code asks."""
    stated = {rule.rule for rule in rules()}
    assert _code() - stated == set(), "state these in schemas/rules"
    assert stated - _code() == set(), "no code asks for these"
    repeated = Counter(name for path in (SCHEMAS / "rules").glob("*.json") for name in json.loads(path.read_text()))
    assert max(repeated.values()) == 1


def test_every_rule_is_a_sentence_of_a_known_kind() -> None:
    """What holds when it is kept, in one or two sentences."""
    for rule in rules():
        assert rule.stage in STAGES, rule
        assert rule.severity in SEVERITIES, rule
        assert rule.text[0].isupper() or rule.text.startswith(("fio", "dbt")), rule
        assert rule.text.endswith("."), rule


def test_every_rule_is_broken_by_a_fixture_or_a_test() -> None:
    """Hostile submissions, rejected files, expected warnings, and tests that name a rule; the rest has a reason."""
    tests = [path for path in (ROOT / "ingest" / "tests").glob("*.py") if path != Path(__file__)]
    fixtures = [path for path in FIXTURES.rglob("*") if path.name in {"problem.txt", "expected.json"}]
    broken = _named(*tests, *fixtures) | {rule for _, rule in hostile.CASES.values()}
    unbroken = {rule.rule for rule in rules()} - broken - NO_FIXTURE_BREAKS.keys()
    assert unbroken == set()
    assert NO_FIXTURE_BREAKS.keys() <= {rule.rule for rule in rules()}


def test_every_rule_of_reading_is_kept_by_a_fixture() -> None:
    """A reader's rules are in the file with its name, those of all readers in ``checks.json``."""
    tools = {path.name for path in FIXTURES.iterdir() if list(path.glob("*/expected.json"))}
    readers = {rule.area for rule in rules() if rule.stage == "reading"}
    assert readers <= tools | {"checks"}
    for rule in rules():
        if rule.stage == "reading":
            area = "*" if rule.area == "checks" else rule.area
            kept = [path for path in FIXTURES.glob(f"{area}/*/expected.json") if rule.rule not in _named(path)]
            assert kept, rule


def test_every_other_rule_is_kept_by_the_sound_submission(tmp_path: Path) -> None:
    """It has no problem and no warning, and each rule about numbers was asked of its tables."""
    gathered = gather.gather([hostile.sound(tmp_path / hostile.NAME)])
    built, problems = raw_tables(gathered)
    verdict = checking.run_suites(built)
    assert (gathered.problems, problems, verdict.problems, verdict.findings) == ([], [], [], [])
    asked = {record["rule"] for record in verdict.records}
    assert asked == {rule.rule for rule in rules() if rule.stage == "numbers"}
    severity = {record["rule"]: {"fail": "refuse"}.get(record["severity"], "warn") for record in verdict.records}
    assert severity == {rule.rule: rule.severity for rule in rules() if rule.stage == "numbers"}


def test_a_rule_and_its_expectation_have_the_same_text() -> None:
    """A person who looks a warning up finds the words of the warning."""
    texts = {rule.rule: rule.text for rule in rules()}
    for path in (SCHEMAS / "expectations").glob("*.json"):
        for each in json.loads(path.read_text(encoding="utf-8"))["expectations"]:
            if (rule := each["meta"].get("rule")) is not None:
                assert each["meta"]["reason"] == texts[rule], f"{path.name}: {rule}"


def test_the_command_lists_them_for_people_and_programs(ioledger: Run) -> None:
    """One line each, and an array of objects for the site."""
    listed = json.loads(ioledger("rules", "--json").stdout)
    assert [entry["rule"] for entry in listed] == [rule.rule for rule in rules()]
    assert set(listed[0]) == {"area", "rule", "stage", "severity", "text"}
    printed = ioledger("rules").stdout
    assert all(f"  {rule.rule} " in printed for rule in rules())
