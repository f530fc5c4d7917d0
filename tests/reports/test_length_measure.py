from __future__ import annotations

from dataclasses import replace

import pytest

from harness.models.tokens.counting import tokens_for
from harness.records.config import RunConfig
from harness.records.directory import RunDirectory
from harness.records.texts import packed
from harness.records.turn import Turn
from harness.reports.length_measure import ASKED_NONE, MOST_REQUESTS, NO_TEXT, NOT_KEPT, LengthMeasure
from harness.scoring.scores import InstanceScore
from tests.samples import episode, run_record

RULES = {"role": "system", "parts": [{"type": "text", "text": "the rules " * 300}]}
EXAMPLE = [
    {"role": "user", "parts": [{"type": "text", "text": "an example " * 400}]},
    {"role": "assistant", "parts": [{"type": "text", "text": "its answer"}]},
]
KEY = ("T", "0" * 12)


def page(words):
    return {"role": "user", "parts": [{"type": "image", "sha256": "0" * 64}, {"type": "text", "text": "page " * words}]}


def told_off(*before):
    reply = {"role": "assistant", "parts": [{"type": "text", "text": "what?"}]}
    return [*before, reply, {"role": "user", "parts": [{"type": "text", "text": "no"}]}]


def count(words):
    return tokens_for("m", "").text("page " * words)


@pytest.fixture
def measured(tmp_path):
    """What a measure finds out about one episode with requests of these messages."""

    def measure(*requests, options=None, lose=False):
        run = RunDirectory(tmp_path / "run")
        turns = []
        for messages in requests:
            name, texts = packed({"messages": [RULES, *EXAMPLE, *messages], "tools": []})
            run.keep({}, texts)
            turns.append(Turn(sent=name))
        if lose:
            next(run.texts.iterdir()).write_text("{")
        config = replace(RunConfig("m", tmp_path), options={"model": "m", "protocol": "field", **(options or {})})
        record = replace(run_record(), config=config)
        seen = LengthMeasure(run, record)
        seen.see(InstanceScore(episode(turns=tuple(turns)), (), 0.5, 1.0, 0.0, 0.0, 0.0, 0.5))
        return seen

    return measure


def length(measure):
    return measure.found().tokens[KEY]


def unknown(measure):
    assert measure.found() is None
    return measure._unknown[KEY]


def test_the_page_counts_and_rules_examples_and_pictures_do_not(measured):
    assert length(measured([page(500)])) == count(500)


def test_the_fields_of_a_page_are_averaged_and_further_tries_say_nothing_of_it(measured):
    assert length(measured([page(100)], told_off(page(100)), [page(300)])) == (count(100) + count(300)) / 2


def test_no_more_requests_are_looked_at_than_needed(measured):
    pages = [[page(100)]] * MOST_REQUESTS
    assert length(measured(*([*each, page(place)] for place, each in enumerate(pages, 1)), [page(9_000)])) < 100


def test_of_a_whole_form_the_first_request_counts(measured):
    options = {"protocol": "form"}
    assert length(measured([page(100)], [page(900)], options=options)) == count(100)


def test_how_tokens_were_counted_is_told(measured):
    assert measured([page(5)]).found().counted_by == tokens_for("m", "").name


def test_what_was_not_sent_or_not_kept_is_not_known(measured):
    assert unknown(measured()) == ASKED_NONE
    assert unknown(measured([page(5)], options={"encoding": "none"})) == NO_TEXT
    assert unknown(measured([page(500)], lose=True)) == NOT_KEPT


def test_files_of_others_that_have_another_shape_are_as_good_as_missing(measured):
    assert unknown(measured([{"role": "user"}])) == NOT_KEPT
    assert (
        unknown(measured([{"role": "user", "parts": [{"type": "text", "text": {"$text": "../../etc"}}]}])) == NOT_KEPT
    )
