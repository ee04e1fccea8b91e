"""The notebook of the guide, executed: a reader sees what it shows. `UPDATE_GOLDEN=1` writes its outputs anew."""

import os
import unittest
from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[2] / "docs/guide/notebook.ipynb"
# It has a number for the kernel that is gone, and words with places of the memory.
LIVING = ("application/vnd.jupyter.widget-view+json", "text/plain")


def kept(outputs):
    """The outputs as they are kept: of a widget the picture alone."""
    outputs = [dict(output) for output in outputs]
    for output in outputs:
        if LIVING[0] in output.get("data", {}):
            output["data"] = {kind: data for kind, data in output["data"].items() if kind not in LIVING}
    return outputs


class Notebook(unittest.TestCase):
    def test_it_shows_what_a_reader_gets(self):
        written = nbformat.read(NOTEBOOK, as_version=4)
        made = nbformat.read(NOTEBOOK, as_version=4)
        client = NotebookClient(made, timeout=60, kernel_name="python3", store_widget_state=False, record_timing=False)
        client.execute()
        widgets = 0
        for cell in (cell for cell in made.cells if cell.cell_type == "code"):
            widgets += sum(LIVING[0] in output.get("data", {}) for output in cell.outputs)
            cell.outputs = [nbformat.from_dict(output) for output in kept(cell.outputs)]
        self.assertEqual(widgets, 1)
        if os.environ.get("UPDATE_GOLDEN"):
            made.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
            nbformat.write(made, NOTEBOOK)
            return
        self.assertEqual(len(written.cells), len(made.cells))
        for old, new in zip(written.cells, made.cells):
            self.assertEqual(old.get("outputs"), new.get("outputs"), new.source)


if __name__ == "__main__":
    unittest.main()
