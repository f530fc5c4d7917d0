"""The page of an episode, and what it loads."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from harness.actions.result import Step
from harness.catalog.template.wrapping import ACCEPTED
from harness.kit.files.codec import plain
from harness.models.messages import Reply, ToolCall
from harness.records.agent_report import AgentReport
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from harness.records.film import Film, Frame, page_name
from harness.records.turn import Turn
from harness.records.verdict import JudgedRun
from harness.reports.watch.episode_rows import take_in
from harness.reports.watch.folder_changes import changes
from harness.reports.watch.run_index import RunIndex
from harness.scoring.judges.saved_judgements import JudgementFolder, SavedJudgement, TrajectoryJudge, judges_beside
from tests.reports.played import always, make_tasks, play
from tests.reports.watch.made import LONG, TASK, asked, filmed_run
from tests.samples import episode, record, run_record, submission
from tests.server.pages import HARD_NAMES, soup, text

PAGE = f"/runs/run/episode/{TASK}/0/"
EVIL = "</pre></script><script>alert(1)</script><img src=x onerror=alert(2)>&amp;{{ 7|add:7 }}{% x %}"


@pytest.fixture
def run(runs_dir: Path, tasks_dir: Path) -> RunDirectory:
    """A run with a filmed episode of three turns."""
    return RunDirectory(filmed_run(runs_dir / "run", tasks_dir))


def write(runs_dir: Path, *episodes: Episode) -> RunDirectory:
    made = RunDirectory(runs_dir / "run")
    made.write(run_record())
    for each in episodes:
        made.add(each, {})
    return made


@pytest.mark.usefixtures("run")
def test_each_step_stands_with_its_reply_its_result_and_its_picture(viewer: Client) -> None:
    page = soup(viewer, PAGE)
    scenes = page.select(".scene")
    titles = [next(scene.h3.stripped_strings) for scene in scenes]
    assert titles == ["The page as it opened", "Turn 1", "Turn 2", "Turn 3"]
    second = scenes[2]
    assert second.select_one(".reply").get_text() == "modify_text('a', 'cat 2')"
    assert "I have thought 2 times." in text(second)
    assert "failed" in text(second.select_one("#step-2"))
    assert "cost unknown" in text(second)
    mark = second.select_one("figure[data-of=step-2] svg.mark rect")
    assert (mark["x"], mark["y"], mark["width"], mark["height"]) == ("400.0", "200.0", "320.0", "80.0")
    assert second.select_one("svg.mark")["viewbox"] == "0 0 1280 800"
    assert [link["href"] for link in page.select(".strip a")] == ["#opening", "#step-1", "#step-2", "#step-3"]


@pytest.mark.usefixtures("run")
def test_what_the_model_was_shown_is_there_whole(viewer: Client) -> None:
    scene = soup(viewer, PAGE).select(".scene")[3]
    assert "the same 4 messages as in the turn before" in text(scene)
    link = scene.select_one(".message a[data-text]")
    answer = viewer.get(link["href"])
    assert answer.content.decode() == f"{LONG}Turn 3."
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    picture = viewer.get(scene.select_one(".message img")["src"])
    assert (picture.status_code, picture["Content-Type"]) == (200, "image/png")
    whole = viewer.get(scene.select_one("[data-closed] a")["href"]).content.decode()
    assert [message["role"] for message in json.loads(whole)["messages"]] == [
        "system",
        *["user", "assistant"] * 2,
        "user",
    ]


@pytest.mark.usefixtures("run")
def test_pictures_of_the_film_have_their_type_and_nothing_else(viewer: Client) -> None:
    source = soup(viewer, PAGE).select_one("figure img")["src"]
    answer = viewer.get(source)
    assert answer["Content-Type"] == "image/png"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Security-Policy"]


def test_the_final_form_says_why_each_field_has_its_score(viewer: Client, run: RunDirectory) -> None:
    del run
    page = soup(viewer, PAGE)
    fields = {each.code.get_text(): each for each in page.select(".field-score")}
    assert list(fields) == ["a", "r", "s"]
    assert [mark.get_text() for mark in fields["a"].select("pre mark")] == ["cat", "cat"]
    assert "1 token in common, of 3 that were sent and 1 of the label" in text(fields["a"])
    assert "1 of 2 right sent" in text(fields["r"])
    assert "1 less 10 (the mean distance) by 30 (the largest label): 0.67" in text(fields["s"])


@pytest.mark.usefixtures("run")
def test_the_same_page_is_there_under_each_profile(viewer: Client) -> None:
    links = soup(viewer, PAGE).select("#form nav a")
    assert [link["href"].partition("?")[2] for link in links] == [
        "metrics=standard#form",
        "metrics=turkingbench-2024#form",
    ]
    assert "Score under turkingbench-2024" in text(soup(viewer, f"{PAGE}?metrics=turkingbench-2024"))
    assert viewer.get(f"{PAGE}?metrics=mine").status_code == 404


@pytest.mark.usefixtures("run")
def test_the_file_of_the_episode_is_given_as_it_stands(viewer: Client, runs_dir: Path) -> None:
    link = soup(viewer, PAGE).find("a", download=True)["href"]
    answer = viewer.get(link)
    assert answer.content == (runs_dir / "run" / "episodes" / TASK / "0.json").read_bytes()
    assert answer["Content-Disposition"] == "attachment"


def test_previous_and_next_lead_through_the_run_and_stop_at_its_ends(viewer: Client, runs_dir: Path) -> None:
    write(runs_dir, *(episode(record(), task=task, index=index) for task, index in [("A", 9), ("A", 10), ("B b", 0)]))
    seen = ["/runs/run/episode/A/9/"]
    while link := soup(viewer, seen[-1]).find("a", rel="next"):
        seen.append(link["href"])
    assert seen == ["/runs/run/episode/A/9/", "/runs/run/episode/A/10/", "/runs/run/episode/B%2520b/0/"]
    for here, before in zip(seen[1:], seen, strict=False):
        assert soup(viewer, here).find("a", rel="prev")["href"] == before
    assert soup(viewer, seen[0]).find("a", rel="prev") is None


@pytest.mark.usefixtures("own_cache")
def test_previous_and_next_stay_in_the_list_that_an_episode_was_chosen_from(viewer: Client, runs_dir: Path) -> None:
    fields = {index: record(sent=("yes",) if index % 2 else ("no",)) for index in range(5)}
    made = write(runs_dir, *(episode(each, task="A", index=index) for index, each in fields.items()))
    index = RunIndex(made.folder, made.read())
    with index.open() as database:
        found = changes(made.folder, database)
    take_in(index, found.files)
    page = soup(viewer, "/runs/run/episode/A/2/?list=low%3D0%26high%3D10%26sort%3Dplace")
    assert "2 of 3 in the list" in text(page)
    links = [page.find("a", rel=way)["href"] for way in ("prev", "next")]
    assert [link.partition("?")[0] for link in links] == ["/runs/run/episode/A/0/", "/runs/run/episode/A/4/"]
    assert all("list=low%3D0%26high%3D10%26sort%3Dplace" in link for link in links)
    assert page.select_one(".crumbs a")["href"] == "/runs/run/?low=0&high=10&sort=place"
    gone = soup(viewer, "/runs/run/episode/A/1/?list=low%3D0%26high%3D10")
    assert "not in the list any more" in text(gone)


@pytest.mark.parametrize("name", [*HARD_NAMES, "x" * 240, "..", EVIL])
def test_any_task_name_has_its_page(viewer: Client, runs_dir: Path, name: str) -> None:
    write(runs_dir, episode(record(), task="first"), episode(record(), task=name))
    pages = [soup(viewer, "/runs/run/episode/first/0/").find("a", rel=way) for way in ("next", "prev")]
    page = soup(viewer, next(link["href"] for link in pages if link))
    assert name in page.h1.get_text()


def hostile(values: Mapping[str, Any]) -> Episode:
    return replace(episode(record("a", sent=(EVIL,), labels=(EVIL, "b")), task="T"), **values)


@pytest.mark.parametrize(
    "values",
    [
        {"task": EVIL},
        {"detail": EVIL, "outcome": "agent_error"},
        {"script_errors": (EVIL,), "missing_media": (EVIL,)},
        {"turns": (Turn(reply=EVIL, thought=EVIL, note=EVIL, model=EVIL, calls=(EVIL, f"error: {EVIL}"), sent=EVIL),)},
        {"turns": (Turn(tool_calls=(ToolCall("1", EVIL, {"a": EVIL}),), whole=EVIL, images=(EVIL,)),)},
        {"fields": (record(EVIL, "checkbox", options=(EVIL, "b"), labels=(EVIL, "b"), sent=(EVIL,)),)},
        {"fields": (record(EVIL, "radio", options=(EVIL, "b"), labels=(EVIL, "b"), sent=("b",)),)},
        {"fields": (record(EVIL, status=EVIL, sent=(EVIL,)),)},
    ],
)
def test_what_models_and_pages_wrote_is_text_wherever_it_stands(viewer: Client, runs_dir: Path, values: dict) -> None:
    write(runs_dir, plainly := hostile({}), made := hostile(values))
    place = next((runs_dir / "run" / "episodes").glob("%3C*/0.json"), runs_dir / "run" / "episodes" / "T" / "0.json")
    page = soup(viewer, f"/runs/run/episode/{place.parent.name.replace('%', '%25')}/0/")
    assert made != plainly
    assert EVIL in page.get_text()
    assert [script["src"] for script in page.find_all("script")] == ["/script/copy.js", "/script/episode.js"]
    assert page.find("img", src="x") is None
    assert not page.find_all(lambda tag: any(name.startswith("on") for name in tag.attrs))


HUGE = "x" * 3_000_000


@pytest.mark.slow
@pytest.mark.parametrize(
    "values",
    [
        {"detail": HUGE, "outcome": "agent_error", "script_errors": (HUGE,), "missing_media": (HUGE,)},
        {"turns": (Turn(reply=HUGE, thought=HUGE, note=HUGE, model=HUGE, calls=(HUGE, f"error: {HUGE}")),)},
        {"turns": (Turn(tool_calls=(ToolCall("1", HUGE, {HUGE: HUGE}),)),)},
        {"steps": (Step(HUGE, ok=False, message=HUGE, ms=1.0),)},
        {"fields": (record(HUGE, status=HUGE, sent=(HUGE,)),), "submission": submission(**{HUGE: (HUGE,)})},
        {"fields": tuple(record(each, sent=(HUGE,), labels=(f"{HUGE} y", "y")) for each in "ab")},
        {"fields": (record("a", "checkbox", options=(HUGE, "b"), labels=(HUGE, "b"), sent=(HUGE,)),)},
        {"fields": (record("a", "radio", options=(HUGE, "b"), labels=(HUGE, "b"), sent=("b",)),)},
    ],
)
def test_a_text_of_millions_is_cut_wherever_it_stands_and_the_whole_is_one_link_away(
    viewer: Client, runs_dir: Path, values: dict
) -> None:
    write(runs_dir, replace(episode(record(), task="T"), **values))
    answer = viewer.get("/runs/run/episode/T/0/")
    assert len(answer.content) < 2_000_000
    assert "[cut here: the first 100,000 of 3,000,0" in answer.content.decode()
    whole = viewer.get(soup(viewer, "/runs/run/episode/T/0/").select_one("#cut a")["href"])
    assert HUGE in whole.content.decode()
    say = viewer.get("/runs/run/review/open/T/0/")
    assert (say.status_code, len(say.content) < 2_000_000) == (200, True)


def test_a_hostile_request_is_text_and_its_texts_come_as_text(viewer: Client, runs_dir: Path, tasks_dir: Path) -> None:
    request = asked(1)
    evil = replace(request, model=EVIL, messages=(*request.messages[:-1], *asked(2).messages[1:]), stop=(EVIL,))
    filmed_run(runs_dir / "run", tasks_dir, said=[(evil, Reply(EVIL * 400))])
    page = soup(viewer, PAGE)
    assert EVIL in page.get_text()
    assert [script["src"] for script in page.find_all("script")] == ["/script/copy.js", "/script/episode.js"]
    for link in page.select("[data-text]"):
        answer = viewer.get(link["href"])
        assert answer["Content-Type"] == "text/plain; charset=utf-8"
        assert answer["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    "path",
    [
        "picture/" + "a" * 64 + ".png",
        "picture/..%2Frun.json",
        "picture/run.json",
        "film-picture/..%2f..%2frun.json",
        "film-picture/" + "a" * 64 + ".svg",
        "text/..%2F..%2Frun",
        "text/run",
        "episode/..%2f..%2f/0/",
        "episode/./0/",
        "episode/Animals/99/",
        "episode/Animals/" + "9" * 400 + "/",
        "episode/.hidden/0/",
        "episode/Animals/99/episode.json",
    ],
)
@pytest.mark.usefixtures("run")
def test_nothing_is_read_by_a_name_that_no_run_gives(viewer: Client, path: str) -> None:
    assert viewer.get(f"/runs/run/{path}").status_code == 404


def test_no_link_is_followed_out_of_a_run(viewer: Client, run: RunDirectory, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    name = "c" * 64
    for file in (f"{name}.png", f"{name}.json", "7.json"):
        (outside / file).write_bytes((run.folder / "episodes" / TASK / "0.json").read_bytes())
    (run.folder / "images" / f"{name}.png").symlink_to(outside / f"{name}.png")
    (run.folder / "films" / "pictures" / f"{name}.png").symlink_to(outside / f"{name}.png")
    (run.folder / "texts" / f"{name}.json").symlink_to(outside / f"{name}.json")
    (run.folder / "episodes" / "linked").symlink_to(outside)
    for path in (f"picture/{name}.png", f"film-picture/{name}.png", f"text/{name}", "episode/linked/7/episode.json"):
        assert viewer.get(f"/runs/run/{path}").status_code == 404
    assert "leads out of its folder" in text(soup(viewer, "/runs/run/episode/linked/7/"))


def test_a_broken_episode_says_what_is_wrong_with_it(viewer: Client, run: RunDirectory) -> None:
    file = run.folder / "episodes" / TASK / "0.json"
    good = json.loads(file.read_text(encoding="utf-8"))
    for broken in ("{", "[]", json.dumps({**good, "schema": 9}), json.dumps({**good, "index": 5})):
        file.write_text(broken, encoding="utf-8")
        assert "This episode cannot be shown" in text(soup(viewer, PAGE))


def test_a_broken_film_leaves_the_rest_to_be_seen(viewer: Client, run: RunDirectory) -> None:
    (run.folder / "films" / TASK / "0.json").write_text("{", encoding="utf-8")
    page = soup(viewer, PAGE)
    assert "The film cannot be shown" in text(page)
    assert len(page.select(".scene")) == 3
    (run.folder / "films" / TASK / "0.json").unlink()
    assert "There is no film of this episode, so its steps have no pictures. turkbench evaluate --film steps" in text(
        soup(viewer, PAGE)
    )


def test_a_request_that_is_gone_leaves_the_rest_to_be_seen(viewer: Client, run: RunDirectory) -> None:
    for file in (run.folder / "texts").iterdir():
        file.unlink()
    page = soup(viewer, PAGE)
    assert text(page).count("The request cannot be shown") == 3
    assert len(page.select(".scene details img")) == 1 + 2 + 3


def test_deeds_of_a_program_stand_among_the_steps(viewer: Client, runs_dir: Path) -> None:
    made = write(runs_dir, program := episode(record(), unseen=True, agent_report=AgentReport(cost=None, steps=7)))
    frames = (Frame(size=(10, 10)), Frame(size=(10, 10), deed="click (4, 2)"), Frame(size=(10, 10), deed=EVIL))
    made.films.write(program.task, program.index, Film(frames=frames, left_out=2, replayed=True), {})
    page = soup(viewer, "/runs/run/episode/T/0/")
    assert [code.get_text() for code in page.select(".deed code")] == ["click (4, 2)", EVIL]
    assert "More was done on the page than the steps say." in text(page)
    assert "2 later steps have no picture" in text(page)
    assert "steps 7 turns unknown model unknown tokens unknown cost unknown" in text(page.select_one(".figures"))
    assert "film made by a replay" in text(page)


def test_an_episode_by_no_one_and_one_that_failed_say_so(viewer: Client, runs_dir: Path) -> None:
    failed = episode(record(), index=1, outcome="harness_error", detail="the browser died three times")
    by_workers = episode(record(labels=("1", "2")), index=2, answered_by="workers", submission=None)
    write(runs_dir, episode(record(sent=("yes",))), failed, by_workers)
    assert "Nothing was done on this page." in text(soup(viewer, "/runs/run/episode/T/0/"))
    page = text(soup(viewer, "/runs/run/episode/T/1/"))
    assert "the browser died three times" in page
    assert "Nothing was read back from the form." in page
    assert "Score under standard –" in page
    page = text(soup(viewer, "/runs/run/episode/T/2/"))
    assert "Nobody worked on this page" in page
    assert "Score against the others" in page


def test_the_parts_of_the_time_of_a_filmed_episode_are_all_that_it_took(viewer: Client, runs_dir: Path) -> None:
    write(runs_dir, episode(record(sent=("yes",)), timing={"open": 1_000.0, "act": 2_000.0, "film": 3_000.0}))
    shown = text(soup(viewer, "/runs/run/episode/T/0/"))
    assert "took 6.0 s of it open 1.0 s, act 2.0 s, film 3.0 s" in shown


def test_a_run_whose_record_is_broken_still_shows_its_episodes(viewer: Client, run: RunDirectory) -> None:
    (run.folder / "run.json").write_text("{", encoding="utf-8")
    assert len(soup(viewer, PAGE).select(".scene")) == 4


FILLED = f"/filled/run/{TASK}/0/"


@pytest.mark.usefixtures("run")
def test_the_page_is_shown_in_a_frame_of_another_origin_that_can_send_nothing(viewer: Client) -> None:
    frame = soup(viewer, PAGE).iframe
    assert frame["src"] == f"{FILLED}?{ACCEPTED}"
    assert "".join(frame["sandbox"]) == "allow-scripts"
    policy = viewer.get(FILLED)["Content-Security-Policy"]
    assert {"sandbox allow-scripts", "form-action 'none'"} <= {part.strip() for part in policy.split(";")}


@pytest.mark.usefixtures("run")
def test_the_filled_page_holds_what_was_sent_and_no_label(viewer: Client) -> None:
    page = viewer.get(FILLED).content.decode()
    assert "the red cat" in page
    assert "dog" not in page


def test_a_value_cannot_end_the_script_that_fills_the_page_in(viewer: Client, runs_dir: Path, tasks_dir: Path) -> None:
    make_tasks(tasks_dir, TASK)
    play(runs_dir / "run", tasks_dir, always(a=EVIL))
    page = soup(viewer, FILLED)
    assert not any("alert" in str(script) and "VALUES" in str(script) for script in page.find_all("script"))
    assert page.find("img", src="x") is None


def test_a_page_that_is_another_here_is_not_shown(viewer: Client, run: RunDirectory, tasks_dir: Path) -> None:
    file = run.folder / "episodes" / TASK / "0.json"
    other = replace(run.episode(TASK, 0), id="f" * 12)
    file.write_text(json.dumps(plain(other)), encoding="utf-8")
    assert "another instance at its place" in text(soup(viewer, FILLED))
    (tasks_dir / TASK).rename(tasks_dir / "Renamed")
    assert "There is no task named" in text(soup(viewer, FILLED))


def test_what_judges_said_stands_above_as_text(viewer: Client, runs_dir: Path) -> None:
    run = write(runs_dir, episode(task=TASK))
    judged = JudgementFolder(judges_beside(run.folder) / "rule" / "1")
    who = JudgedRun.of(run.read())
    judged.begin(TrajectoryJudge(name="rule", run=who, method="rule", prompts=""))
    said = {"task": TASK, "index": 0, "id": "", "seen": "", "at": ""}
    judged.add(SavedJudgement(**said, outcome="failure", why="", reply=EVIL))
    shown = soup(viewer, PAGE).select_one("#judges")
    assert "rule failure" in text(shown)
    assert EVIL in shown.get_text()
    assert not shown.select("script, img")


def test_what_cannot_be_seen_is_shown_by_its_number(viewer: Client, runs_dir: Path, tasks_dir: Path) -> None:
    hidden = "pay \u202egnp\u202c \u200b\x07\r\nnext line"
    call = ToolCall("c", "modify_text", {"text": hidden})
    filmed_run(runs_dir / "run", tasks_dir, said=[(asked(1), Reply(hidden, (call,), thought=hidden))])
    page = soup(viewer, PAGE)
    for part in (".reply", "[data-fold=thoughts] pre", ".arguments pre"):
        shown = page.select_one(f".scene:nth-of-type(2) {part}")
        assert shown.get_text() == "pay U+202EgnpU+202C U+200BU+0007\nnext line"
        assert shown.select_one(".sign")["title"] == "RIGHT-TO-LEFT OVERRIDE"


def test_replies_are_shown_as_their_markdown_means_them_and_lead_nowhere(
    viewer: Client, runs_dir: Path, tasks_dir: Path
) -> None:
    written = (
        "# Plan\n\n**bold** <img src=x onerror=alert(1)> [go](http://evil.example/) ![p](http://evil.example/p.png) "
        '<http://evil.example/>\n\n```js" onclick="alert(1)\ncode\n```\n\n[r]\n\n[r]: http://evil.example/r'
    )
    filmed_run(runs_dir / "run", tasks_dir, said=[(asked(1), Reply(written))])
    plain_text = soup(viewer, PAGE)
    assert plain_text.select_one(".reply").get_text() == written
    reply = soup(viewer, PAGE + plain_text.select_one("#replies")["href"].partition("#")[0]).select_one(".reply")
    assert [each.get_text() for each in reply.select("h5, strong, code")] == ["Plan", "bold", "code\n"]
    assert not reply.select("a, img, [onclick], [class]")
    for address in (
        "(http://evil.example/)",
        "(http://evil.example/p.png)",
        "<http://evil.example/>",
        "http://evil.example/r",
    ):
        assert address in reply.get_text()


def test_tools_are_listed_once_with_their_arguments(viewer: Client, runs_dir: Path, tasks_dir: Path) -> None:
    schema = {"type": "object", "properties": {"how": {"enum": ["a", "b"], "description": "Which way"}}, "required": []}
    tools = ({"name": "act", "description": "x" * 2_000, "parameters": schema}, {"type": "computer", "width": 10})
    said = [(replace(asked(number), tools=tools), Reply("modify_text('a', 'b')")) for number in (1, 2)]
    filmed_run(runs_dir / "run", tasks_dir, said=said)
    (offered,) = soup(viewer, PAGE).select(".offered")
    assert "x" * 2_000 in text(offered)
    assert 'how one of "a", "b"'.replace('"', "") in text(offered).replace('"', "")
    assert "may be left out Which way" in text(offered)
    assert "computer" in text(offered)


def test_what_the_page_held_and_wrote_stands_at_its_step(viewer: Client, run: RunDirectory) -> None:
    film = run.film(TASK, 0)
    assert film
    held = gzip.compress(EVIL.encode(), mtime=0)
    frames = list(film.frames)
    frames[1] = replace(frames[1], html=page_name(held), console=("error: it is broken",))
    run.films.write(TASK, 0, replace(film, frames=tuple(frames)), {page_name(held): held})
    step = soup(viewer, PAGE).select_one("#step-1")
    assert "error: it is broken" in text(step)
    answer = viewer.get(step.select_one(".whole a")["href"])
    assert (answer.content.decode(), answer["Content-Type"]) == (EVIL, "text/plain; charset=utf-8")
    assert not soup(viewer, PAGE).select("#step-2 .whole")


def test_fields_that_lost_nothing_are_folded(viewer: Client, runs_dir: Path) -> None:
    right, wrong = record("right", "text", sent=("yes",)), record("wrong", "text", sent=("no",))
    write(runs_dir, episode(right, wrong))
    folds = soup(viewer, "/runs/run/episode/T/0/").select(".field-score")
    assert [(each.code.get_text(), each.has_attr("open")) for each in folds] == [("right", False), ("wrong", True)]
