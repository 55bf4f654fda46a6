"""
Every rule, once: its id, the area it belongs to, when it is asked, how severe it is, and its text.

The rules stand in ``schemas/rules/<area>.json``; a reader's rules in the file that has its name, so that a new reader
brings its own. A test holds code, rules and fixtures together.
"""

from __future__ import annotations

import re
from functools import cache

import msgspec

from ioledger.tables.schema import SCHEMAS

IDENTIFIER = re.compile(r"R-[A-Z]+(?:-[A-Z]+)*-\d+")


class Rule(msgspec.Struct, frozen=True, order=True):
    """
    One rule.

    ``stage``: submission (the folder and its manifest), reading (a file's content), numbers (what can be believed),
    build, command. ``severity``: refuse (the submission or the call is refused) or warn (kept, with a badge).
    """

    area: str
    rule: str
    stage: str
    severity: str
    text: str


class _RuleText(msgspec.Struct, forbid_unknown_fields=True):
    stage: str
    severity: str
    text: str


@cache
def rules() -> tuple[Rule, ...]:
    """Return every rule, by area and number."""
    found = []
    for path in sorted((SCHEMAS / "rules").glob("*.json")):
        stated = msgspec.json.decode(path.read_bytes(), type=dict[str, _RuleText])
        found += [Rule(path.stem, name, rule.stage, rule.severity, rule.text) for name, rule in stated.items()]
    return tuple(sorted(found, key=_order))


@cache
def refusing() -> frozenset[str]:
    """Return the ids of the rules that refuse; a reader may go on after one, a submission does not."""
    return frozenset(rule.rule for rule in rules() if rule.severity == "refuse")


def _order(rule: Rule) -> tuple[str, str, int]:
    name, _, number = rule.rule.rpartition("-")
    return rule.area, name, int(number)
