"""Asks the engine: options become JSON, answers become data, and what is wrong becomes an exception."""

from __future__ import annotations

import json
import operator
from dataclasses import dataclass
from typing import Any, Callable, List, Optional

from . import _engine


@dataclass(frozen=True)
class Problem:
    """An error at a place of the text. Lines and columns count from 1; they are None where the error is about a parameter."""

    message: str
    line: Optional[int] = None
    column: Optional[int] = None
    end_line: Optional[int] = None
    end_column: Optional[int] = None


class OrbitscopeError(Exception):
    """Why a question has no answer.

    `kind` is `"model"` (the text is wrong), `"fault"` (the model does something undefined), `"refusal"` (it cannot be asked so),
    `"limit"`, `"usage"` (the question itself is wrong) or `"internal"` (a bug of Orbitscope); `str` of it is the message for
    people, and `problems` has the places in the text.
    """

    def __init__(self, kind: str, message: str, problems: Optional[List[Problem]] = None) -> None:
        # All three are arguments of the exception, so that it survives on its way between processes.
        super().__init__(kind, message, problems or [])
        self.kind = kind
        self.message = message
        self.problems = problems or []

    def __str__(self) -> str:
        return self.message


def usage(message: str) -> OrbitscopeError:
    """A question that is wrong itself."""
    return OrbitscopeError("usage", message)


def options(given: dict[str, Any]) -> str:
    """The options that were given, as JSON. Numbers of other libraries, as those of NumPy, are numbers."""
    named = {name: value for name, value in given.items() if value is not None}
    try:
        return json.dumps(named, default=operator.index, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise usage(f"the options: {error}") from None


def ask(question: Callable[..., str], *words: Any) -> Any:
    """The answer of the engine as data."""
    try:
        return json.loads(question(*words))
    except _engine.EngineError as error:
        wrong = json.loads(str(error))
    except UnicodeEncodeError as error:
        raise usage(f"the text is no Unicode: {error.reason} at character {error.start}") from None
    raise OrbitscopeError(wrong["kind"], wrong["message"], [Problem(**problem) for problem in wrong["problems"]])


def needed(library: str, extra: str, what: str) -> ImportError:
    """A library that only some need is missing."""
    return ImportError(f"{what} needs {library}: install it with `pip install {library}` or `pip install orbitscope[{extra}]`")
