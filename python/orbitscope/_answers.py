"""Answers: plain values, which libraries for graphs and tables take over where they are installed."""

from __future__ import annotations

import builtins
import html
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Tuple

from . import _engine
from ._ask import ask, needed

if TYPE_CHECKING:
    import networkx
    import pandas


@dataclass(frozen=True)
class Parameter:
    """A parameter with the value in force, and the bounds that the model gives it."""

    name: str
    value: int
    least: Optional[int]
    most: Optional[int]


@dataclass(frozen=True)
class Family:
    """A family of processes."""

    name: str
    size: int


@dataclass(frozen=True)
class Property:
    """A property: its name, its logic (`invariant`, `ltl`, ...), and its line in the text."""

    name: str
    logic: str
    line: int


@dataclass(frozen=True)
class Description:
    """The parts of a model."""

    parameters: List[Parameter]
    families: List[Family]
    properties: List[Property]
    processes: int


@dataclass(frozen=True)
class Reason:
    """A place of the text that tells processes apart."""

    line: int
    column: int
    message: str


@dataclass(frozen=True)
class Symmetry:
    """The group of permutations of processes that leave a model as it is: its order, generators in cycles, a line for each family,
    and the reasons why it is not larger."""

    order: int
    generators: List[str]
    families: List[str]
    reasons: List[Reason]


@dataclass(frozen=True)
class Change:
    """A variable that a step changes."""

    variable: str
    value: Any


@dataclass(frozen=True)
class Step:
    """A step of a run: who moved (None at the start, and where nobody moves any more), with which action, and the state after it.

    Where states are large, `state` is None and `changes` says what is new.
    """

    process: Optional[str]
    action: Optional[str]
    args: List[str]
    state: Optional[Dict[str, Any]]
    changes: List[Change] = field(default_factory=list)

    def cells(self, families: Tuple[str, ...]) -> Dict[str, Any]:
        """Each variable by its name: `turn`, `client[0].st`."""
        if self.state is None:
            return {change.variable: change.value for change in self.changes}
        found: Dict[str, Any] = {}
        for name, value in self.state.items():
            if name not in families:
                found[name] = value
                continue
            # A family that is a single process has no numbers.
            members = {name: value} if isinstance(value, dict) else {f"{name}[{i}]": each for i, each in enumerate(value)}
            for process, variables in members.items():
                found.update({f"{process}.{variable}": each for variable, each in variables.items()})
        return found


@dataclass(frozen=True)
class Run:
    """A run that shows an answer: steps, then a cycle that repeats for ever; `cycle` is None where the run ends."""

    prefix: List[Step]
    cycle: Optional[List[Step]]
    families: Tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Step]:
        """The steps, those of the cycle once."""
        yield from self.prefix
        yield from self.cycle or []

    def __len__(self) -> int:
        return len(self.prefix) + len(self.cycle or [])

    def rows(self) -> List[Dict[str, Any]]:
        """A dictionary for each step: `part` (`"prefix"` or `"cycle"`), `process`, `action`, and each variable by its name."""
        parts = [("prefix", step) for step in self.prefix] + [("cycle", step) for step in self.cycle or []]
        return [{"part": part, "process": step.process, "action": action(step), **step.cells(self.families)} for part, step in parts]

    def table(self) -> pandas.DataFrame:
        """The run as a table of pandas, a row for each step. Where states are large, a cell is empty that its step does not change."""
        try:
            import pandas
        except ImportError:
            raise needed("pandas", "tables", "a table") from None
        return pandas.DataFrame(self.rows())

    def _repr_html_(self) -> str:
        """What a notebook shows of it: processes and actions, without a library."""
        rows = [f"<tr><td>{row['part']}</td>{cell(row['process'])}{cell(row['action'])}</tr>" for row in self.rows()]
        return f"<table><tr><th>part</th><th>process</th><th>action</th></tr>{''.join(rows)}</table>"


def action(step: Step) -> Optional[str]:
    """The action with its arguments, as the model writes it."""
    return f"{step.action}({', '.join(step.args)})" if step.action and step.args else step.action


def cell(text: Optional[str]) -> str:
    """A cell of a table in HTML."""
    return f"<td>{html.escape(text or '')}</td>"


@dataclass(frozen=True)
class Ledger:
    """How the cycle of a run is fair to a process, or to several from `process` to `last`."""

    process: str
    because: str
    step: Optional[int] = None
    action: Optional[str] = None
    last: Optional[str] = None


@dataclass(frozen=True)
class Answer:
    """The answer to one property.

    `verdict` is `"holds"`, `"violated"` or `"unknown"`, and `words` says it in full: what is unknown has its reason, and a `cover` is
    covered where the verdict is violated. `instance` has the processes that the names in front of the property stand for.
    """

    property: str
    logic: str
    verdict: str
    words: str
    instance: Optional[str]
    run: Optional[Run] = field(repr=False)
    ledger: List[Ledger] = field(repr=False)

    @builtins.property
    def holds(self) -> bool:
        """Whether it is known to hold."""
        return self.verdict == "holds"


@dataclass(frozen=True)
class Graph:
    """A graph of a model. `complete` is False where it was cut at the greatest number of nodes, and `note` says so."""

    title: str
    complete: bool
    note: Optional[str]
    nodes: List[Dict[str, Any]] = field(repr=False)
    edges: List[Dict[str, Any]] = field(repr=False)
    asked: Tuple[str, str] = field(repr=False, default=("", ""))

    def networkx(self) -> networkx.MultiDiGraph:
        """The graph for networkx: nodes by their ids, with their members as attributes; edges with `label` and `style`."""
        try:
            import networkx
        except ImportError:
            raise needed("networkx", "graphs", "a graph for networkx") from None
        made = networkx.MultiDiGraph(title=self.title, complete=self.complete)
        made.add_nodes_from((node["id"], {name: value for name, value in node.items() if name != "id"}) for node in self.nodes)
        made.add_edges_from((edge["from"], edge["to"], {"label": edge["label"], "style": edge["style"]}) for edge in self.edges)
        return made

    def dot(self) -> str:
        """The graph for Graphviz."""
        return ask(_engine.graph, *self.asked, "dot")

    def svg(self) -> str:
        """The graph as a picture."""
        return ask(_engine.graph, *self.asked, "svg")

    def _repr_svg_(self) -> str:
        """What a notebook shows of it."""
        return self.svg()
