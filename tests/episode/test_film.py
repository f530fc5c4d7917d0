"""The film of an episode: a frame when the page has opened, and one after each step, over each input back end."""

from __future__ import annotations

import time

import pytest

from harness.browser.camera.camera import Camera, Exposure, Shot
from harness.browser.input_back_end import BrowserSession, DevtoolsInput
from harness.episode import film
from harness.episode.film import FilmedTrajectory, FilmRoll
from harness.episode.library import Actions
from harness.episode.play import PlayedPage, play_page
from harness.episode.trajectory import LimitReached, Trajectory
from harness.records.config import Limits
from harness.records.film import Film, Target
from oracle.oracle import Oracle
from tests.runs import Stage, stage
from tests.site import Site, done, whole_page
from tests.task_folders import csv_text, make_task

FORM = """<label>Name <input name=name></label><label><input type=radio name=r value=a> A</label>
<select name=s><option value=1>One<option value=2>Two</select><p style='height:2000px'>x</p>
<button type=button id=more>More <i>of it</i></button>"""


@pytest.fixture(params=["devtools", "webdriver", "desktop"])
def session(request) -> BrowserSession:
    """A browser over each input back end."""
    if request.param == "desktop":
        return request.getfixturevalue("desktop")
    browser = request.getfixturevalue("browser")
    over_devtools = request.param == "devtools"
    return BrowserSession(browser, DevtoolsInput(browser) if over_devtools else request.getfixturevalue("webdriver"))


def filmed(session: BrowserSession, site: Site, body: str = FORM, limits: Limits | None = None) -> Actions:
    session.browser.open(site.put(whole_page(body, head="<title>A form</title>")))
    trajectory = FilmedTrajectory(limits or Limits(), Camera(session.browser, "png"))
    return Actions(session.browser, session.input, trajectory)


def film_of(actions: Actions) -> Film:
    assert isinstance(actions.trajectory, FilmedTrajectory)
    made = actions.trajectory.film()
    named = {name for frame in made.film.frames for name in (frame.picture, frame.html) if name}
    assert named == set(made.pictures)
    return made.film


@pytest.mark.slow
def test_there_is_a_frame_of_the_page_as_it_opened_and_one_after_each_step(session: BrowserSession, site: Site):
    act = filmed(session, site)
    done(act.modify_text("name", "yes"))
    done(act.modify_radio("r", "a"))
    done(act.modify_select("s", "2"))
    done(act.scroll(0, 600))
    opened, text, radio, chosen, scrolled = film_of(act).frames
    assert [frame.step for frame in (opened, text, radio, chosen, scrolled)] == [None, 0, 1, 2, 3]
    assert {(frame.title, frame.size, frame.deed) for frame in film_of(act).frames} == {("A form", (1280, 800), "")}
    assert opened.url.startswith(site.origin)
    assert (opened.target, opened.presses, opened.keys) == (None, 0, 0)
    found = [frame.target for frame in (text, radio, chosen)]
    assert [(target.css, target.text) for target in found if target] == [
        ('input[name="name"]', "Name"),
        ('input[name="r"]', "A"),
        ('select[name="s"]', "s"),
    ]
    assert all(isinstance(target, Target) and target.box and target.box[2] > 0 for target in found)
    assert (text.presses, radio.presses) == (1, 1)
    assert text.keys
    assert (opened.scroll[1], scrolled.scroll[1] > 500) == (0, True)
    assert len({frame.picture for frame in (opened, text, radio, scrolled)}) == 4


def test_what_an_action_is_refused_on_is_shown_all_the_same(session: BrowserSession, site: Site):
    act = filmed(session, site, "<input name=a disabled>")
    assert not act.modify_text("a", "x").ok
    frame = film_of(act).frames[1]
    assert (frame.step, frame.target and frame.target.css, frame.presses) == (0, 'input[name="a"]', 0)


def test_an_element_that_is_known_by_its_number_is_told(session: BrowserSession, site: Site):
    act = filmed(session, site)
    snapshot = act.observation.snapshot()
    number = next(node.ref for node in snapshot.nodes if node.ref and dict(node.attributes).get("id") == "more")
    done(act.click_element(number))
    target = film_of(act).frames[1].target
    assert target is not None
    assert (target.css, target.xpath, target.text) == ("#more", "//*[@id='more']", "More of it")


def test_a_film_takes_none_of_the_solvers_time(session: BrowserSession, site: Site, monkeypatch):
    act = filmed(session, site, limits=Limits(max_seconds=1000.0))
    trajectory, slow = act.trajectory, Shot(ms=5_000.0)
    clock = [time.monotonic()]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(time, "perf_counter", lambda: clock[0])

    def develop(*_: object) -> Shot:
        clock[0] += 5_000.0
        return slow

    monkeypatch.setattr(Camera, "develop", develop)
    before = trajectory.seconds_left()
    done(act.modify_radio("r", "a"))
    film_of(act)
    assert trajectory.seconds_left() == pytest.approx(before, abs=1.0)
    assert trajectory.steps[0].ms < 5_000.0
    done(act.modify_text("name", "in time"))


def test_a_page_that_cannot_be_asked_has_empty_frames_and_the_episode_goes_on(session, site, monkeypatch):
    monkeypatch.setattr(Camera, "develop", lambda *_: Shot())
    act = filmed(session, site)
    done(act.modify_radio("r", "a"))
    assert [(frame.picture, frame.target, frame.presses) for frame in film_of(act).frames] == [("", None, None)] * 2


def test_at_a_limit_there_is_no_frame(session: BrowserSession, site: Site):
    act = filmed(session, site, limits=Limits(max_steps=1))
    done(act.modify_radio("r", "a"))
    with pytest.raises(LimitReached):
        act.modify_radio("r", "a")
    assert len(film_of(act).frames) == 2


def test_a_film_has_bounds(monkeypatch):
    monkeypatch.setattr(film, "MOST_FRAMES", 3)
    monkeypatch.setattr(film, "MOST_BYTES", 10)
    roll = FilmRoll("png")
    for number in range(5):
        roll.add(Shot(picture=bytes([number]) * 6), step=number)
    made = roll.film()
    assert ([bool(frame.picture) for frame in made.film.frames], made.film.left_out) == ([True, False, False], 2)
    assert sum(map(len, made.pictures.values())) <= 10


def test_a_picture_that_is_none_is_left_empty():
    roll = FilmRoll("webp")
    roll.add(Shot(picture=b"no picture"))
    assert roll.film().film.frames[0].picture == ""


@pytest.fixture(scope="module")
def at(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tasks")
    table = csv_text(["text", "Answer.a", "Answer.b"], ["x", "yes", "on"])
    make_task(folder, "Plain", template="<p>${text}</p><input name=a><input type=checkbox name=b>", table=table)
    with stage(folder) as made:
        yield made


def play(at: Stage, **how) -> tuple[PlayedPage, Trajectory]:
    session = BrowserSession(at.browser, DevtoolsInput(at.browser))
    return play_page(session, Oracle(), at.assignment("Plain"), Limits(), **how)


@pytest.mark.slow
def test_an_episode_is_the_same_with_a_film_and_without(at: Stage):
    plain, without = play(at)
    seen, trajectory = play(at, film="webp")
    assert isinstance(trajectory, FilmedTrajectory)
    assert not isinstance(without, FilmedTrajectory)
    assert seen.body == plain.body
    assert [(step.action, step.ok, step.message) for step in seen.steps] == [
        (step.action, step.ok, step.message) for step in plain.steps
    ]
    assert seen.messages == plain.messages
    assert "film" in seen.timing
    assert "film" not in plain.timing
    frames = trajectory.film().film.frames
    assert [frame.step for frame in frames] == [None, *range(len(plain.steps))]
    assert all(frame.picture.endswith(".webp") for frame in frames)


def test_a_frame_is_waited_for_when_the_next_step_begins_or_the_film_ends(session, site, monkeypatch):
    waited: list[int] = []
    develop = Camera.develop

    def counted(camera: Camera, exposure: Exposure) -> Shot:
        waited.append(len(act.trajectory.steps))
        return develop(camera, exposure)

    act = filmed(session, site)
    monkeypatch.setattr(Camera, "develop", counted)
    done(act.modify_radio("r", "a"))
    assert waited == []
    done(act.modify_text("name", "yes"))
    assert waited == [1]
    act.trajectory.end_film()
    assert waited == [1, 2]
    assert len({frame.picture for frame in film_of(act).frames}) == 3
