"""The example notebook runs from its first cell to its last, and says what came of its page."""

from __future__ import annotations

import re

import nbclient
import nbformat
import pytest

from tests.checkout import PROJECT
from tests.needs import CHROMEDRIVER, needs

NOTEBOOK = PROJECT / "examples" / "one_page.ipynb"


@pytest.mark.slow
@needs(CHROMEDRIVER)
def test_the_notebook_works_on_a_page_and_shows_its_scores(tmp_path, monkeypatch):
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    folder = {"metadata": {"path": str(PROJECT)}}
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources=folder).execute()
    shown = [
        output["data"]["text/plain"]
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if output.output_type == "execute_result"
    ]
    assert "('sentiment', 'mentions_price', 'reason')" in shown[0]
    outcome, score, ceiling, _ = shown[-3].strip("()").split(", ")
    assert outcome == "'scored'"
    assert 0 < float(score) < float(ceiling) == 1
    assert re.match(
        r"\{'sentiment': \(\('positive',\), \(('positive', )+'positive'\), 1\.0\)", " ".join(shown[-2].split())
    )
    assert "The sound is praised." in shown[-1]
    assert "True" in shown[-1]


def test_the_notebook_is_kept_without_outputs():
    cells = [cell for cell in nbformat.read(NOTEBOOK, as_version=4).cells if cell.cell_type == "code"]
    assert [cell.source for cell in cells if cell.outputs or cell.execution_count] == []
