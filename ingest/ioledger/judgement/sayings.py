"""Words that say the same in every column: on and off, absent, not applicable, and not known."""

from __future__ import annotations

import re

NOT_APPLICABLE = "not applicable"
"""What does not exist on this hardware; it equals itself and differs from any other value."""
ON = frozenset({"on", "enabled", "enable", "yes", "true", "1", "active", "activated"})
OFF = frozenset({"off", "disabled", "disable", "no", "false", "0", "inactive", "deactivated"})
INAPPLICABLE = frozenset({NOT_APPLICABLE, "n/a", "does not apply"})
ABSENT = INAPPLICABLE | {"none", "not present", "absent", "no", "not installed"}
_UNKNOWN = frozenset({"", "unknown", "not stated", "not known"})
_SPACES = re.compile(r"\s+")


def folded(text: str) -> str:
    """Return a text in small letters with single spaces."""
    return _SPACES.sub(" ", text).strip().casefold()


def is_unknown(text: str | None) -> bool:
    """Say whether a value is not known: null, empty, or the word for it."""
    return text is None or folded(text) in _UNKNOWN
