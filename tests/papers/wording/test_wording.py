"""The words of papers are taken from their repositories, checked, never run, and asked in by models and judges."""

from __future__ import annotations

import json
import shlex
import shutil
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from string import Template
from types import SimpleNamespace

import pytest

from harness.actions.call import ActionCall
from harness.cli.commands.papers import prompts
from harness.episode.action_sets import actions_of
from harness.episode.library import ACTIONS
from harness.episode.registry import find_solver
from harness.episode.solver import WrongOptions
from harness.kit.words import Words
from harness.models.messages import Reply, Text
from harness.papers.mind2web.mindact.marked_page import MarkedPage
from harness.papers.mind2web.mindact.page_element import StepQuery
from harness.papers.mind2web.mindact.snippet import FROM_WIDE_TO_NARROW
from harness.papers.mind2web.mindact.step_requests import Options, choice_request, choice_words, words_of
from harness.papers.online_mind2web.original_judges import WEBJUDGE_ORIGINAL
from harness.papers.paper import PAPERS
from harness.papers.wording import taking
from harness.papers.wording import wording as wording_module
from harness.papers.wording.original_words import folder_of
from harness.papers.wording.taking import NoSuchPlace, text_at
from harness.papers.wording.wording import wording_in
from harness.scoring.judges.judge_requests import JUDGE_WORDS, verdict_request
from harness.scoring.judges.judgements import JudgeOptions
from harness.scoring.judges.judging_job import JudgingJob, WrongJudge
from harness.solvers.models.prompt_sets import prompter_for, why_unfit, words_hash, words_source
from harness.solvers.models.recipe import Recipe
from harness.solvers.models.site_step import SiteNews
from tests.papers.wording.repositories import FILES, small_repository
from tests.scoring.judges.made import made
from tests.solvers.models.site_pages import SPECS, recipe
from tests.test_command_lines import refused


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def repository(request, tmp_path, monkeypatch) -> Path:
    folder, wording = small_repository(request.param, tmp_path)
    monkeypatch.setattr(wording_module, "wording_in", lambda _: wording)
    return folder


def of(paper: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("repository", [paper], indirect=True)


def take(paper: str, repository: Path) -> None:
    assert prompts.main([paper, "--from", str(repository)]) == 0


def texts(paper: str) -> dict[str, str]:
    return {file.stem: file.read_text(encoding="utf-8") for file in folder_of(paper).glob("*.md")}


# ---- taking -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("repository", FILES, indirect=True)
def test_the_words_of_each_paper_are_taken_from_a_clone_whose_programs_are_not_run(repository, capsys):
    paper = repository.name
    take(paper, repository)
    wording = wording_module.wording_in("")
    assert set(texts(paper)) == {each.name for each in wording.texts}
    kept = json.loads((folder_of(paper) / "source.json").read_text())
    assert kept["files"] == dict(wording.files)
    printed = capsys.readouterr().out
    assert f"{wording.repository} at {wording.commit}" in printed
    assert wording.chosen in printed
    assert [what for what in wording.without if what not in printed] == []


@of("turkingbench")
def test_names_of_theirs_become_ours_and_all_else_stays_to_the_letter(repository):
    take("turkingbench", repository)
    assert texts("turkingbench") == {
        "instructions": "\n  TB text, for $$5 {apiece}\n  ",
        "instructions_with_picture": "TB picture",
        "field_request": "\n            TB asks for ${field} of ${page}\n            ",
    }


@of("mind2web")
def test_a_text_is_put_together_of_what_is_added_piece_by_piece(repository):
    take("mind2web", repository)
    assert texts("mind2web") == {
        "role": "MW role",
        "step": "'''\n${page}\n'''\n\nMW begins\nMW task ${task}\n${done}\n",
        "nothing_done": "Nothing",
        "choose": "${step}MW which?\n\n${options}\n",
        "none_of_them": "MW neither",
        "generate": "${step}MW what next",
    }


@of("turkingbench")
def test_the_commit_is_taken_and_not_what_a_clone_has_made_of_it(repository):
    (repository / "src/evaluation/text.py").write_text("nothing")
    take("turkingbench", repository)
    assert "TB asks" in texts("turkingbench")["field_request"]


@of("turkingbench")
def test_a_folder_with_the_files_will_do(repository):
    shutil.rmtree(repository / ".git")
    take("turkingbench", repository)
    assert "TB picture" in texts("turkingbench")["instructions_with_picture"]


@of("turkingbench")
def test_a_file_that_is_not_the_known_one_is_refused_and_what_was_there_stays(repository, capsys):
    take("turkingbench", repository)
    before = texts("turkingbench")
    shutil.rmtree(repository / ".git")
    (repository / "src/evaluation/text.py").write_text("nothing")
    assert prompts.main(["turkingbench", "--from", str(repository)]) == 2
    assert "src/evaluation/text.py is not the file of JHU-CLSP/turking-bench at commit" in capsys.readouterr().err
    assert texts("turkingbench") == before


def test_what_is_no_copy_is_said_with_what_it_lacks(tmp_path, capsys):
    (tmp_path / "empty").mkdir()
    assert prompts.main(["turkingbench", "--from", str(tmp_path / "empty")]) == 2
    assert "it lacks the file" in capsys.readouterr().err
    assert prompts.main(["turkingbench", "--from", str(tmp_path / "none")]) == 2
    assert f"{tmp_path / 'none'} is no folder" in capsys.readouterr().err


@of("turkingbench")
def test_without_a_folder_the_files_of_the_commit_are_downloaded(repository, tmp_path, monkeypatch):
    wording = wording_module.wording_in("")
    served = tmp_path / "served" / wording.repository / wording.commit
    shutil.copytree(repository / "src", served / "src")
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path / "served"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setattr(taking, "FILES_AT", f"http://127.0.0.1:{server.server_port}")
        assert prompts.main(["turkingbench"]) == 0
        server.shutdown()
    assert "TB picture" in texts("turkingbench")["instructions_with_picture"]


def test_without_a_network_it_is_said_what_to_do(monkeypatch, capsys):
    monkeypatch.setattr(taking, "FILES_AT", "http://127.0.0.1:1")
    assert prompts.main(["webcanvas"]) == 2
    assert "Without a network, --from DIR takes a clone of iMeanAI/WebCanvas" in capsys.readouterr().err


# ---- asking -------------------------------------------------------------------------------------------------------

_FORM = Recipe(
    model="m", protocol="field", output="text", field_names=True, encoding="relevant", screenshot="none", demos=0,
    retries=0, prompts="turkingbench-original",
)  # fmt: skip


@pytest.mark.parametrize("name", ["turkingbench", "webcanvas", "autowebglm"])
def test_what_was_not_taken_cannot_be_asked_with_and_the_command_is_told(name):
    why = why_unfit(recipe(prompts=f"{name}-original"))
    assert f"the words of {name} are not on this machine" in why
    assert f"papers prompts {name}" in why


@of("turkingbench")
def test_a_model_is_asked_in_the_words_of_turkingbench(repository):
    take("turkingbench", repository)
    assert why_unfit(_FORM) is None
    asking = prompter_for(_FORM, ACTIONS)
    assert asking.system(0).text == "\n  TB text, for $5 {apiece}\n  "
    assert "TB asks for q1 of <p>$5</p>" in asking.field_request([Text("<p>$5</p>")], "q1").text


@of("webcanvas")
def test_a_model_is_asked_in_the_words_of_webcanvas_and_its_tools_are_read(repository):
    take("webcanvas", repository)
    asking = prompter_for(recipe(prompts="webcanvas-original"), SPECS)
    assert asking.system(0).text == "WC {tools}"

    def read(action: str, entered: str) -> object:
        told = {"thought": "t", "action": action, "element_id": "", "action_input": entered, "description": "d"}
        return asking.read(Reply(json.dumps(told))).items[0].what

    assert read("get_final_answer", "42") == ActionCall("finish", {"answer": "42"})
    assert read("google_search", "a b") == ActionCall("goto", {"url": "https://www.google.com/search?q=a+b"})
    assert read("cache_data", "noted") == ActionCall("wait_till_loaded", {})


@of("autowebglm")
def test_a_model_is_asked_in_the_words_of_autowebglm(repository):
    take("autowebglm", repository)
    asking = prompter_for(recipe(prompts="autowebglm-original", encoding="autowebglm"), actions_of("autowebglm"))
    [message] = asking.messages("a goal", (), (), SiteNews(position="0 / 1.0"), [Text(asking.framed("< page >"))])
    assert message.text == "<html> < page > </html>\n\nAW None in  at 0 / 1.0 for a goal\n"


@of("online-mind2web")
def test_a_judge_asks_in_the_words_of_online_mind2web(repository, tmp_path):
    made(tmp_path / "shown", result={}, pictures=("0.png",))
    with pytest.raises(WrongJudge, match="papers prompts online-mind2web"):
        JudgingJob.of(tmp_path / "shown", "webjudge-original", JudgeOptions(model="gpt-6-luna"))
    take("online-mind2web", repository)
    shown = SimpleNamespace(task="a task", actions=("click",), picture=lambda _: (_ for _ in ()).throw(OSError))
    asked = verdict_request("model", shown, ("point",), (), WEBJUDGE_ORIGINAL.words)
    assert [message.text for message in asked.messages] == [
        "OM verdict",
        "OM verdict alone of a task: 1. point; 1. click",
    ]
    work = JudgingJob.of(tmp_path / "shown", "webjudge-original", JudgeOptions(model="gpt-6-luna"))
    about = work.judge(1)
    assert about.prompts_source["words"] == about.prompts
    assert about.delta is not None


@of("mind2web")
def test_mindact_asks_in_the_words_of_mind2web(repository):
    options = {"preset": "gpt-6-luna", "prompts": "mind2web-original"}
    with pytest.raises(WrongOptions, match="papers prompts mind2web"):
        find_solver("mindact").check(options)
    take("mind2web", repository)
    assert find_solver("mindact").check(options)["prompts"] == "mind2web-original"
    words = words_of("mind2web-original")
    page = MarkedPage("<html><body><p backend_node_id='1'>$5</p></body></html>")
    asked = choice_words(StepQuery("a task"), page, Options(()), FROM_WIDE_TO_NARROW[0], words)
    assert asked.startswith("'''\n<html")
    assert asked.endswith("\n'''\n\nMW begins\nMW task a task\nNothing\nMW which?\n\nA. MW neither\n")
    assert choice_request("model", asked, (), Options(()), words).messages[0].text == "MW role"


def test_a_set_of_prompts_of_others_is_none_of_mindact_s():
    with pytest.raises(WrongOptions, match="it has mind2web-original, and its own"):
        find_solver("mindact").check({"preset": "gpt-6-luna", "prompts": "webcanvas"})


@of("turkingbench")
def test_both_hashes_are_recorded_and_none_is_of_words_that_were_changed(repository):
    take("turkingbench", repository)
    source = words_source("turkingbench-original")["prompts_source"]
    assert source["files"] == dict(wording_module.wording_in("").files)
    assert words_hash("turkingbench-original") != words_hash("turkingbench")
    assert words_source("turkingbench") == {}


# ---- where words stand --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("paper", PAPERS)
def test_what_is_told_of_a_paper_s_words_fits_our_sets_and_its_command_can_be_typed(paper):
    wording = wording_in(PAPERS[paper].package)
    assert wording
    assert len(wording.commit) == 40
    assert refused(SimpleNamespace(words=shlex.split(wording.chosen))) == ""
    ours = JUDGE_WORDS if paper == "online-mind2web" else Words(f"{PAPERS[paper].package}{OF_ITS_OWN.get(paper, '')}")
    for text in wording.texts:
        if not ours.has(text.name):
            continue
        wanted = {name for part in text.parts for name in part.names.values()}
        known = set(Template((ours.folder / f"{text.name}.md").read_text(encoding="utf-8")).get_identifiers())
        assert wanted <= known | {"number"}, text.name


OF_ITS_OWN = {"mind2web": ".mindact"}
PROGRAM = b"""
A = "a" "b"
class C:
    x: str = "x"
    def f(self):
        return f"{self.y!r} {{}}"
    def two(self):
        if self: return "1"
        return "2"
D = {"k": ["zero", f"one {A}"], "n": 1}
"""


@pytest.mark.parametrize(
    ("place", "text"),
    [("A", "ab"), ("C.x", "x"), ("C.f", "{self.y} {}"), ("D[k][1]", "one {A}"), ("", PROGRAM.decode())],
)
def test_a_text_is_found_by_its_place(place, text):
    assert text_at(PROGRAM, "a.py", place) == text


@pytest.mark.parametrize(
    ("file", "place", "why"),
    [
        ("a.py", "E", "there is no E of E"),
        ("a.py", "C.g.x", "there is no g of C.g.x"),
        ("a.py", "A#2", "A of A#2 is set only 1 times"),
        ("a.py", "C.two", "returns in 2 places"),
        ("a.py", "D[k][7]", r"there is no \[7\] of D"),
        ("a.py", "D[n]", "is no text"),
        ("a.json", "[0]", "it cannot be read"),
    ],
)
def test_a_place_that_has_no_text_is_said(file, place, why):
    with pytest.raises(NoSuchPlace, match=why):
        text_at(PROGRAM, file, place)
