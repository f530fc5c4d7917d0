import json

import pytest

from harness.kit.errors import UserError
from harness.papers.mind2web.mindact.element_features import NAMES, features_of, kind_of
from harness.papers.mind2web.mindact.learned_ranker import LearnedRanker, LearningData, UnreadableRanker
from harness.papers.mind2web.mindact.ranker import LexicalRanker, OrderRanker, RandomRanker, bm25, ranked
from harness.papers.mind2web.mindact.ranker_names import UnknownRanker, ranker_named
from harness.papers.mind2web.mindact.recall import ranked_pages, ranks_of, recalls
from tests.papers.mind2web.mindact.pages import demonstrations, elements, query


def learned(without=()):
    data = LearningData()
    for page in ranked_pages(demonstrations()):
        data.add(page.step)
    return data.learned(without)


def test_bm25_prefers_rare_words_and_short_documents_and_passes_over_what_shares_none():
    scores = bm25(["glass", "kettle"], [["kettle", "kettle"], ["glass", "kettle"], ["kettle"] + ["x"] * 9, ["pan"]])
    assert scores[1] > scores[0] > scores[2] > scores[3] == 0
    assert bm25(["a"], []) == []


def test_the_lexical_ranker_finds_the_words_of_the_task_and_not_those_of_what_was_done():
    best = ranked(LexicalRanker(), query("[a]  Wool socks -> CLICK"), elements())[0]
    assert best.backend_node_id in ("15", "14")


def test_chance_is_the_same_for_the_same_step_and_another_for_another_seed():
    found = elements()
    assert RandomRanker(1).score(query(), found) == RandomRanker(1).score(query(), found)
    assert RandomRanker(1).score(query(), found) != RandomRanker(2).score(query(), found)


def test_equal_scores_leave_the_order_of_the_page():
    found = elements()
    assert ranked(OrderRanker(), query(), found) == found


def test_what_can_be_done_with_an_element_is_told_by_role_tag_and_type():
    kinds = {each.backend_node_id: kind_of(each) for each in elements()}
    assert [kinds[each] for each in ("7", "8", "11", "15", "10", "1")] == [
        "typed",
        "chosen",
        "pressed",
        "link",
        "option",
        "holder",
    ]


def test_features_are_numbers_by_their_names_and_no_words():
    found = features_of(query("[input]  Search products -> TYPE: kettle"), elements())
    assert found.shape == (19, len(NAMES))
    column = dict(zip(NAMES, found.T, strict=True))
    assert column["pressed after TYPE"].sum() == 1
    assert column["its text stands in the task"].max() == 0  # "Glass kettle <b>" does not, as a whole
    assert column["share of its words in the task"][[each.backend_node_id for each in elements()].index("15")] > 0.5
    assert features_of(query("free words"), []).shape == (0, len(NAMES))


def test_a_learned_ranker_holds_on_a_site_that_it_has_not_seen_and_beats_the_floors_there():
    held_out = "travel"
    rankers = [RandomRanker(), LexicalRanker(), learned(without=(held_out,))]
    assert rankers[-1].learned_from == ("board", "shop")
    steps = list(ranks_of(ranked_pages(demonstrations(), [held_out]), lambda _: rankers))
    assert len(steps) == 12
    at_one = {each.ranker: each.at[1].value for each in recalls(steps)}
    assert at_one["learned"] == 1
    assert at_one["random"] < at_one["lexical"] < 1


def test_a_learned_ranker_is_written_and_read_again(tmp_path):
    ranker = learned()
    ranker.write(tmp_path / "ranker.json")
    again = ranker_named(f"learned:{tmp_path / 'ranker.json'}")
    assert isinstance(again, LearnedRanker)
    assert again.learned == ranker.learned
    assert again.score(query(), elements()) == ranker.score(query(), elements())


@pytest.mark.slow
@pytest.mark.parametrize(
    "change", [{"features": ["a"], "weights": [1.0]}, {"weights": []}, {"websites": 3}], ids=["other", "none", "type"]
)
def test_a_file_that_holds_no_such_ranker_is_refused_in_a_line(tmp_path, change):
    file = tmp_path / "ranker.json"
    learned().write(file)
    file.write_text(json.dumps({**json.loads(file.read_text()), **change}))
    with pytest.raises(UnreadableRanker, match=r"ranker\.json"):
        LearnedRanker.read(file)
    with pytest.raises(UnreadableRanker, match=r"mind2web train makes one"):
        LearnedRanker.read(tmp_path / "missing.json")


def test_nothing_is_learned_of_nothing():
    with pytest.raises(UserError, match="nothing to learn from"):
        LearningData().learned()


@pytest.mark.parametrize("name", ["best", "learned", "learned:", "random:x"])
def test_an_unknown_ranker_is_refused_with_the_known_ones(name):
    with pytest.raises(UnknownRanker, match="random, order, lexical, learned:FILE, cross-encoder:DIR"):
        ranker_named(name)
