"""The table of the profile in docs/reference/metrics.md, row by row, with examples computed by hand."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

import pytest

from harness.scoring.metrics import PROFILES, FieldScore

STANDARD = PROFILES["standard"]
YES_NO = ("yes", "no", "maybe")


def score(kind: str, labels: Sequence[str], sent: Sequence[str], options: Sequence[str] = ()) -> FieldScore:
    result = STANDARD.score_field(kind, options, labels, sent)
    assert result is not None
    return result


def test_the_core_imports_neither_browser_nor_server() -> None:
    code = "import sys, harness.scoring.metrics; print({'selenium', 'django'} & set(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "set()"


def test_an_unknown_kind_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"'date'.*radio"):
        STANDARD.score_field("date", (), ("1",), ("1",))


class TestText:
    @pytest.mark.parametrize("kind", ["text", "textarea", "hidden"])
    def test_the_nearest_label_counts(self, kind: str) -> None:
        result = score(kind, ["a dog", "the cat sat on the mat"], ["the cat ate mat"])
        assert result.score == pytest.approx(0.6)
        assert (result.ceiling, result.agreement, result.tied) == (1.0, None, False)
        assert result.explanation == "ROUGE-L 0.60 with the label 'the cat sat on the mat'"

    @pytest.mark.parametrize(
        ("labels", "sent", "expected"),
        [
            # Line ends and normal forms do not matter.
            (["-\r\n\u2014 e\u0301"], ["-\n\u2014 \u00e9"], 1.0),
            # Numbers are equal or not, whatever tokens they have in common; beside words they are text.
            (["7.0"], ["7"], 1.0),
            (["1.5"], ["1.6"], 0.0),
            (["1"], ["-1"], 0.0),
            (["3", "7 apples"], ["7"], 2 / 3),
            # Blank labels do not count, and what a worker calls None is text.
            (["", "{}", "yes"], [""], 0.0),
            (["None"], ["None"], 1.0),
            # Several inputs of one name are joined.
            (["red|blue"], ["red", "", "blue"], 1.0),
            (["我爱小猫"], ["我爱猫"], 6 / 7),
        ],
    )
    def test_what_is_sent_is_compared_with_each_label(
        self, labels: list[str], sent: list[str], expected: float
    ) -> None:
        assert score("text", labels, sent).score == pytest.approx(expected)

    def test_equal_strings_are_right_even_without_tokens(self) -> None:
        result = score("text", ["?!", "words"], ["?!"])
        assert (result.score, result.explanation) == (1.0, "equal to a worker's text")

    def test_only_blank_labels_leave_the_field_unscored(self) -> None:
        assert STANDARD.score_field("text", (), ("", "nan", "{}"), ("x",)) is None
        assert STANDARD.best_answer("text", (), ("", "nan", "{}")) == ()

    def test_an_unanswered_text_scores_nothing(self) -> None:
        assert score("text", ["a dog"], []).score == 0.0
        assert score("text", ["a dog"], []).explanation == "nothing was entered; a worker wrote 'a dog'"

    def test_the_best_answer_is_the_first_label_that_is_not_blank(self) -> None:
        assert STANDARD.best_answer("text", (), ("", "a\r\nb", "c")) == ("a\nb",)


class TestChoice:
    @pytest.mark.parametrize("kind", ["radio", "select"])
    def test_the_majority_is_right(self, kind: str) -> None:
        result = score(kind, ["yes", "no", "yes", "no", "yes"], ["yes"], YES_NO)
        assert (result.score, result.ceiling, result.agreement, result.tied) == (1.0, 1.0, 0.6, False)
        assert result.explanation == "'yes' has 3 of 5 votes, the majority"

    def test_the_most_votes_are_right_without_a_majority(self) -> None:
        result = score("radio", ["yes", "yes", "no", "maybe"], ["yes"], YES_NO)
        assert (result.score, result.explanation) == (1.0, "'yes' has 2 of 4 votes, the most")

    def test_any_other_answer_is_wrong(self) -> None:
        result = score("radio", ["yes", "no", "yes", "no", "yes"], ["no"], YES_NO)
        assert (result.score, result.agreement) == (0.0, 0.4)
        assert result.explanation == "'no' has 2 of 5 votes; 'yes' has 3"

    def test_each_tied_answer_is_right_and_the_tie_is_recorded(self) -> None:
        labels = ["yes", "no", "no", "yes", "maybe"]
        assert score("radio", labels, ["yes"], YES_NO).score == 1.0
        result = score("radio", labels, ["no"], YES_NO)
        assert (result.score, result.tied, result.agreement) == (1.0, True, 0.4)
        assert result.explanation == "'no' is tied for first place with 2 of 5 votes"

    def test_an_answer_below_the_tie_is_wrong(self) -> None:
        result = score("radio", ["yes", "no", "no", "yes", "maybe"], ["maybe"], YES_NO)
        assert (result.score, result.tied) == (0.0, True)
        assert result.explanation == "'maybe' has 1 of 5 votes; 'no', 'yes' have 2"

    def test_blank_votes_do_not_vote(self) -> None:
        result = score("radio", ["", "{}", "nan", "no"], ["no"], YES_NO)
        assert (result.score, result.agreement) == (1.0, 1.0)

    def test_only_blank_votes_leave_the_field_unscored(self) -> None:
        assert STANDARD.score_field("radio", YES_NO, ("", "{}"), ("no",)) is None

    def test_an_unanswered_choice_is_wrong(self) -> None:
        result = score("radio", ["yes", "yes", "no"], [], YES_NO)
        assert (result.score, result.agreement) == (0.0, 0.0)
        assert result.explanation == "nothing was sent; 'yes' has 2 of 3"

    def test_the_first_option_of_an_untouched_list_counts(self) -> None:
        assert score("select", ["yes", "yes"], ["yes"], YES_NO).score == 1.0

    def test_labels_vote_for_the_option_that_they_mean(self) -> None:
        result = score("radio", ["2.0", "2", "1"], ["2"], ("1", "2"))
        assert (result.score, result.agreement) == (1.0, pytest.approx(2 / 3))

    def test_minus_one_is_never_one(self) -> None:
        assert score("radio", ["-1.0", "-1"], ["1"], ("1", "-1")).score == 0.0
        assert score("radio", ["-1.0", "-1"], ["-1"], ("1", "-1")).score == 1.0

    def test_a_label_without_option_keeps_its_vote(self) -> None:
        result = score("radio", ["perhaps", "perhaps", "yes"], ["yes"], YES_NO)
        assert (result.score, result.ceiling) == (0.0, 0.0)
        assert result.explanation.endswith("; the page offers no such option")

    def test_a_tie_with_a_label_without_option_can_be_reached(self) -> None:
        labels = ["perhaps", "yes"]
        assert STANDARD.best_answer("radio", YES_NO, labels) == ("yes",)
        assert score("radio", labels, ["yes"], YES_NO).ceiling == 1.0

    def test_without_options_the_labels_are_the_options(self) -> None:
        labels = ["B", "b ", "a"]
        result = score("radio", labels, ["b"])
        assert (result.score, result.ceiling, result.agreement) == (1.0, 1.0, pytest.approx(2 / 3))
        assert STANDARD.best_answer("radio", (), labels) == ("B",)

    def test_the_best_answer_is_the_option_as_the_page_spells_it(self) -> None:
        assert STANDARD.best_answer("select", ("1", "2"), ("2.0", "2.0", "1.0")) == ("2",)

    def test_nothing_is_best_where_nothing_can_be_reached(self) -> None:
        assert STANDARD.best_answer("radio", YES_NO, ("perhaps",)) == ()


class TestListWithSeveralAnswers:
    OPTIONS = ("a", "b", "c")

    def test_labels_that_are_sets_are_compared_as_sets(self) -> None:
        result = score("select", ["a|b", "c"], ["a"], self.OPTIONS)
        assert (result.score, result.ceiling) == (0.5, 1.0)
        assert STANDARD.best_answer("select", self.OPTIONS, ["b|a", "c"]) == ("a", "b")

    def test_several_values_sent_are_compared_as_a_set(self) -> None:
        assert score("select", ["a", "a"], ["a", "b"], self.OPTIONS).score == 0.5

    def test_an_option_that_holds_a_bar_is_one_answer(self) -> None:
        assert score("select", ["a|b", "a|b", "a"], ["a"], ("a", "b", "a|b")).score == 0.0


class TestCheckboxes:
    OPTIONS = ("a", "b", "c")

    def test_the_nearest_worker_counts(self) -> None:
        # {a, c} with {a, b}: 1 of 3; with {a, b, c}: 2 of 3; with {}: 0.
        result = score("checkbox", ["a|b", "c|b|a", ""], ["a", "c"], self.OPTIONS)
        assert result.score == pytest.approx(2 / 3)
        assert (result.ceiling, result.agreement, result.tied) == (1.0, 0.0, False)
        assert result.explanation == "IoU 0.67 with the worker who ticked 'a', 'b', 'c'"

    def test_order_does_not_count(self) -> None:
        result = score("checkbox", ["b|a", "c"], ["a", "b"], self.OPTIONS)
        assert (result.score, result.agreement) == (1.0, 0.5)

    def test_two_empty_sets_agree(self) -> None:
        result = score("checkbox", ["", "a"], [], self.OPTIONS)
        assert (result.score, result.explanation) == (1.0, "IoU 1.00 with the worker who ticked nothing")

    def test_only_blank_labels_mean_that_nothing_is_ticked(self) -> None:
        assert score("checkbox", ["", "{}"], [], self.OPTIONS).score == 1.0
        assert score("checkbox", ["", "{}"], ["a"], self.OPTIONS).score == 0.0

    def test_without_any_label_the_field_is_unscored(self) -> None:
        assert STANDARD.score_field("checkbox", self.OPTIONS, (), ("a",)) is None
        assert STANDARD.best_answer("checkbox", self.OPTIONS, ()) == ()

    def test_nothing_ticked_is_wrong_where_every_worker_ticked(self) -> None:
        assert score("checkbox", ["a", "b"], [], self.OPTIONS).score == 0.0

    def test_the_ceiling_is_what_the_boxes_allow(self) -> None:
        # No box is "zebra": {a, b} reaches 2 of 3.
        labels = ["a|b|zebra"]
        assert score("checkbox", labels, ["a"], self.OPTIONS).ceiling == pytest.approx(2 / 3)
        assert STANDARD.best_answer("checkbox", self.OPTIONS, labels) == ("a", "b")

    def test_the_best_set_is_that_of_the_worker_whose_boxes_exist(self) -> None:
        assert STANDARD.best_answer("checkbox", self.OPTIONS, ["a|zebra", "c|b"]) == ("b", "c")

    def test_without_options_the_labels_are_the_options(self) -> None:
        assert score("checkbox", ["x|y"], ["y|x"]).score == 1.0
        assert STANDARD.best_answer("checkbox", (), ["x|y"]) == ("x", "y")


class TestLoneCheckbox:
    def test_ticked_and_not_ticked_are_voted_on(self) -> None:
        result = score("checkbox", ["on", "on", ""], ["on"], ("on",))
        assert (result.score, result.ceiling, result.agreement) == (1.0, 1.0, pytest.approx(2 / 3))
        assert result.explanation == "'ticked' has 2 of 3 votes, the majority"

    def test_a_blank_label_is_a_vote_for_not_ticked(self) -> None:
        labels = ["on", "", "{}"]
        assert score("checkbox", labels, [], ("on",)).score == 1.0
        assert score("checkbox", labels, ["on"], ("on",)).score == 0.0

    def test_only_blank_labels_are_a_vote(self) -> None:
        assert score("checkbox", ["", ""], [], ("on",)).score == 1.0

    def test_on_a_tie_both_are_right(self) -> None:
        assert score("checkbox", ["on", ""], [], ("on",)).score == 1.0
        result = score("checkbox", ["on", ""], ["on"], ("on",))
        assert (result.score, result.tied) == (1.0, True)

    def test_true_and_false_are_votes(self) -> None:
        assert score("checkbox", ["True", "False", "True"], ["v"], ("v",)).score == 1.0
        assert score("checkbox", ["False", "off", "True"], [], ("v",)).score == 1.0

    def test_the_best_answer_ticks_only_if_most_workers_did(self) -> None:
        assert STANDARD.best_answer("checkbox", ("v",), ["True", "on", ""]) == ("v",)
        assert STANDARD.best_answer("checkbox", ("v",), ["v", "", ""]) == ()


class TestRange:
    def test_the_mean_distance_is_measured_by_the_largest_label(self) -> None:
        # Distances from 32: 12, 8 and 48, mean 68 / 3; 1 - 68 / 3 / 80 = 1 - 17 / 60.
        assert score("range", ["20", "40", "80"], ["32"]).score == pytest.approx(43 / 60)

    def test_the_ceiling_is_the_best_of_the_labels_own_values(self) -> None:
        # 20: (0 + 20 + 60) / 3; 40: (20 + 0 + 40) / 3 = 20; 80: (60 + 40 + 0) / 3. Best: 1 - 20 / 80.
        result = score("range", ["20", "40", "80"], ["40"])
        assert result.score == result.ceiling == pytest.approx(0.75)
        assert result.explanation == "40 is 20 from 3 labels on average; the largest is 80"
        assert STANDARD.best_answer("range", (), ["20", "40.0", "80"]) == ("40",)

    def test_the_score_stays_within_zero_and_one(self) -> None:
        assert score("range", ["1", "2"], ["1000"]).score == 0.0

    def test_negative_labels_are_measured_by_their_size(self) -> None:
        # Mean distance 5, largest size 10.
        assert score("range", ["-10"], ["-5"]).score == pytest.approx(0.5)

    def test_where_all_labels_are_zero_only_zero_is_right(self) -> None:
        assert score("range", ["0", "0.0"], ["0"]).score == 1.0
        assert score("range", ["0", "0.0"], ["1"]).score == 0.0
        assert score("range", ["0"], ["1"]).ceiling == 1.0

    @pytest.mark.parametrize("sent", [[], [""], ["much"], ["nan"], ["inf"]])
    def test_what_is_no_number_scores_nothing(self, sent: list[str]) -> None:
        result = score("range", ["50"], sent)
        assert (result.score, result.ceiling) == (0.0, 1.0)
        assert result.explanation == "no number was sent"

    def test_labels_that_are_no_numbers_are_left_out(self) -> None:
        assert score("range", ["much", "", "50"], ["50"]).score == 1.0

    def test_without_a_number_among_the_labels_nothing_can_be_reached(self) -> None:
        result = score("range", ["much"], ["50"])
        assert (result.score, result.ceiling) == (0.0, 0.0)
        assert STANDARD.best_answer("range", (), ["much"]) == ()

    def test_only_blank_labels_leave_the_field_unscored(self) -> None:
        assert STANDARD.score_field("range", (), ("", "{}"), ("50",)) is None

    @pytest.mark.parametrize(("label", "best"), [("3.0", "3"), ("2.50", "2.5"), ("-0.0", "0"), ("1e3", "1000")])
    def test_the_best_answer_is_written_in_its_shortest_form(self, label: str, best: str) -> None:
        assert STANDARD.best_answer("range", (), [label]) == (best,)


def test_an_instance_is_the_mean_over_its_scored_fields() -> None:
    half, full = (FieldScore(points, 1.0, None, tied=False, explanation="") for points in (0.5, 1.0))
    assert STANDARD.instance_score([("text", half), ("range", half), ("radio", full)]) == pytest.approx(2 / 3)


def test_an_instance_without_scored_fields_has_no_score() -> None:
    assert STANDARD.instance_score([]) is None


def test_explanations_stay_short() -> None:
    long = "word " * 3000
    assert len(score("textarea", [long], ["word"]).explanation) < 100
    options = [f"option {place}" for place in range(60)]
    assert len(score("checkbox", ["|".join(options)], ["option 1"], options).explanation) < 160
