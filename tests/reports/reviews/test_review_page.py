"""The page of a review as text: what is in it, what is not, and that nothing of strangers' is run."""

from __future__ import annotations

import base64
import hashlib
import json
import re

import pytest
from bs4 import BeautifulSoup

from harness.records.directory import RunDirectory
from harness.reports.reviews.answers_given import draw_review, given_answers
from harness.reports.reviews.page_pictures import FieldPicture
from harness.reports.reviews.review_page import review_page
from harness.scoring.metrics import PROFILES
from tests.analysis.made import write
from tests.reports.made import EVIL
from tests.samples import episode, record

PNG = b"\x89PNG of a page"


def made(folder, *fields, look=None):
    run = RunDirectory(write(folder / "run", [episode(*fields)], {"solver": EVIL.replace("\x00", "")}))
    review = draw_review(run, PROFILES["standard"], 9, 0)
    looks = {("T", 0): look or FieldPicture(PNG, {"a": (1, 2, 3, 4)}, {"a": {"1": "One"}})}
    return review_page(review, given_answers(run, review), looks)


def told(html):
    return json.loads(BeautifulSoup(html, "html.parser").find(id="data").get_text())


FIELD = record("a", "radio", options=("1", "2"), labels=("1", "secret label", "1"), sent=("1",))


def test_a_field_is_told_with_its_answer_its_place_and_its_page(tmp_path):
    data = told(made(tmp_path, FIELD))
    (field,) = data["fields"]
    assert (field["task"], field["index"], field["field"], field["kind"]) == ("T", 0, "a", "radio")
    assert (field["sent"], field["beside"], field["box"]) == (["1"], ["One"], [1, 2, 3, 4])
    assert data["pictures"] == {field["picture"]: f"data:image/png;base64,{base64.b64encode(PNG).decode()}"}


def test_pages_of_several_fields_are_there_once(tmp_path):
    html = made(tmp_path, FIELD, record("b", sent=("x",)))
    assert len(told(html)["fields"]) == 2
    assert html.count("data:image/png") == 1


def test_the_metric_is_not_in_it_and_labels_are_not_to_be_read_by_the_way(tmp_path):
    html = made(tmp_path, FIELD)
    assert set(told(html)["fields"][0]) == {
        *("task", "index", "id", "field", "kind", "sent", "beside", "untouched", "failed", "unread"),
        *("picture", "box", "labels"),
    }
    assert "secret label" not in html
    labels = json.loads(base64.b64decode(told(html)["fields"][0]["labels"]))
    assert labels == [
        {"text": "1", "beside": "One", "workers": 2},
        {"text": "secret label", "beside": "", "workers": 1},
    ]


def test_the_file_runs_its_own_script_and_no_other_and_loads_nothing(tmp_path):
    soup = BeautifulSoup(made(tmp_path, FIELD), "html.parser")
    policy = soup.find("meta", attrs={"http-equiv": "Content-Security-Policy"})["content"]
    (script,) = [each for each in soup.find_all("script") if each.get("type") != "application/json"]
    digest = base64.b64encode(hashlib.sha256(script.string.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'; ")
    assert "connect-src" not in policy
    assert list(soup.find_all(src=True)) == []
    assert re.findall(r"https?://", soup.style.get_text() + script.string) == []


def test_strangers_text_is_no_markup(tmp_path):
    evil = record(EVIL, "text", labels=(EVIL, "</script><b>"), sent=("</script><img src=x onerror=alert(1)>",))
    html = made(tmp_path, evil, look=FieldPicture(PNG, {}, {EVIL: {EVIL: "<!--<script>"}}))
    soup = BeautifulSoup(html, "html.parser")
    assert len(soup.find_all("script")) == 2
    assert soup.select("[onerror], b") == []
    assert told(html)["fields"][0]["sent"] == ["</script><img src=x onerror=alert(1)>"]
    assert "<!--" not in soup.find(id="data").get_text()


def test_equal_reviews_give_equal_pages_and_others_are_kept_apart_in_the_browser(tmp_path):
    first, again = made(tmp_path / "first", FIELD), made(tmp_path / "again", FIELD)
    other = made(tmp_path / "other", record("a", "radio", options=("1", "2"), labels=("1",), sent=("2",)))
    assert first == again
    assert told(first)["key"] != told(other)["key"]


@pytest.mark.parametrize("ident", ["start", "work", "end"])
def test_each_part_has_a_heading_that_names_it(tmp_path, ident):
    soup = BeautifulSoup(made(tmp_path, FIELD), "html.parser")
    assert soup.find(id=soup.find(id=ident)["aria-labelledby"]).name == "h2"
