import json

import pytest

from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands.papers.mind2web import main
from harness.papers.mind2web.demonstrations.mind2web_file import written
from harness.papers.mind2web.mindact.learned_ranker import LearnedRanker
from tests.papers.mind2web.mindact.pages import demonstrations


@pytest.fixture
def traces(tmp_path):
    file = tmp_path / "traces.jsonl.gz"
    written(demonstrations(), file)
    return file


def call(command, traces, *more):
    return main([command, str(traces), "--progress", "quiet", *map(str, more)])


@pytest.mark.slow
def test_recall_is_told_with_its_floors_and_holds_out_each_site_in_turn(traces, capsys):
    assert call("recall", traces) == COMPLETE
    said = capsys.readouterr().out
    assert said.startswith("36 steps of 12 demonstrations on board, shop, travel; candidates a page: 165–165–165\n")
    places = [said.index(f"\n{name} ") for name in ("random", "order", "lexical", "learned")]
    assert places == sorted(places)
    assert "pages with more than 50 candidates alone (36 steps)" in said


def test_the_numbers_can_be_had_as_json_with_the_rank_of_each_step(traces, capsys):
    assert call("recall", traces, "--json", "--ranker", "learned", "--held-out-website", "shop") == COMPLETE
    found = json.loads(capsys.readouterr().out)
    assert [each["ranker"] for each in found["recall"]] == ["learned"]
    assert found["recall"][0]["at"]["50"]["value"] == 1
    assert {step["website"] for step in found["steps"]} == {"shop"}
    assert found["steps"][0]["ranks"]["learned"] == 1


@pytest.mark.slow
def test_a_ranker_is_trained_kept_and_measured_on_what_was_held_out(traces, tmp_path, capsys):
    out = tmp_path / "ranker.json"
    assert call("train", traces, "--out", out, "--held-out-website", "board") == COMPLETE
    said = capsys.readouterr().out
    assert said.startswith(f"learned from shop, travel; kept in {out}\n12 steps of 4 demonstrations on board")
    assert LearnedRanker.read(out).learned_from == ("shop", "travel")
    ranker = f"learned:{out}"
    assert call("recall", traces, "--ranker", ranker, "--held-out-website", "board") == COMPLETE
    assert call("recall", traces, "--ranker", ranker) == WRONG_USE
    assert "learned was trained on shop, travel: measure it on another site" in capsys.readouterr().err


def test_without_a_held_out_site_nothing_is_measured_and_that_is_said(traces, tmp_path, capsys):
    assert call("train", traces, "--out", tmp_path / "ranker.json") == COMPLETE
    assert "no site is held out, so that nothing is measured" in capsys.readouterr().out


def test_pages_that_have_lost_what_may_be_chosen_are_missed_and_counted(tmp_path, capsys):
    file = tmp_path / "traces.jsonl"
    written(demonstrations(), file)
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    lines[0]["actions"][0]["pos_candidates"] = []
    lines[0]["actions"][1]["cleaned_html"] = "<p>nothing</p>"
    lines[0]["actions"][2] |= {"cleaned_html": "", "raw_html": " "}
    file.write_text("\n".join(map(json.dumps, lines)))
    assert call("recall", file, "--ranker", "order", "--ranker", "random") == COMPLETE
    said = capsys.readouterr().out
    assert "missed by every ranker: 1 step, no acceptable element recorded" in said
    assert "missed by every ranker: 1 step, not on the cleaned page" in said
    assert "missed by every ranker: 1 step, unreadable page" in said


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--ranker", "best"], "unknown ranker 'best'"),
        (["--held-out-website", "nowhere"], "holds no step of nowhere to measure on"),
        (["--ranker", "order", "--ranker", "order"], "give one of a kind only"),
    ],
)
def test_what_cannot_be_measured_is_refused_in_a_line(traces, capsys, arguments, words):
    assert call("recall", traces, *arguments) == WRONG_USE
    assert words in capsys.readouterr().err


def test_what_cannot_be_trained_is_refused_in_a_line(traces, tmp_path, capsys):
    assert call("train", traces, "--out", tmp_path / "x", "--ranker", "lexical") == WRONG_USE
    assert "there are learned and cross-encoder:DIR to be trained" in capsys.readouterr().err


def test_a_cross_encoder_is_trained_by_the_command_and_told_as_it_was_before(tiny_encoder, traces, tmp_path, capsys):
    ranker = f"cross-encoder:{tiny_encoder}"
    more = ["--ranker", ranker, "--out", tmp_path / "kept", "--epochs", "1", "--held-out-website", "shop"]
    assert call("train", traces, *more) == COMPLETE
    said = capsys.readouterr().out
    assert "cross-encoder before" in said
    kept = f"cross-encoder:{tmp_path / 'kept'}"
    assert call("recall", traces, "--ranker", kept, "--held-out-website", "shop") == COMPLETE
