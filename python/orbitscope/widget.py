"""The page as a widget of Jupyter."""

from __future__ import annotations

import functools
import gzip
import zlib
from pathlib import Path
from typing import Any, List, Optional, Tuple

from . import OrbitscopeError, graph, link
from ._ask import needed

try:
    import anywidget
    import traitlets
except ImportError:
    raise needed("anywidget", "widget", "the widget") from None

HERE = Path(__file__).parent

# A picture for those who read the notebook without running it has at most so many nodes.
NODES = 200


@functools.lru_cache(maxsize=1)
def page() -> Tuple[List[str], List[bytes], str]:
    """The files of the page: their names, their compressed contents, and a checksum of all."""
    files = sorted(HERE.joinpath("page").glob("*"))
    if not files:
        raise FileNotFoundError("this package was built without the page: build it with `cargo xtask wheel`")
    contents = [gzip.compress(file.read_bytes(), mtime=0) for file in files]
    return [file.name for file in files], contents, f"{zlib.crc32(b''.join(contents)):08x}"


class Player(anywidget.AnyWidget):
    """The picture and the player of a model. `text`, `property`, `params` and the other options may be set anew at any time."""

    # Every kernel can reach its front end, and often nothing else can: the notebook may be shown by a server on another machine, and
    # in an editor. So the page goes the way of the widget's own messages.
    _esm = HERE / "widget.js"
    text = traitlets.Unicode()
    property = traitlets.Unicode(None, allow_none=True)
    params = traitlets.Dict(None, allow_none=True)
    fairness = traitlets.Unicode(None, allow_none=True)
    engine = traitlets.Unicode(None, allow_none=True)
    deadlock = traitlets.Unicode(None, allow_none=True)
    height = traitlets.Unicode("36rem").tag(sync=True)
    link = traitlets.Unicode(read_only=True).tag(sync=True)
    build = traitlets.Unicode(read_only=True).tag(sync=True)

    def __init__(self, text: str, **asked: Any) -> None:
        super().__init__(text=text, **asked)
        self.set_trait("build", page()[2])
        self.set_trait("link", self._address())
        self.observe(self._renew, ["text", "property", "params", "fairness", "engine", "deadlock"])
        self.on_msg(self._hear)

    def _address(self) -> str:
        asked = {name: getattr(self, name) for name in ("property", "params", "fairness", "engine", "deadlock")}
        return link(self.text, **asked)

    def _renew(self, _change: Any) -> None:
        self.set_trait("link", self._address())

    def _hear(self, _widget: Any, content: Any, _buffers: Any) -> None:
        if content == "page":
            names, contents, build = page()
            self.send({"names": names, "build": build}, contents)

    def _repr_mimebundle_(self, **words: Any) -> Optional[tuple[dict, dict]]:
        """Whoever reads the notebook without a kernel sees the picture of the quotient."""
        bundle = super()._repr_mimebundle_(**words)
        if bundle is None:
            return None
        data, metadata = bundle
        try:
            data = {**data, "image/svg+xml": graph(self.text, params=self.params, nodes=NODES).svg()}
        except OrbitscopeError:
            # The page says what is wrong.
            pass
        return data, metadata
