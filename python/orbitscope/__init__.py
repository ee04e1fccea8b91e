"""Checks concurrent programs made of identical processes.

>>> import orbitscope
>>> answers = orbitscope.check('''
... process p[3] { var x: bool = false  action flip: true -> x := not x }
... ltl settles: forall q in p: F G q.x
... ''')
>>> answers[0].verdict
'violated'

Every question takes the text of a model, and the same options by name: `params` has values of parameters, `fairness` is `"model"`,
`"weak"`, `"strong"` or `"none"`, `engine` is `"onthefly"`, `"threaded"`, `"explicit"` or `"symbolic"`, `deadlock` says whether the
last state of a computation that ends repeats for ever (`"stutter"`) or the computation is left out (`"drop"`), and `states` bounds a
search. Whatever is wrong is an `OrbitscopeError`.
"""

from __future__ import annotations

import builtins
import json
from typing import TYPE_CHECKING, Any, Callable, Iterable, List, Mapping, Optional, Union

from . import _engine
from ._answers import (
    Answer,
    Change,
    Description,
    Family,
    Graph,
    Ledger,
    Parameter,
    Property,
    Reason,
    Run,
    Step,
    Symmetry,
)
from ._ask import OrbitscopeError, Problem, ask, options

if TYPE_CHECKING:
    from .widget import Player

__version__ = _engine.VERSION
__all__ = [
    "Answer",
    "Change",
    "Description",
    "Family",
    "Graph",
    "Ledger",
    "OrbitscopeError",
    "Parameter",
    "Problem",
    "Property",
    "Reason",
    "Run",
    "Step",
    "Symmetry",
    "check",
    "format",
    "graph",
    "link",
    "parse",
    "show",
    "symmetry",
]

Params = Mapping[str, int]


def parse(text: str, *, params: Optional[Params] = None) -> Description:
    """The parameters, families and properties of a model; raises what is wrong with it."""
    told = ask(_engine.describe, text, options({"set": params}))
    return Description(
        [Parameter(**each) for each in told["parameters"]],
        [Family(**each) for each in told["families"]],
        [Property(**each) for each in told["properties"]],
        told["processes"],
    )


def check(
    text: str,
    *,
    params: Optional[Params] = None,
    properties: Union[None, str, Iterable[str]] = None,
    fairness: Optional[str] = None,
    engine: Optional[str] = None,
    deadlock: Optional[str] = None,
    states: Optional[int] = None,
    progress: Optional[Callable[[str, int, int], object]] = None,
) -> List[Answer]:
    """The answers to the named properties, or to all of the model.

    Other threads go on while it works, and Ctrl-C ends it. `progress` is called again and again with the property and the numbers of
    nodes and edges that were found; an exception that it raises ends the check.
    """
    names = [properties] if isinstance(properties, str) else None if properties is None else builtins.list(properties)
    asked = options({"set": params, "fairness": fairness, "engine": engine, "deadlock": deadlock, "states": states})
    told = ask(_engine.check, text, asked, names, progress)
    families = tuple(told["families"])
    return [answer(each, families) for each in told["answers"]]


def answer(told: Any, families: tuple[str, ...]) -> Answer:
    """An answer of the engine."""
    run = told["run"] and Run(
        [step(each) for each in told["run"]["prefix"]],
        None if told["run"]["cycle"] is None else [step(each) for each in told["run"]["cycle"]],
        families,
    )
    ledger = [Ledger(**each) for each in told["ledger"] or []]
    return Answer(**{**told, "run": run, "ledger": ledger})


def step(told: Any) -> Step:
    """A step of a run."""
    return Step(**{**told, "changes": [Change(**each) for each in told.get("changes", [])]})


def graph(
    text: str,
    *,
    of: str = "quotient",
    property: Optional[str] = None,
    params: Optional[Params] = None,
    fairness: Optional[str] = None,
    nodes: Optional[int] = None,
) -> Graph:
    """A graph of a model.

    `of` is `"states"` (the program's), `"quotient"` (in which states that differ only in which process is which are one), `"tracked"`
    (the quotient with the processes of `property` told apart) or `"product"` (that, times the automaton of `property`); at most
    `nodes` nodes are made, 2000 where nothing is said.
    """
    asked = options({"of": of, "property": property, "set": params, "fairness": fairness, "nodes": nodes})
    told = json.loads(ask(_engine.graph, text, asked, "json"))
    return Graph(told["title"], told["complete"], told["note"], told["nodes"], told["edges"], (text, asked))


def symmetry(text: str, *, params: Optional[Params] = None) -> Symmetry:
    """The symmetry of a model, and what limits it."""
    told = ask(_engine.symmetry, text, options({"set": params}))
    reasons = [Reason(**each) for each in told["reasons"]]
    return Symmetry(int(told["order"]), told["generators"], told["families"], reasons)


def link(
    text: str,
    *,
    property: Optional[str] = None,
    params: Optional[Params] = None,
    fairness: Optional[str] = None,
    engine: Optional[str] = None,
    deadlock: Optional[str] = None,
) -> str:
    """The part of an address after `#` that opens the model in Orbitscope's page, to be checked in the same way."""
    asked = {"property": property, "set": params, "fairness": fairness, "engine": engine, "deadlock": deadlock}
    return ask(_engine.link, text, options(asked))


def format(text: str) -> str:
    """The text in standard form."""
    return ask(_engine.format, text)


def show(
    text: str,
    *,
    property: Optional[str] = None,
    params: Optional[Params] = None,
    fairness: Optional[str] = None,
    engine: Optional[str] = None,
    deadlock: Optional[str] = None,
    height: str = "36rem",
) -> Player:
    """Orbitscope's page with its picture and player, as a widget of Jupyter. The page is part of this package: nothing is loaded from
    elsewhere, and nothing is sent anywhere."""
    from .widget import Player

    asked = {"property": property, "params": params, "fairness": fairness, "engine": engine, "deadlock": deadlock}
    return Player(text, height=height, **asked)
