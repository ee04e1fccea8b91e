"""The engine. Texts go in and JSON comes out; `orbitscope` is what people use."""

from typing import Callable, List, Optional

VERSION: str

class EngineError(Exception):
    """A question without an answer: its only argument is JSON with `kind`, `message` and `problems`."""

def describe(text: str, options: str) -> str:
    """The parameters, families and properties of a model."""

def symmetry(text: str, options: str) -> str:
    """The symmetry of a model, and what limits it."""

def graph(text: str, options: str, form: str) -> str:
    """A graph of a model; `form` is `json`, `dot` or `svg`."""

def link(text: str, options: str) -> str:
    """The part of an address that opens the model in the page."""

def format(text: str) -> str:
    """The text in standard form."""

def check(
    text: str,
    options: str,
    properties: Optional[List[str]],
    told: Optional[Callable[[str, int, int], object]],
) -> str:
    """The answers to the named properties, or to all."""
