from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from harness import inventory
from harness.inventory import PageFacts, TaskInventory, cache_folder, fingerprint, inspect_page
from tests.runs import Stage, stage
from tests.samples import field, submission, task
from tests.task_folders import csv_text, make_task

FACTS = PageFacts((field("a", "radio", "1", "2", initial=("1",)),), submission(a=("1",)), ("TypeError: x",))


def load(made, folder: Path, *, live_clock: bool = False) -> TaskInventory:
    return TaskInventory.load(made, live_clock=live_clock, folder=folder)


def saved(made, folder: Path, **pages: PageFacts) -> TaskInventory:
    found = load(made, folder)
    found.pages.update(pages)
    found.save()
    return found


def test_what_was_seen_comes_back_as_it_was(tmp_path):
    made = task({"a": ["x"]}, {"a": ["y"]})
    saved(made, tmp_path, **{made.instances[0].id: FACTS})
    again = load(made, tmp_path)
    assert again.pages == {made.instances[0].id: FACTS}
    assert again.missing(made.instances) == [made.instances[1]]


def test_what_another_run_saw_meanwhile_is_kept(tmp_path):
    made = task({"a": ["x"]})
    first, second = load(made, tmp_path), load(made, tmp_path)
    first.pages["one"] = FACTS
    first.save()
    second.pages["two"] = FACTS
    second.save()
    assert set(load(made, tmp_path).pages) == {"one", "two"}


def test_another_template_clock_or_task_is_looked_at_anew(tmp_path):
    made = task({"a": ["x"]})
    saved(made, tmp_path, one=FACTS)
    assert load(made, tmp_path, live_clock=True).pages == {}
    assert load(replace(made, template="<p>other</p>"), tmp_path).pages == {}
    assert load(replace(made, name="Other"), tmp_path).pages == {}


def test_a_page_seen_by_other_code_of_ours_is_looked_at_anew(tmp_path, monkeypatch):
    made = task({"a": ["x"]})
    saved(made, tmp_path, one=FACTS)
    monkeypatch.setattr(inventory, "_code_hash", lambda: "other")
    assert load(made, tmp_path).pages == {}


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"{", b"[]", b'{"one": 1}', b'{"one": {"fields": []}}', b'{"one": []}', b"\xff"),
        json.dumps({"one": {**FACTS.to_json(), "untouched": {**FACTS.untouched.to_json(), "values": []}}}).encode(),
    ],
)
def test_a_damaged_cache_is_as_good_as_none(tmp_path, content):
    made = task({"a": ["x"]})
    file = saved(made, tmp_path, one=FACTS).file
    file.write_bytes(content)
    again = load(made, tmp_path)
    assert again.pages == {}
    again.pages["two"] = FACTS
    again.save()
    assert load(made, tmp_path).pages["two"] == FACTS


def test_a_cache_that_cannot_be_written_stops_nothing(tmp_path):
    (tmp_path / "inventory").write_text("a file where the folder should be", encoding="utf-8")
    found = load(task({"a": ["x"]}), tmp_path)
    found.pages["one"] = FACTS
    found.save()
    assert load(found.task, tmp_path).pages == {}


def test_the_cache_is_the_users(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "turking-harness"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert cache_folder() == tmp_path / ".cache" / "turking-harness"


def test_a_task_of_any_name_has_its_file(tmp_path):
    made = replace(task({"a": ["x"]}), name="a/b" * 100)
    assert saved(made, tmp_path, one=FACTS).file.parent == tmp_path / "inventory"
    assert load(made, tmp_path).pages == {"one": FACTS}


def test_the_fingerprint_depends_on_names_kinds_and_options():
    pages = [
        FACTS,
        replace(FACTS, fields=(field("b", "radio", "1", "2"),)),
        replace(FACTS, fields=(field("a", "checkbox", "1", "2"),)),
        replace(FACTS, fields=(field("a", "radio", "1", "3"),)),
        replace(FACTS, fields=()),
    ]
    assert len({fingerprint({("T", "one"): page}) for page in pages}) == len(pages)


def test_the_fingerprint_does_not_depend_on_order_or_on_what_the_form_holds():
    other = replace(FACTS, untouched=submission(a=("2",)), script_errors=())
    first = {("A", "one"): FACTS, ("B", "two"): FACTS}
    assert fingerprint(first) == fingerprint(dict(reversed(first.items())))
    assert fingerprint({("A", "one"): FACTS}) == fingerprint({("A", "one"): other})


@pytest.fixture(scope="module")
def at(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tasks")
    template = """<input name="a" value="${text}"><div hidden><input name="later"></div>
    <script>const box = document.createElement("textarea"); box.name = "built"; document.currentScript.after(box);
    throw new Error("on purpose")</script>"""
    make_task(folder, "T", template=template, table=csv_text(["text", "Answer.a"], ["x", "y"]))
    with stage(folder) as made:
        yield made


def test_the_reference_pass_finds_fields_and_what_the_untouched_form_sends(at: Stage):
    page = inspect_page(at.browser, at.url("T"))
    assert [(found.name, found.kind, found.visible) for found in page.fields if found.kind != "hidden"] == [
        ("a", "text", True),
        ("later", "text", False),
        ("built", "textarea", True),
    ]
    assert page.untouched.values["a"] == ("x",)
    assert page.script_errors == ("Error: on purpose",)


def test_two_passes_over_a_page_find_the_same(at: Stage):
    assert inspect_page(at.browser, at.url("T")) == inspect_page(at.browser, at.url("T"))
