"""Turns, steps and frames in the order in which they happened."""

from __future__ import annotations

from harness.actions.result import Step
from harness.records.film import Film, Frame
from harness.records.turn import Turn
from harness.reports.watch.episode_story import Story, story_of
from tests.samples import episode


def step(action: str = "finish()", **values) -> Step:
    return Step(**{"action": action, "ok": True, "message": "done", "ms": 1.0, **values})


def frame(step: int | None = None, **values) -> Frame:
    return Frame(**{"step": step, "size": (1280, 800), **values})


def film(*frames: Frame, **values) -> Film:
    return Film(frames=frames, **values)


def order(story: Story) -> list[list[str]]:
    return [[scene.ident, *(moment.ident for moment in scene.moments)] for scene in story.scenes]


def test_each_turn_is_followed_by_its_steps():
    made = episode(steps=(step(), step(), step()), turns=(Turn(steps=(0, 2)), Turn(steps=(2, 2)), Turn(steps=(2, 3))))
    assert order(story_of(made, None)) == [
        ["turn-1", "step-1", "step-2"],
        ["turn-2", "turn-2"],
        ["turn-3", "step-3"],
    ]


def test_steps_that_no_turn_led_to_stand_alone_in_their_place():
    made = episode(steps=(step(), step(), step()), turns=(Turn(steps=(1, 2)),))
    assert order(story_of(made, None)) == [["step-1", "step-1"], ["turn-1", "step-2"], ["step-3", "step-3"]]


def test_the_film_opens_with_the_page_and_shows_each_step():
    made = episode(steps=(step(), step()), turns=(Turn(steps=(0, 2)),))
    story = story_of(made, film(frame(picture="open"), frame(0, picture="one"), frame(1, picture="two")))
    assert order(story) == [["opening", "opening"], ["turn-1", "step-1", "step-2"]]
    assert [moment.frame.picture for moment in story.moments] == ["open", "one", "two"]


def test_deeds_of_a_program_stand_where_they_were_done():
    deeds = [frame(), frame(deed="click (4, 9)"), frame(0), frame(deed="type 'x'")]
    story = story_of(episode(steps=(step(),)), film(*deeds))
    assert [moment.ident for moment in story.moments] == ["opening", "frame-2", "step-1", "frame-4"]


def test_where_nothing_was_filmed_the_page_is_as_it_was():
    made = episode(steps=(step(), step()))
    story = story_of(made, film(frame(picture="open"), frame(1, picture="two"), left_out=3))
    assert [(m.frame.picture, m.fresh) for m in story.moments] == [("open", True), ("open", False), ("two", True)]
    assert story.frames_left_out == 3


def test_without_a_film_there_are_no_pictures():
    story = story_of(episode(steps=(step(),)), None)
    assert not story.filmed
    assert [moment.frame for moment in story.moments] == [None]


def test_turns_of_a_lost_attempt_come_first():
    made = episode(turns=(Turn(reply="b"),), lost_turns=(Turn(reply="a"),))
    story = story_of(made, None)
    assert [(scene.ident, scene.lost) for scene in story.scenes] == [("lost-turn-1", True), ("turn-1", False)]


def test_what_a_record_says_of_steps_that_there_are_not_is_passed_over():
    made = episode(steps=(step(), step()), turns=(Turn(steps=(-3, 1)), Turn(steps=(0, 99)), Turn(steps=(5, 2))))
    story = story_of(made, film(frame(7, picture="x"), frame(-1), frame(0), frame(0, picture="again")))
    assert order(story)[-3:] == [["turn-1", "step-1"], ["turn-2", "step-2"], ["turn-3", "turn-3"]]
    assert [m.ident for m in story.moments if m.step] == ["step-1", "step-2"]


def test_an_episode_in_which_nothing_happened_has_no_scene():
    assert story_of(episode(outcome="harness_error"), None).scenes == ()
