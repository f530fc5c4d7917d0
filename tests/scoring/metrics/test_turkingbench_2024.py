"""The quirks of the original code, one by one, as docs/reference/metrics.md lists them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from harness.scoring.metrics import PROFILES, FieldScore
from harness.scoring.metrics.turkingbench_2024 import plain_number, same_words, score_recorded

PROFILE = PROFILES["turkingbench-2024"]
BLANKS = ["", "{}", "'{}'", "nan", None, float("nan")]


def score(kind: str, labels: Sequence[str], sent: Sequence[str], options: Sequence[str] = ()) -> FieldScore:
    result = PROFILE.score_field(kind, options, labels, sent)
    assert result is not None
    return result


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="date"):
        PROFILE.score_field("date", (), ("1",), ("1",))


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("4.0", "4"),
        ("-2.0", "-2"),
        ("2.50", "2.5"),
        (" 7 ", "7"),
        ("1e3", "1000"),
        ("four", "four"),
        ("inf", "inf"),
    ],
)
def test_whole_numbers_lose_their_decimals(text: str, plain: str) -> None:
    assert plain_number(text) == plain


def test_exact_match_ignores_case_punctuation_and_white_space() -> None:
    assert same_words(" Yes,  it IS! ", "yes it is")
    assert not same_words("yes", "no")


def test_minus_one_equals_one() -> None:
    assert same_words("-1", "1")
    assert score("radio", ["-1", "-1"], ["1"], ("1", "-1")).score == 1.0


class TestText:
    def test_the_nearest_label_counts(self) -> None:
        assert score("text", ["a dog", "the cat sat on the mat"], ["the cat ate mat"]).score == pytest.approx(0.6)

    def test_equal_strings_are_right_without_tokens(self) -> None:
        assert score("text", ["?!"], ["?!"]).score == 1.0

    def test_letters_outside_ascii_are_no_tokens(self) -> None:
        assert score("text", ["我爱小猫"], ["我爱猫"]).score == 0.0
        assert score("text", ["running é"], ["run"]).score == 1.0

    def test_the_entity_for_and_is_replaced(self) -> None:
        assert score("text", ["&"], ["&amp;"]).score == 1.0
        assert score("text", ["salt &amp; pepper"], ["salt & pepper"]).score == 1.0

    def test_numbers_are_compared_as_words(self) -> None:
        assert score("text", ["7.0"], ["7"]).score == 1.0
        # Tokens 1, 5 and 1, 6.
        assert score("text", ["1.5"], ["1.6"]).score == 0.5

    def test_blank_labels_are_left_out(self) -> None:
        assert score("text", ["", "yes"], [""]).score == 0.0

    @pytest.mark.parametrize("kind", ["text", "textarea", "hidden"])
    def test_a_text_that_every_worker_left_blank_is_skipped(self, kind: str) -> None:
        assert PROFILE.score_field(kind, (), ("", "{}"), ("x",)) is None
        assert PROFILE.best_answer(kind, (), ("", "{}")) == ()

    def test_the_first_of_several_inputs_counts(self) -> None:
        assert score("text", ["red"], ["red", "blue"]).score == 1.0


@pytest.mark.parametrize("kind", ["radio", "select", "checkbox", "range"])
@pytest.mark.parametrize("labels", [(), ("",), ("{}",)])
def test_without_labels_only_a_blank_answer_is_right(kind: str, labels: tuple[str, ...]) -> None:
    assert score(kind, labels, []).score == 1.0
    assert score(kind, labels, ["5"]).score == 0.0


def test_a_text_without_any_label_wants_a_blank_answer() -> None:
    assert score("text", [], []).score == 1.0
    assert score("text", [], ["x"]).score == 0.0
    assert PROFILE.best_answer("text", (), ()) == ()


class TestChoice:
    def test_the_first_of_tied_labels_is_right(self) -> None:
        labels = ["b", "a", "a", "b"]
        right = score("radio", labels, ["b"], ("a", "b"))
        assert (right.score, right.tied, right.agreement) == (1.0, True, 0.5)
        assert score("radio", labels, ["a"], ("a", "b")).score == 0.0
        assert PROFILE.best_answer("radio", ("a", "b"), labels) == ("b",)

    def test_blanks_vote(self) -> None:
        labels = ["", "{}", "a"]
        assert score("radio", labels, [], ("a", "b")).score == 1.0
        assert score("radio", labels, ["a"], ("a", "b")).score == 0.0
        assert PROFILE.best_answer("radio", ("a", "b"), labels) == ()

    def test_a_list_cannot_be_left_blank(self) -> None:
        assert score("select", ["", "", "a"], ["a"], ("a", "b")).ceiling == 0.0
        assert score("select", ["", "", "a"], [""], ("", "a")).ceiling == 1.0
        assert PROFILE.best_answer("select", ("", "a"), ["", "", "a"]) == ("",)

    def test_equal_numbers_vote_together(self) -> None:
        assert score("select", ["1", "2.0", "2"], ["2"], ("1", "2")).score == 1.0

    def test_the_best_answer_is_the_option_that_matches(self) -> None:
        assert PROFILE.best_answer("radio", ("No!", "Yes!"), ["yes"]) == ("Yes!",)

    def test_without_options_the_labels_are_the_options(self) -> None:
        assert PROFILE.best_answer("radio", (), ["a", "b", "b"]) == ("b",)

    def test_explanations_name_the_first_of_the_most_frequent_labels(self) -> None:
        assert score("radio", ["b", "a"], ["a"], ("a", "b")).explanation == (
            "differs from 'b', the first of the most frequent labels, blanks included"
        )


class TestCheckbox:
    OPTIONS = ("b", "a", "c")

    def test_the_set_must_equal_that_of_a_worker(self) -> None:
        labels = ["b|a", "c"]
        result = score("checkbox", labels, ["b", "a"], self.OPTIONS)
        assert (result.score, result.ceiling, result.agreement) == (1.0, 1.0, 0.5)
        assert score("checkbox", labels, ["a"], self.OPTIONS).score == 0.0

    def test_nothing_ticked_equals_a_blank_label(self) -> None:
        assert score("checkbox", ["", "a"], [], self.OPTIONS).score == 1.0

    def test_a_lone_box_is_no_vote(self) -> None:
        assert score("checkbox", ["on", "on", ""], [], ("on",)).score == 1.0

    def test_words_like_false_are_not_understood(self) -> None:
        result = score("checkbox", ["False", "False"], [], ("on",))
        assert (result.score, result.ceiling) == (0.0, 0.0)

    def test_the_best_answer_is_a_set_of_boxes(self) -> None:
        assert sorted(PROFILE.best_answer("checkbox", self.OPTIONS, ["c|a|zebra", "c|b"])) == ["b", "c"]

    def test_boxes_without_their_punctuation_can_spell_a_label(self) -> None:
        # The joining bar is punctuation: "new" and "york" ticked together read "newyork".
        labels = ["NewYork"]
        assert score("checkbox", labels, ["new", "york"], ("york", "new")).score == 1.0
        assert PROFILE.best_answer("checkbox", ("york", "new"), labels) == ("new", "york")

    def test_a_number_keeps_its_decimals_beside_another_box(self) -> None:
        # Alone, the box "1.0" reads 1; together with "!" it reads 10.
        assert PROFILE.best_answer("checkbox", ("1.0", "!"), ["10"]) == ("!", "1.0")
        assert score("checkbox", ["10"], ["1.0"], ("1.0", "!")).ceiling == 1.0

    def test_boxes_of_one_value_can_all_be_ticked(self) -> None:
        assert PROFILE.best_answer("checkbox", ("1", "1"), ["1|1"]) == ("1", "1")

    def test_without_options_the_labels_are_the_options(self) -> None:
        assert sorted(PROFILE.best_answer("checkbox", (), ["y|x"])) == ["x", "y"]


class TestRange:
    def test_the_mean_distance_is_measured_by_the_largest_label_or_prediction(self) -> None:
        # Mean distance 15; by the label 40, and by the prediction 50.
        assert score("range", ["20", "40"], ["35"]).score == pytest.approx(1 - 10 / 40)
        assert score("range", ["20", "40"], ["50"]).score == pytest.approx(1 - 20 / 50)

    def test_the_score_can_fall_below_zero(self) -> None:
        assert score("range", ["-10"], ["10"]).score == pytest.approx(-1.0)

    def test_all_zero_is_right(self) -> None:
        assert score("range", ["0", "0"], ["0"]).score == 1.0

    def test_a_blank_label_makes_it_an_exact_match(self) -> None:
        assert score("range", ["40", ""], ["40.0"]).score == 1.0
        assert score("range", ["40", ""], ["39"]).score == 0.0

    @pytest.mark.parametrize("sent", [[], ["much"], ["nan"]])
    def test_what_is_no_number_is_matched_exactly(self, sent: list[str]) -> None:
        assert score("range", ["40", "50"], sent).score == 0.0

    def test_the_best_answer_is_a_label(self) -> None:
        assert PROFILE.best_answer("range", (), ["20", "40.0", "80"]) == ("40",)
        assert score("range", ["20", "40.0", "80"], ["40"]).ceiling == pytest.approx(0.75)


def test_every_range_counts_as_one_in_the_mean_of_an_instance() -> None:
    poor = FieldScore(0.2, 1.0, None, tied=False, explanation="")
    assert PROFILE.instance_score([("range", poor), ("text", poor)]) == pytest.approx(0.6)


def test_an_instance_without_scored_fields_has_no_score() -> None:
    assert PROFILE.instance_score([]) is None


@pytest.mark.parametrize("blank", BLANKS)
def test_recorded_blanks_are_blank(blank: str | float | None) -> None:
    assert score_recorded("radio", [blank, blank, 1.0], "") == 1.0
    assert score_recorded("textarea", [blank, "Africa"], "Africa") == 1.0
    assert score_recorded("text", [blank], "Africa") is None


def test_recorded_numbers_are_labels() -> None:
    assert score_recorded("radio", [4.0, 4.0, 3], "4") == 1.0
    assert score_recorded("radio", [-2.0, 1.0, 1.0], "-1") == 1.0
