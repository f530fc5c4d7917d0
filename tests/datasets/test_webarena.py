"""WebArena's configuration files: what tasks are made of them, and what is left out or refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from harness.catalog import Catalog, CatalogError
from harness.catalog.login import LOGIN
from harness.catalog.site_facts import Look
from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands.tasks.sets import main
from harness.datasets.tasksets import DatasetError
from harness.datasets.webarena import LEFT_OUT, import_webarena, read_origin
from harness.datasets.webarena_locators import look_of
from harness.episode.site_assignment import site_assignment
from tests.datasets.webarena_files import configured, page, write_file

SHOP = [read_origin("shopping=http://arena.test:7770/"), read_origin("shopping_admin=http://arena.test:7780/admin")]
RIGHT = configured(0, ["string_match"], reference_answers={"exact_match": "six"})


@pytest.mark.parametrize(
    ("locator", "look"),
    [
        ("", Look(reads="markup")),
        ("document.querySelector('#a b').outerText", Look(css="#a b")),
        ('document.querySelector("[name=\\"a\\"").value;', Look(css='[name="a"', reads="value")),
        ("document.querySelectorAll('td')[3].innerText", Look(css="td", number=3)),
        ("document.getElementById('a\"b')?.textContent", Look(css='[id="a\\22 b"]')),
        ('document.getElementsByClassName("a b")[0].outerHTML', Look(css='[class~="a"][class~="b"]', reads="markup")),
        ("[...document.querySelectorAll('li')].map(e => e.outerText).join(' ')", Look(css="li", number=None)),
        ("document.querySelector('\\u0041').value", Look(css="A", reads="value")),
        (
            "document.querySelector('div.vote').querySelector('form').getAttribute('class')",
            Look(css=":is(div.vote) :is(form)", reads="attribute", attribute="class"),
        ),
        (
            'document.querySelector("#notes").lastElementChild.querySelector(".body").outerText',
            Look(css=":is(:is(#notes) > :last-child) :is(.body)"),
        ),
        ('document.querySelector("select.engine").selectedIndex', Look(css="select.engine", reads="selected")),
        ("document.querySelector('[id=\"a\"').querySelector('b').outerText", None),
        ("document.querySelector('a').querySelector(fetch('/x')).outerText", None),
        ("document.querySelector('a').getAttribute(name)", None),
        ("document.title", None),
        ("document.querySelector('a').outerText + fetch('/x')", None),
        ("document.querySelector('a').click()", None),
        ("document.querySelector(`${name}`).outerText", None),
        ("document.querySelector('').outerText", None),
        ("[...document.querySelectorAll('li')].map(e => f.outerText).join(' ')", None),
        ("(() => document.querySelector('a').outerText)()", None),
    ],
)
def test_locator_is_read_as_a_place_or_not_at_all(locator: str, look: Look | None) -> None:
    assert look_of(locator, "") == look


@pytest.mark.parametrize(
    ("left", "opened"),
    [
        ("http://f.test:9/f/books/12/a-title/comment/7?x=1", "http://f.test:9/f/books/12/"),
        ("http://f.test/f/books/12", "http://f.test/f/books/12/"),
        ("http://f.test/f/books", ""),
        ("http://f.test/user/books/12/", ""),
    ],
)
def test_the_post_of_a_comment_is_the_one_helper_function_that_is_carried_out(
    tmp_path: Path, left: str, opened: str
) -> None:
    written = page("func:reddit_get_post_url('__last_url__')", "", must_include=["a"])
    file = write_file(tmp_path, configured(1, ["program_html"], program_html=[written]))
    import_webarena(file, tmp_path / "tasks", SHOP)
    (check,) = Catalog(tmp_path / "tasks").task("WebArena 001").site.evaluators.checks
    assert check.look.place(left) == opened


def test_a_task_has_the_addresses_that_were_given_for_its_sites(tmp_path: Path) -> None:
    entry = configured(
        7,
        ["url_match", "program_html"],
        start="__SHOPPING_ADMIN__/orders",
        storage_state="./.auth/state.json",
        reference_url="__SHOPPING_ADMIN__/orders",
        program_html=[page("__SHOPPING__/cart", "", must_include=["see __SHOPPING__/help |OR| none"])],
    )
    made = import_webarena(write_file(tmp_path, RIGHT, entry), tmp_path / "tasks", SHOP)
    assert (made.tasks, made.checks, made.judged, made.logged_out, made.left_out) == (2, 3, 0, 1, {})
    catalog = Catalog(tmp_path / "tasks")
    assert catalog.select(None, None) == ["WebArena 000", "WebArena 007"]
    task = catalog.task("WebArena 007")
    assert task.site is not None
    assert (task.site.start, task.site.max_steps) == ("http://arena.test:7780/admin/orders", 30)
    assert task.site.origins == ("http://arena.test:7780", "http://arena.test:7770")
    address, read = task.site.evaluators.checks
    assert [each.reference for each in address.any_of] == ["http://arena.test:7780/admin/orders"]
    assert [each.reference for each in read.any_of] == ["see http://arena.test:7770/help", "none"]
    assert read.look == Look(url="http://arena.test:7770/cart", reads="markup")
    assert "logged in" in task.facts.known_issues[0]


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        (configured(1, ["string_match"], start="__MAP__", reference_answers={"exact_match": "a"}), "where map is"),
        (configured(1, ["string_match"], start="__SHOPPING__ |AND| __SHOPPING__/a"), "several tabs"),
        (configured(1, ["string_match"]), "no reference_answers"),
        (configured(1, ["string_match"], reference_answers={"near_match": "a"}), "near_match"),
        (configured(1, ["string_match"], reference_answers={"must_include": [""]}), "empty"),
        (configured(1, ["string_match"], geolocation={"latitude": 1}), "geolocation"),
        (configured(1, ["url_match"], reference_url="__SHOPPING__", url_note="NEAR"), "NEAR"),
        (configured(1, ["url_match"]), "empty"),
        (configured(1, ["page_image_query"]), "page_image_query"),
        (configured(1, []), "eval_types"),
        (configured(1, ["program_html"], program_html=[page("func:order('__last_url__')", "")]), "not run (order)"),
        (configured(1, ["program_html"], program_html=[page("last", "func:f(__page__)")]), "not run (f)"),
        (configured(1, ["program_html"], program_html=[page("last", "document.title")]), "JavaScript"),
        (configured(1, ["program_html"], program_html=[page("last", "", any_of=["a"])]), "required_contents"),
        (configured(1, ["program_html"], program_html=[page("/cart", "", exact_match="a")]), "no address"),
        (
            configured(1, ["program_html"], program_html=[{**page("last", "", exact_match="a"), "prep_actions": []}]),
            "prep_actions",
        ),
        (configured(1, ["string_match"], reference_answers={"exact_match": "${a}"}), "fills in"),
    ],
)
def test_task_that_cannot_be_held_is_left_out_counted_and_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], entry: dict[str, Any], why: str
) -> None:
    file = write_file(tmp_path, RIGHT, entry)
    out = tmp_path / "tasks"
    origin = ["--origin", "shopping=bundled:shop"]
    assert main(["import", "webarena", str(file), str(out), *origin]) == COMPLETE
    printed, told = capsys.readouterr()
    assert f"1 task, 1 check, 0 with a judge; left out: 1 task, named in {LEFT_OUT}" in printed
    assert told.startswith("left out: 1 task: ")
    assert why in told
    (left_out,) = json.loads((out / LEFT_OUT).read_text(encoding="utf-8"))
    assert left_out["task_id"] == 1
    assert why in left_out["why"]
    assert Catalog(out).select(None, None) == ["WebArena 000"]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("{", "line 1"),
        ("[]", "no task of it can be held"),
        ("[7]", "task 1: it has no task_id"),
        (json.dumps([RIGHT, RIGHT]), "task 2: another task has the task_id 0"),
        (json.dumps([{**RIGHT, "intent": ""}]), "(task_id 0): it has no intent"),
        (json.dumps([{**RIGHT, "start_url": "__MAP__"}]), "no --origin says where map is (1)"),
    ],
)
def test_file_that_is_none_is_refused_and_nothing_is_written(tmp_path: Path, data: str, words: str) -> None:
    file = tmp_path / "tasks.json"
    file.write_text(data, encoding="utf-8")
    with pytest.raises(DatasetError, match=re.escape(words)):
        import_webarena(file, tmp_path / "tasks", SHOP)
    assert not (tmp_path / "tasks").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["webarena", "--origin", "shopping"], "'shopping' is no place of a site"),
        (["webarena", "--origin", "shopping=ftp://a"], "write it as"),
        (["webarena", "--origin", "shopping=http://127.0.0.1:7770"], "an address of this machine itself"),
        (["webarena", "--origin", "shopping=http://localhost:7770"], "an address of this machine itself"),
        (["mind2web-live", "--origin", "shopping=http://a.test"], "--origin and --login are for webarena only"),
    ],
)
def test_wrong_use_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    file = write_file(tmp_path, RIGHT)
    assert main(["import", arguments[0], str(file), str(tmp_path / "tasks"), *arguments[1:]]) == WRONG_USE
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("cookies", "why"),
    [
        ([{"name": "s", "value": "v", "domain": "elsewhere.test"}], "no cookie for a site that --origin names"),
        ([{"name": "s", "value": "v", "domain": ".arena.test", "expires": 1}], "have run out; log in again"),
        ("none", "no browser's state"),
    ],
)
def test_a_login_that_is_of_no_use_is_refused_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], cookies: object, why: str
) -> None:
    state = tmp_path / "state.json"
    state.write_text(json.dumps({"cookies": cookies}), encoding="utf-8")
    given = ["import", "webarena", str(write_file(tmp_path, RIGHT)), str(tmp_path / "tasks"), "--login", str(state)]
    assert main([*given, "--origin", "shopping=http://arena.test:7770"]) == WRONG_USE
    assert why in capsys.readouterr().err
    assert not (tmp_path / "tasks").exists()


def test_a_task_says_that_it_is_played_logged_out_only_where_no_login_is_for_its_site(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    cookie = {"name": "s", "value": "v", "domain": ".arena.test", "path": "/", "expires": -1}
    state.write_text(json.dumps({"cookies": [cookie]}), encoding="utf-8")
    entry = configured(
        1, ["string_match"], storage_state="./.auth/shopping_state.json", reference_answers={"exact_match": "six"}
    )
    file = write_file(tmp_path, entry)
    assert import_webarena(file, tmp_path / "out", SHOP).logged_out == 1
    assert import_webarena(file, tmp_path / "in", SHOP, [state]).logged_out == 0
    task = Catalog(tmp_path / "in").task("WebArena 001")
    (given,) = site_assignment(task, task.instances[0], 0).login
    assert (given.domain, given.value) == (".arena.test", "v")
    (tmp_path / "in" / LOGIN).write_text(json.dumps({"cookies": [{**cookie, "expires": 1}]}), encoding="utf-8")
    with pytest.raises(CatalogError, match="have run out; log in again"):
        site_assignment(task, task.instances[0], 0)
