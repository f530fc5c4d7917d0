"""Tasks on websites of the web, with servers on this machine in place of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.browser.browser_choice import NavigationPolicy
from harness.catalog.login import LOGIN
from harness.cli.boundary import COMPLETE
from harness.cli.commands import evaluate
from harness.cli.commands.tasks import sets
from harness.papers.webcanvas.mind2web_live import import_tasks
from harness.records.directory import RunDirectory
from harness.run import plan
from tests.datasets.webarena_files import configured, page, write_file
from tests.site import Site
from tests.websites import whole

SHOPPING = "http://www.hats.test"
URL = f"{SHOPPING}/en"
PUBLIC = [
    {
        "index": 7,
        "task": "Find a hat",
        "reference_task_length": 3,
        "evaluation": [
            {
                "match_function_name": "url_included_match",
                "content": {"key": "", "reference_answer": "hats.", "url": URL},
            },
            {
                "match_function_name": "url_exactly_match",
                "content": {"key": "q", "reference_answer": "a hat", "url": f"{URL}?q=a+hat"},
            },
        ],
    }
]


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A server that browsers find under every name of the tests."""
    site = Site()
    place = site.origin.removeprefix("http://")
    names = ("www.hats.test", "elsewhere.test")
    monkeypatch.setattr(
        plan,
        "site_policy",
        lambda origins, _server, **_: NavigationPolicy(origins, dict.fromkeys(names, place)),
    )
    yield site
    site.close()


@pytest.mark.slow
def test_an_imported_task_is_played_at_its_own_hosts_which_are_named_and_nowhere_else(
    web: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "public.json").write_text(json.dumps(PUBLIC), encoding="utf-8")
    import_tasks(tmp_path / "public.json", tmp_path / "tasks")
    web.put(whole("Hats", "<p>Welcome</p>"), "/")
    web.put(whole("Found", "<a href=/away>A hat</a><img src=http://elsewhere.test/hat.png>"), "/search")
    web.put("", "/away", status=302, headers={"Location": "http://elsewhere.test/there"})
    given = ["--tasks-dir", str(tmp_path / "tasks"), "--solver", "tests.run_solvers:SearchesTheWeb", "--workers", "1"]
    out = ["--out", str(tmp_path / "run"), "--progress", "plain"]
    assert evaluate.main([*given, *out, "--network", "live"]) == COMPLETE
    said = capsys.readouterr()
    assert "browsers REACH THE WEB, at www.hats.test, and nothing else of it" in said.err + said.out
    (episode,) = RunDirectory(tmp_path / "run").episodes()
    assert episode.site is not None
    assert (episode.outcome, episode.site.state, episode.site.state_before) == ("scored", None, None)
    assert [each.score for each in episode.site.evaluations] == [1.0]
    assert episode.site.refused == ("http://elsewhere.test/there",)
    assert {path.partition("?")[0] for _, path in web.since(0)} == {"/", "/search", "/away"}


@pytest.mark.slow
def test_a_webarena_task_is_played_at_ones_own_address_logged_in_and_read_at_its_post(
    web: Site, tmp_path: Path
) -> None:
    who = page("last", "document.querySelector('#who').outerText", exact_match="session=alice")
    vote = page(
        "func:reddit_get_post_url('__last_url__')",
        "document.querySelector('i').getAttribute('class')",
        exact_match="up",
    )
    start = "__SHOPPING__/f/hats/12/a-title/comment/7/"
    entry = configured(
        1, ["program_html"], start=start, storage_state="./.auth/shopping_state.json", program_html=[who, vote]
    )
    script = "<p id=who></p><script>who.textContent = document.cookie</script>"
    web.put(whole("Comment", script), "/f/hats/12/a-title/comment/7/")
    web.put(whole("Post", "<i class=up>1</i>"), "/f/hats/12/")
    alice = {
        "name": "session",
        "value": "alice",
        "domain": "www.hats.test",
        "path": "/",
        "expires": -1,
        "httpOnly": False,
    }
    mallory = {"name": "other", "value": "mallory", "domain": "elsewhere.test", "path": "/"}
    (tmp_path / "state.json").write_text(json.dumps({"cookies": [alice, mallory], "origins": []}), encoding="utf-8")
    tasks = tmp_path / "tasks"
    given = ["import", "webarena", write_file(tmp_path, entry), tasks, "--origin", f"shopping={SHOPPING}"]
    assert sets.main([*map(str, given), "--login", str(tmp_path / "state.json")]) == COMPLETE
    assert "mallory" not in (tasks / LOGIN).read_text(encoding="utf-8")
    options = ["--tasks-dir", str(tasks), "--solver", "do-nothing", "--workers", "1", "--network", "live"]
    assert evaluate.main([*options, "--out", str(tmp_path / "run"), "--progress", "quiet"]) == COMPLETE
    (episode,) = RunDirectory(tmp_path / "run").episodes()
    assert episode.site is not None
    assert episode.site.evaluations[0].success is True, episode.site.evaluations
    assert all("alice" not in file.read_text(errors="replace") for file in (tmp_path / "run").glob("*.json"))
