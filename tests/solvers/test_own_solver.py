"""Solvers of docs/tutorials/your-own-agent.md and docs/reference/solver.md that ask a model or take options."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from harness.cli.commands import evaluate
from harness.episode.registry import find_solver
from harness.episode.solver import WrongOptions
from harness.kit.files.installation import to_type
from harness.records.directory import RunDirectory
from tests.models.servers import Server, openai_reply
from tests.solvers.runs import make_pages

DOCS = Path(__file__).parents[2] / "docs"
ADDRESS = "http://127.0.0.1:8080"


def block(page: str, name: str) -> str:
    text = (DOCS / page).read_text(encoding="utf-8")
    found = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    (wanted,) = (each for each in found if f"class {name}:" in each)
    return str(wanted)


@pytest.mark.slow
@pytest.mark.usefixtures("own_cache")
def test_the_solver_of_20_lines_asks_a_model_and_does_what_it_answers(tmp_path):
    code = block("tutorials/your-own-agent.md", "MySolver")
    assert len([line for line in code.splitlines() if line.strip()]) <= 21
    reply = openai_reply("modify_radio('sentiment', 'positive')\nmodify_radio('sentiment')")
    with Server([reply]) as server:
        file = tmp_path / "my_solver.py"
        file.write_text(code.replace(ADDRESS, server.url), encoding="utf-8")
        arguments = ["--solver", f"{file}:MySolver", "--task", "Sentiment of reviews", "--max-instances", "1"]
        assert evaluate.main([*arguments, "--out", str(tmp_path / "run")]) == evaluate.COMPLETE
    (made,) = RunDirectory.open(tmp_path / "run").episodes()
    assert next(field.sent for field in made.fields if field.name == "sentiment") == ("positive",)
    (turn,) = made.turns
    assert turn.calls[0] == "modify_radio('sentiment', 'positive')"
    assert turn.calls[1].startswith("error: ")


def test_the_solver_with_options_checks_them(tmp_path):
    file = tmp_path / "configured.py"
    file.write_text(block("reference/solver.md", "Configured"), encoding="utf-8")
    name = f"{file}:Configured"
    with pytest.raises(WrongOptions, match="needs --model"):
        find_solver(name).check({})
    options = find_solver(name).check({"model": "m"})
    assert options == {"mood": "calm", "model": "m"}
    made = find_solver(name).make(find_solver(name).setup(options, folder=tmp_path, tasks_dir=tmp_path))
    assert (made.options.model, made.options.mood) == ("m", "calm")


RAISES = """class Raises:
    def solve(self, page, act):
        if not {mended}:
            raise LookupError("no such thing here")
        act.modify_text("a", "filled")
"""


@pytest.mark.slow
@pytest.mark.usefixtures("own_cache")
def test_a_class_that_raises_before_it_does_anything_stops_the_run_and_is_played_anew_when_mended(tmp_path, capsys):
    make_pages(tmp_path / "tasks", 5)
    sign, file, run = tmp_path / "mended", tmp_path / "raises.py", RunDirectory(tmp_path / "run")
    file.write_text(f"from pathlib import Path\n\n{RAISES.format(mended=f'Path({str(sign)!r}).exists()')}")
    arguments = ["--solver", f"{file}:Raises", "--tasks-dir", str(tmp_path / "tasks"), "--workers", "1"]
    assert evaluate.main([*arguments, "--out", str(run.folder)]) == evaluate.INCOMPLETE
    said = capsys.readouterr().err
    assert "before it had done anything: LookupError: no such thing here (solve, line 6 of raises.py)" in said
    assert f"go on with `{to_type('evaluate', '--resume', run.folder)}`" in said
    record = run.read()
    assert (record.status, record.stopped.kind, record.results.work.played) == ("failed", "program", 3)
    assert record.results.overall.score is None
    sign.touch()
    assert evaluate.main(["--resume", str(run.folder), "--yes"]) == evaluate.COMPLETE
    assert [episode.outcome for episode in run.episodes()] == ["scored"] * 5
    assert (run.read().status, run.read().stopped) == ("complete", None)
