"""A review from end to end: drawn of a run, judged on its page in Chromium, taken in, reported and exported."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from harness.browser.input import ENTER, Input
from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.cli.commands import evaluate
from harness.cli.commands.people import review
from harness.records.verdict import write_verdicts
from tests.conftest import Show
from tests.reports.reviews.made import a_review, verdict, verdicts
from tests.site import Shown


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    """A run of two tasks."""
    folder = tmp_path_factory.mktemp("review")
    tasks = ["--task", "Sentiment of reviews", "--task", "Household survey", "--max-instances", "2"]
    arguments = ["--solver", "random", *tasks, "--out", str(folder / "run"), "--workers", "1", "--progress", "quiet"]
    assert evaluate.main(arguments) == evaluate.COMPLETE
    return folder / "run"


@pytest.fixture(scope="module")
def page(run: Path) -> Path:
    """The page of a review of five of its fields."""
    assert review.main(["draw", str(run), "--fields", "5", "--seed", "1"]) == COMPLETE
    return run.parent / "run_review" / "review.html"


@pytest.fixture
def shown(page: Path, show: Show) -> Shown:
    opened = show(whole=page.read_text(encoding="utf-8"))
    opened.page("localStorage.clear()")
    return opened


def saved(shown: Shown) -> dict:
    shown.page("document.getElementById('save').click(); 1")
    return json.loads(shown.page("savedText"))


def start(shown: Shown, name: str = "Ada Lovelace") -> None:
    # What is saved is taken down instead of becoming a download.
    shown.page(
        "(() => { const Made = Blob; HTMLAnchorElement.prototype.click = () => {}; window.Blob = class extends Made {"
        " constructor(parts, how) { super(parts, how); window.savedText = parts.join(''); } }; })()"
    )
    shown.page(f"document.getElementById('name').value = {json.dumps(name)}; 1")
    shown.page("document.getElementById('who').requestSubmit(); 1")


def visible(shown: Shown, ident: str) -> bool:
    return bool(shown.page(f"document.getElementById('{ident}').checkVisibility()"))


def press(shown: Shown, *keys: str) -> None:
    keyboard = Input(shown.browser.channel)
    for key in keys:
        if key == ENTER:
            keyboard.press([ENTER])
        else:
            keyboard.type(key)


def test_labels_are_shown_after_the_verdict_and_the_verdict_stands(shown: Shown):
    start(shown)
    assert visible(shown, "judge")
    assert not visible(shown, "check")
    assert shown.page("document.getElementById('labels').childElementCount") == 0
    press(shown, "2", ENTER)
    assert visible(shown, "check")
    assert shown.page("document.getElementById('labels').childElementCount") >= 1
    assert shown.page("document.getElementById('answers').disabled")
    press(shown, "1", ENTER)
    assert shown.page("document.getElementById('where').textContent").startswith("2. ")


def test_all_is_judged_by_keyboard_and_saved_with_what_was_judged(shown: Shown, page: Path):
    start(shown)
    for number in range(5):
        press(shown, str(number % 5 + 1), ENTER, str(number % 3 + 1), ENTER)
    assert visible(shown, "end")
    record = saved(shown)
    drawn = json.loads((page.parent / "review.json").read_text(encoding="utf-8"))
    assert record["run"] == drawn["run"]
    assert record["judge"] == {"name": "Ada Lovelace", "kind": "person"}
    assert [each["answer"] for each in record["verdicts"]] == [
        *("correct", "wrong", "placeholder", "parse_error", "unsure")
    ]
    assert [each["labels"] for each in record["verdicts"]] == ["right", "wrong", "unsure", "right", "wrong"]
    assert [(each["field"], each["sent"]) for each in record["verdicts"]] == [
        (each["field"], each["sent"]) for each in drawn["fields"]
    ]
    assert shown.browser.script_errors == []


def test_what_was_judged_is_there_when_the_page_is_opened_again(shown: Shown):
    start(shown)
    press(shown, "1", ENTER, "1", ENTER, "3", ENTER)
    kept = shown.page("JSON.stringify({ ...localStorage })")
    shown.browser.open(shown.url)  # which begins with an emptied storage, as no browser of a person does
    shown.page(f"Object.assign(localStorage, {kept}); 1")
    start(shown)
    # The second answer was judged, and nothing was said of its labels.
    assert shown.page("document.getElementById('count').textContent") == "1 of 5 judged"
    assert shown.page("document.getElementById('where').textContent").startswith("2. ")
    assert [each["answer"] for each in saved(shown)["verdicts"]] == ["correct", "placeholder"]
    shown.browser.open(shown.url)
    shown.page(f"Object.assign(localStorage, {kept}); 1")
    start(shown, "Grace Hopper")
    assert shown.page("document.getElementById('count').textContent") == "0 of 5 judged"


@pytest.mark.slow
def test_a_saved_file_is_gone_on_with_and_a_foreign_one_refused(shown: Shown):
    start(shown)
    press(shown, "1", ENTER, "1", ENTER)
    record = saved(shown)
    shown.page("localStorage.clear(); 1")

    def opened(content: dict) -> None:
        shown.browser.open(shown.url)
        shown.page(
            "(async () => { const input = document.getElementById('open'), given = new DataTransfer();"
            f" given.items.add(new File([{json.dumps(json.dumps(content))}], 'verdicts.json'));"
            " input.files = given.files; input.dispatchEvent(new Event('change'));"
            " const told = () => document.getElementById('trouble').textContent || !work.hidden;"
            " while (!told()) await new Promise(requestAnimationFrame); })()"
        )

    opened({**record, "run": {**record["run"], "started": "never"}})
    assert shown.page("document.getElementById('trouble').textContent") == "The file is of another run."
    opened({"some": "thing"})
    assert shown.page("document.getElementById('trouble').textContent") == "The file holds no judgements."
    opened(record)
    assert shown.page("document.getElementById('count').textContent") == "1 of 5 judged"


def test_the_field_is_marked_on_its_page(shown: Shown):
    start(shown)
    shown.page("document.getElementById('picture').decode()")
    mark, sheet = (
        shown.page(
            f"(() => {{ const box = document.{what}.getBoundingClientRect();"
            " return [box.left, box.top, box.right, box.bottom]; })()"
        )
        for what in ("getElementById('mark')", "querySelector('.sheet')")
    )
    assert mark[2] - mark[0] > 10
    assert sheet[0] - 10 <= mark[0] < mark[2] <= sheet[2] + 10


def test_the_page_works_without_a_network_and_scrolls_sideways_nowhere(shown: Shown):
    assert shown.page("performance.getEntriesByType('resource').map((entry) => entry.name)") == []
    start(shown)
    channel = shown.browser.channel
    screen = {"height": 800, "deviceScaleFactor": 1, "mobile": False}
    channel.call("Emulation.setDeviceMetricsOverride", width=380, **screen)
    try:
        assert shown.page("document.documentElement.scrollWidth") <= 380
    finally:
        channel.call("Emulation.setDeviceMetricsOverride", width=1280, **screen)


def test_a_review_is_not_drawn_over_another(page: Path, run: Path, capsys):
    before = page.read_bytes()
    assert review.main(["draw", str(run), "--fields", "2"]) == WRONG_USE
    assert "holds a review already: name another folder with --review" in capsys.readouterr().err
    assert page.read_bytes() == before


def test_pages_of_other_tasks_are_not_taken_for_those_of_the_run(run: Path, tmp_path, capsys):
    arguments = ["draw", str(run), "--review", str(tmp_path / "review"), "--tasks-dir", str(tmp_path)]
    assert review.main(arguments) == WRONG_USE
    assert capsys.readouterr().err.count("\n") == 1
    assert not (tmp_path / "review").exists()


# ---- after the page: no browser --------------------------------------------------------------------------------------


@pytest.fixture
def judged(tmp_path):
    made, drawn, folder = a_review(tmp_path)
    file = tmp_path / "saved.json"
    said = ("correct", "wrong", "correct", "wrong", "placeholder", "parse_error", "unsure")
    on = [verdict(field, answer) for field, answer in zip(drawn.fields, said, strict=True)]
    write_verdicts(file, verdicts(drawn, on))
    return made.folder, folder.folder, file, drawn, on


def test_what_was_saved_is_taken_in_once(judged, capsys):
    run, folder, file, drawn, on = judged
    assert review.main(["take", str(run), str(file)]) == COMPLETE
    assert "7 verdicts of Ada taken." in capsys.readouterr().out
    assert json.loads((folder / "verdicts" / "Ada.json").read_text())["verdicts"][0]["answer"] == "correct"
    write_verdicts(file, verdicts(drawn, [verdict(drawn.fields[0], "wrong"), *on[1:]]))
    assert review.main(["take", str(run), str(file)]) == COMPLETE
    assert "1 other one left aside: what was said of the same answer first stands." in capsys.readouterr().out


def test_of_several_files_none_is_taken_if_one_is_wrong(judged, tmp_path, capsys):
    run, folder, file, drawn, _ = judged
    other = tmp_path / "other.json"
    write_verdicts(other, verdicts(drawn, [verdict(drawn.fields[0], sent=("another",))]))
    assert review.main(["take", str(run), str(file), str(other)]) == WRONG_USE
    assert "another answer" in capsys.readouterr().err
    assert not (folder / "verdicts").exists()


def test_verdicts_and_scores_stand_side_by_side(judged, capsys):
    run, _, file, _, _ = judged
    review.main(["take", str(run), str(file)])
    capsys.readouterr()
    assert review.main(["report", str(run), "--threshold", "0.6"]) == COMPLETE
    said = capsys.readouterr().out
    assert "from a score of 60.0 on" in said
    assert "Ada: 7 fields judged." in said
    assert "metric and person" in said
    assert review.main(["report", str(run), "--markdown"]) == COMPLETE
    assert "| metric and person | fields |" in capsys.readouterr().out
    assert review.main(["report", str(run), "--json"]) == COMPLETE
    assert json.loads(capsys.readouterr().out)["results"]["drawn"] == 7


def test_what_has_been_judged_can_be_exported(judged, tmp_path, capsys):
    run, _, file, _, _ = judged
    review.main(["take", str(run), str(file)])
    for name, first in (("out.csv", "task,index"), ("out.json", "{")):
        assert review.main(["export", str(run), "--out", str(tmp_path / name)]) == COMPLETE
        assert (tmp_path / name).read_text().startswith(first)
    capsys.readouterr()
    assert review.main(["export", str(run), "--out", str(tmp_path / "out.xls")]) == WRONG_USE
    assert "written as .csv or .json" in capsys.readouterr().err


def test_before_anybody_judged_there_is_nothing_to_report(judged, tmp_path, capsys):
    run = judged[0]
    assert review.main(["report", str(run)]) == INCOMPLETE
    said = capsys.readouterr()
    assert "Nothing has been judged" in said.err
    assert said.out == ""
    assert review.main(["export", str(run), "--out", str(tmp_path / "none.csv")]) == INCOMPLETE


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["report", "{run}", "--review", "{run}"], "holds no review: draw one with the command draw"),
        (["report", "{folder}"], "is no run directory"),
        (["take", "{run}", "{run}/run.json"], "holds no verdicts"),
        (["take", "{run}", "{run}/none.json"], "cannot be read: No such file"),
    ],
)
def test_wrong_use_is_told_in_one_line(judged, capsys, arguments, said):
    run, folder, *_ = judged
    assert review.main([each.format(run=run, folder=folder) for each in arguments]) == WRONG_USE
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_a_folder_that_cannot_be_written_is_told_of(judged, capsys):
    run, folder, file, *_ = judged
    (folder / "verdicts").write_text("in the way")
    assert review.main(["take", str(run), str(file)]) == WRONG_USE
    error = capsys.readouterr().err
    assert "cannot be written" in error
    assert error.count("\n") == 1
    assert stat.S_ISREG((folder / "verdicts").stat().st_mode)
