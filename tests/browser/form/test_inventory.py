from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from harness.browser.form import inventory
from harness.browser.form.inventory import PageFacts, TaskInventory, fingerprint, inspect_page, page_digest
from harness.kit.files.codec import plain
from harness.kit.files.writing import cache_folder
from tests.runs import Stage, stage
from tests.samples import field, submission, task
from tests.task_folders import csv_text, make_task

FACTS = PageFacts((field("a", "radio", "1", "2", initial=("1",)),), submission(a=("1",)), ("TypeError: x",))
OTHER = PageFacts((field("b"),), submission(b=("\ud800 \n ü",)), ())


def load(made, folder: Path, *, live_clock: bool = False) -> TaskInventory:
    return TaskInventory.load(made, live_clock=live_clock, folder=folder)


def saved(made, folder: Path, **pages: PageFacts) -> TaskInventory:
    found = load(made, folder)
    for id_, page in pages.items():
        found.add(id_, page)
    return load(made, folder)


def test_what_was_seen_comes_back_as_it_was(tmp_path):
    again = saved(task({"a": ["x"]}), tmp_path, one=FACTS)
    assert again.get("one") == FACTS
    assert again.get("two") is None


def test_what_another_run_saw_meanwhile_is_kept(tmp_path):
    made = task({"a": ["x"]})
    first, second = load(made, tmp_path), load(made, tmp_path)
    first.add("one", FACTS)
    second.add("two", OTHER)
    assert (load(made, tmp_path).get("one"), load(made, tmp_path).get("two")) == (FACTS, OTHER)


def test_another_template_clock_task_or_outside_world_is_looked_at_anew(tmp_path):
    made = task({"a": ["x"]})
    saved(made, tmp_path, one=FACTS)
    assert load(made, tmp_path, live_clock=True).get("one") is None
    assert load(replace(made, template="<p>other</p>"), tmp_path).get("one") is None
    assert load(replace(made, name="Other"), tmp_path).get("one") is None
    assert TaskInventory.load(made, live_clock=False, outside="other", folder=tmp_path).get("one") is None


def test_a_page_seen_by_other_code_of_ours_is_looked_at_anew(tmp_path, monkeypatch):
    made = task({"a": ["x"]})
    saved(made, tmp_path, one=FACTS)
    monkeypatch.setattr(inventory, "code_hash", lambda: "other")
    assert load(made, tmp_path).get("one") is None


@pytest.mark.parametrize(("folder", "counts"), [("harness/browser/scripts", True), ("oracle/scripts", False)])
def test_the_hash_of_the_code_follows_the_scripts_that_every_run_uses_and_not_the_oracles(monkeypatch, folder, counts):
    before = inventory.code_hash.__wrapped__()
    read = Path.read_bytes

    def edited(file: Path) -> bytes:
        return read(file) + (b"// edited" if file.parent.as_posix().endswith(folder) else b"")

    monkeypatch.setattr(Path, "read_bytes", edited)
    assert (inventory.code_hash.__wrapped__() != before) is counts


WITHOUT_VALUES = json.dumps({**plain(FACTS), "untouched": {**plain(FACTS.untouched), "values": []}})


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"one",
        b"one\t",
        b"one\t{",
        b"one\t[]",
        b"one\t1",
        b'one\t{"fields": []}',
        b"\xff\t{}",
        b"one\t\xff",
        f"one\t{WITHOUT_VALUES}".encode(),
    ],
)
def test_a_damaged_line_spoils_no_other_and_is_made_again(tmp_path, content):
    made = task({"a": ["x"]})
    file = saved(made, tmp_path, zero=OTHER).file
    with file.open("ab") as stream:
        stream.write(b"\n" + content)
    assert load(made, tmp_path).get("one") is None
    again = saved(made, tmp_path, two=FACTS, one=FACTS)
    assert [again.get(id_) for id_ in ("zero", "one", "two")] == [OTHER, FACTS, FACTS]


def test_a_line_that_was_cut_short_anywhere_is_as_good_as_not_there(tmp_path):
    made = task({"a": ["x"]})
    file = saved(made, tmp_path, one=FACTS).file
    whole = file.read_bytes()
    for length in range(len(whole)):
        file.write_bytes(whole[:length])
        assert load(made, tmp_path).get("one") is None
        assert saved(made, tmp_path, two=OTHER).get("two") == OTHER


def test_a_cache_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "inventory").write_text("a file where the folder should be", encoding="utf-8")
    found = load(task({"a": ["x"]}), tmp_path)
    with pytest.raises(OSError, match="exists"):
        found.add("one", FACTS)
    assert found.get("one") is None


def test_the_cache_is_the_users(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "turkbench"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert cache_folder() == tmp_path / ".cache" / "turkbench"


def test_a_task_of_any_name_has_its_file(tmp_path):
    found = saved(replace(task({"a": ["x"]}), name="a/b" * 100), tmp_path, one=FACTS)
    assert found.file.parent == tmp_path / "inventory"
    assert found.get("one") == FACTS


def test_the_digest_depends_on_names_kinds_and_options_alone():
    pages = [
        FACTS,
        replace(FACTS, fields=(field("b", "radio", "1", "2"),)),
        replace(FACTS, fields=(field("a", "checkbox", "1", "2"),)),
        replace(FACTS, fields=(field("a", "radio", "1", "3"),)),
        replace(FACTS, fields=()),
    ]
    assert len({page_digest(page) for page in pages}) == len(pages)
    other = replace(FACTS, untouched=submission(a=("2",)), script_errors=())
    assert page_digest(other) == page_digest(FACTS)


def test_the_fingerprint_of_many_pages_does_not_depend_on_their_order():
    pages = [("A", "one", "x"), ("B", "two", "y")]
    assert fingerprint(pages) == fingerprint(reversed(pages))
    assert fingerprint(pages) != fingerprint([("A", "one", "y"), ("B", "two", "x")])


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
