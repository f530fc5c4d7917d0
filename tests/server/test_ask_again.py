"""Asking a model again what it was asked in a turn: from this machine alone, once a click, and nothing is kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from django.test import Client, override_settings

from harness.records.directory import RunDirectory
from tests.models.servers import Server, failure, openai_reply
from tests.reports.watch.made import TASK, filmed_run
from tests.server.pages import soup, text

EPISODE = f"/runs/run/episode/{TASK}/0/"
PAGE = f"{EPISODE}ask/2/"
KEY = "sk-a-key-that-nobody-may-see-0123456789"


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server of this machine, which the run's model is behind."""
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("MODEL_API_KEY", KEY)
    with Server([openai_reply("modify_text('a', 'dog')", usage=(900, 7, 0))]) as server:
        yield server


def with_model(folder: Path, **options: str) -> None:
    """Say of a run that a model was asked."""
    run = RunDirectory(folder)
    record = run.read()
    run.write(replace(record, config=replace(record.config, solver="llama", options=options)))


@pytest.fixture
def run(runs_dir: Path, tasks_dir: Path, provider: Server) -> Path:
    """A run of a model of this machine, three turns."""
    folder = filmed_run(runs_dir / "run", tasks_dir)
    with_model(folder, model="m", base_url=f"{provider.url}/v1")
    return folder


def test_a_changed_prompt_is_sent_once_and_answered_beside_the_old_answer(
    viewer: Client, run: Path, provider: Server
) -> None:
    before = everything(run)
    link = soup(viewer, EPISODE).select(".scene")[2].find("a", string="Ask again, with changes")
    page = soup(viewer, link["href"])
    assert [each["value"] for each in page.select("#model option")] == ["own"]
    names = [each["name"] for each in page.select("textarea")]
    answer = viewer.post(PAGE, {"model": "own", names[-1]: "Say\r\nsomething else."})
    shown = text(BeautifulSoup(answer.content, "html.parser"))
    assert "modify_text('a', 'cat 2')" in shown
    assert "modify_text('a', 'dog')" in shown
    assert "900 tokens in, 7 out" in shown
    assert "cost unknown" in shown
    (asked,) = provider.requests
    sent = asked.json["messages"]
    assert sent[-1]["content"][-1]["text"] == "Say\nsomething else."
    assert sent[0]["content"] == "Act on the page."
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert everything(run) == before


def everything(folder: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


def test_a_refusal_is_told_without_the_key(viewer: Client, run: Path, provider: Server) -> None:
    del run
    provider.answer_by([failure("openai", 401, f"Incorrect key {KEY}")])
    said = viewer.post(PAGE, {"model": "own"}).content.decode()
    assert 'role="alert"' in said
    assert KEY not in said
    assert len(provider.requests) == 1


@pytest.mark.parametrize(
    "setting", [{"TURKLE_LOOPBACK": False}, {"TURKLE_ORIGINS": ("https://a.example", "https://b.example")}]
)
def test_nobody_asks_where_others_reach_the_server(
    viewer: Client, run: Path, provider: Server, setting: dict[str, object]
) -> None:
    del run
    with override_settings(**setting):
        assert viewer.get(PAGE).status_code == 403
        assert viewer.post(PAGE, {"model": "own"}).status_code == 403
        assert "Ask again" not in viewer.get(EPISODE).content.decode()
    assert not provider.requests


def test_a_forged_question_is_not_asked(viewer: Client, run: Path, provider: Server) -> None:
    del viewer, run
    strict = Client(SERVER_NAME="localhost", enforce_csrf_checks=True)
    assert strict.post(PAGE, {"model": "own"}).status_code == 403
    assert not provider.requests


def test_a_strangers_run_names_neither_a_server_elsewhere_nor_a_key(
    viewer: Client, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_OF_SOMETHING", "a-secret-of-something-else")
    with_model(run, model="m", base_url="https://models.example/v1", api_key_env="SECRET_OF_SOMETHING")
    page = soup(viewer, PAGE)
    assert not page.select("#model option")
    assert "No model can be asked" in text(page)
    assert viewer.post(PAGE, {"model": "own"}).content.decode().count("cannot be asked from here") == 1


def test_presets_are_listed_whose_key_is_there(viewer: Client, run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_model(run)
    assert not soup(viewer, PAGE).select("#model option")
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    listed = [each["value"] for each in soup(viewer, PAGE).select("#model option")]
    assert "claude" in listed
    assert not any(each.startswith("gpt") for each in listed)
