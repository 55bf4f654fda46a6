"""
Expressions of GitHub's workflows, as far as the workflows of this project use them.

Names with dots, texts, ``true``, ``false``, ``null``, ``==``, ``!=``, ``!``, ``&&``, ``||``, parentheses, and the
functions of a state: ``success()``, ``failure()``, ``cancelled()`` and ``always()``. Anything else is refused.

Source: GitHub's "Evaluate expressions in workflows and actions".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

TOKEN = re.compile(r"\s*(?:'((?:[^']|'')*)'|(==|!=|&&|\|\||[!()])|([A-Za-z_][\w.-]*))")
TEMPLATE = re.compile(r"\$\{\{(.*?)\}\}", re.DOTALL)
WORDS = {"true": True, "false": False, "null": None}
STATES = ("success", "failure", "cancelled", "always")


class _Parser:
    """Reads an expression from the left, and computes it on the way; both sides of ``&&`` and ``||`` are computed."""

    def __init__(self, text: str, values: Mapping[str, Any], state: str) -> None:
        self.values, self.state, self.text = values, state, text
        self.tokens: list[tuple[str | None, str, str]] = []
        place = 0
        while text[place:].strip():
            found = TOKEN.match(text, place)
            if not found:
                message = f"{text!r} is no expression that is known here"
                raise ValueError(message)
            self.tokens.append((found[1], found[2] or "", found[3] or ""))
            place = found.end()

    def whole(self) -> Any:  # noqa: ANN401  (any value of JSON)
        value = self._either()
        if self.tokens:
            message = f"{self.text!r} goes on where an expression ends"
            raise ValueError(message)
        return value

    def _take(self, *signs: str) -> str:
        if self.tokens and self.tokens[0][1] in signs:
            return self.tokens.pop(0)[1]
        return ""

    def _either(self) -> Any:  # noqa: ANN401
        value = self._both()
        while self._take("||"):
            other = self._both()
            value = value or other
        return value

    def _both(self) -> Any:  # noqa: ANN401
        value = self._compared()
        while self._take("&&"):
            other = self._compared()
            value = value and other
        return value

    def _compared(self) -> Any:  # noqa: ANN401
        value = self._single()
        while sign := self._take("==", "!="):
            value = (_loosely(value) == _loosely(self._single())) is (sign == "==")
        return value

    def _single(self) -> Any:  # noqa: ANN401
        if self._take("!"):
            return not self._single()
        if self._take("("):
            value = self._either()
            self._expect(")")
            return value
        if not self.tokens or self.tokens[0][1]:
            message = f"{self.text!r} lacks a value"
            raise ValueError(message)
        text, _, name = self.tokens.pop(0)
        if text is not None:
            return text.replace("''", "'")
        return self._called(name) if self._take("(") else WORDS[name] if name in WORDS else _at(self.values, name)

    def _called(self, name: str) -> bool:
        self._expect(")")
        if name not in STATES:
            message = f"the function {name}() is not known here"
            raise ValueError(message)
        return name in {"always", self.state}

    def _expect(self, sign: str) -> None:
        if not self._take(sign):
            message = f"{self.text!r} lacks {sign}"
            raise ValueError(message)


def _loosely(value: object) -> object:
    """Return a value as it is compared: texts without regard to capitals."""
    return value.casefold() if isinstance(value, str) else value


def _at(values: Mapping[str, Any], name: str) -> Any:  # noqa: ANN401
    """Return what a name with dots stands for; null where there is no such thing."""
    found: Any = values
    for part in name.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    return found


def evaluate(text: str, values: Mapping[str, Any], state: str = "success") -> Any:  # noqa: ANN401
    """Return the value of an expression; raises ValueError for one that is not known here."""
    return _Parser(text, values, state).whole()


def holds(condition: object, values: Mapping[str, Any], state: str) -> bool:
    """Say whether a step or job runs: without a function of a state in its ``if`` only where nothing failed."""
    text = str(condition if condition is not None else "").strip()
    text = found[1] if (found := TEMPLATE.fullmatch(text)) else text
    asks = re.search(rf"\b(?:{'|'.join(STATES)})\(", text)
    return (bool(asks) or state == "success") and (not text.strip() or bool(evaluate(text, values, state)))


def filled(text: object, values: Mapping[str, Any]) -> str:
    """Return a text with the values of its expressions; a null is nothing, and a boolean is written small."""
    return TEMPLATE.sub(lambda found: _written(evaluate(found[1], values)), _written(text))


def _written(value: object) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
