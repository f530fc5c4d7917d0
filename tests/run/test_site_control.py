"""The run's side of the control API: episodes on bundled sites are begun, asked for and ended by who has the key."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.episode.site_assignment import SiteSetting
from harness.run.server import own_server
from harness.run.site_control import SiteControl, SiteControlRefused, new_episode, new_key
from tests.site_tasks import make_site_task

TRAVEL = SiteSetting("travel", "", 3)


@pytest.fixture(scope="module")
def key() -> str:
    return new_key()


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory, key: str) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("tasks")
    make_site_task(folder, "T")
    with own_server(folder, None, control_key=key) as server:
        yield server


def test_an_episode_is_begun_told_and_ended(origin: str, key: str) -> None:
    control, episode = SiteControl(origin, key), new_episode()
    begun = control.begin(episode, TRAVEL)
    assert begun == control.state(episode)
    assert begun
    control.end(episode)
    with pytest.raises(SiteControlRefused, match="there is no such episode"):
        control.state(episode)


def test_the_same_setting_makes_the_same_state_and_episodes_are_named_apart(origin: str, key: str) -> None:
    control = SiteControl(origin, key)
    first, second = new_episode(), new_episode()
    assert first != second
    assert control.begin(first, TRAVEL) == control.begin(second, TRAVEL)


@pytest.mark.parametrize(
    ("setting", "what"),
    [
        (SiteSetting("moon"), "site is 'moon'"),
        (SiteSetting("travel", "upside-down"), "variant is 'upside-down'"),
        (SiteSetting("travel", "", -1), "seed is -1"),
    ],
)
def test_what_there_is_not_is_refused_in_words(origin: str, key: str, setting: SiteSetting, what: str) -> None:
    with pytest.raises(SiteControlRefused, match=what):
        SiteControl(origin, key).begin(new_episode(), setting)


def test_without_the_key_there_is_no_control(origin: str) -> None:
    with pytest.raises(SiteControlRefused, match="status 404"):
        SiteControl(origin, new_key()).begin(new_episode(), TRAVEL)


def test_a_server_that_was_given_no_key_has_no_control(tmp_path: Path, key: str) -> None:
    make_site_task(tmp_path, "T")
    with own_server(tmp_path, None) as server, pytest.raises(SiteControlRefused, match="status 404"):
        SiteControl(server, key).begin(new_episode(), TRAVEL)


def test_a_server_that_is_gone_is_told_in_a_line(tmp_path: Path, key: str) -> None:
    make_site_task(tmp_path, "T")
    with own_server(tmp_path, None, control_key=key) as server:
        pass
    with pytest.raises(SiteControlRefused, match="the task server cannot be asked"):
        SiteControl(server, key).state(new_episode())
