from __future__ import annotations

from dataclasses import replace

import pytest

from harness.catalog.facts import Facts
from harness.scoring.answers.columns import ABSENT, NEVER_LABELLED, SCORED, UNLABELLED, AnswerColumns, is_answered
from tests.samples import answers, field, task


def status(made, *fields, name="a", index=0):
    return answers(made, *fields, index=index)[name].status


# Which column belongs to which field.


def test_a_column_belongs_to_the_field_of_its_name():
    answer = answers(task({"a": ["yes", "no"]}), field("a"))["a"]
    assert answer.labels == ("yes", "no")
    assert answer.status == SCORED
    assert answer.scored


def test_a_column_belongs_to_a_field_that_the_page_calls_answer_dot_name():
    assert answers(task({"a": ["yes"]}), field("Answer.a"))["Answer.a"].labels == ("yes",)


@pytest.mark.parametrize("columns", [("a", "Answer.a"), ("Answer.a", "a")])
def test_a_field_of_the_exact_name_is_taken_before_one_with_the_prefix(columns):
    labels = {"a": ["plain"], "Answer.a": ["prefixed"]}
    made = task({column: labels[column] for column in columns})
    found = answers(made, field("Answer.a"))
    assert found["Answer.a"].labels == ("prefixed",)
    assert found["a"].status == ABSENT


def test_a_declared_rename_sends_a_column_to_its_field():
    made = task({"situation_0": ["yes"]}, facts=Facts(renames={"situation_0": "other"}))
    assert answers(made, field("other"), field("situation_0"))["other"].labels == ("yes",)


@pytest.mark.parametrize("columns", [("a", "old"), ("old", "a")])
def test_a_declared_rename_comes_before_a_column_of_the_same_name(columns):
    labels = {"a": ["stale"], "old": ["declared"]}
    made = task({column: labels[column] for column in columns}, facts=Facts(renames={"old": "a"}))
    assert answers(made, field("a"))["a"].labels == ("declared",)
    assert answers(made)["a"].labels == ("declared",)


@pytest.mark.parametrize("column", ["Situation_0", "Situation0"])
def test_a_column_that_differs_from_a_field_in_punctuation_and_case_belongs_to_it(column):
    assert answers(task({column: ["yes"]}), field("situation-0"))["situation-0"].labels == ("yes",)


def test_on_a_page_with_other_fields_columns_belong_to_these():
    made = task({"a": ["yes"]}, {"a": ["yes"]})
    columns = AnswerColumns(made)
    shown = ([field("a")], [field("Answer.a")])
    found = [columns.answers(instance, fields) for instance, fields in zip(made.instances, shown, strict=True)]
    assert [[answer.name for answer in each] for each in found] == [["a"], ["Answer.a"]]


def test_punctuation_is_not_overlooked_where_two_fields_would_be_alike():
    found = answers(task({"q1": ["yes"]}), field("q-1"), field("q_1"))
    assert found["q1"].status == ABSENT


def test_of_two_columns_that_differ_in_punctuation_the_first_takes_the_field():
    found = answers(task({"q-1": ["first"], "q_1": ["second"]}), field("q.1"))
    assert found["q.1"].labels == ("first",)
    assert found["q_1"].status == ABSENT


def test_of_two_columns_that_differ_in_punctuation_a_stale_one_comes_last():
    found = answers(task({"q-1": [""], "q_1": ["second"]}), field("q.1"))
    assert found["q.1"].labels == ("second",)


def test_two_columns_that_differ_in_punctuation_each_keep_the_field_of_their_own_name():
    found = answers(task({"c1.1": ["x"], "c11": ["y"]}), field("c1.1"), field("c11"))
    assert (found["c1.1"].labels, found["c11"].labels) == (("x",), ("y",))


def test_split_columns_without_a_combined_one_are_joined_for_each_worker():
    made = task({"q.1": ["True", "False", ""], "q.2": ["True", "False", "TRUE"]})
    answer = answers(made, field("q", "checkbox", "1", "2"))["q"]
    assert answer.labels == ("1|2", "", "2")
    assert answer.status == SCORED


def test_split_columns_find_their_option_as_labels_do():
    made = task({"q.1.0": ["True"]})
    assert answers(made, field("q", "checkbox", "1", "2"))["q"].labels == ("1",)


def test_a_split_column_can_be_that_of_an_option_without_a_value():
    made = task({"q.": ["True", "True"], "q.1": ["False", "True"]})
    assert answers(made, field("q", "checkbox", "", "1"))["q"].labels == ("", "|1")


def test_beside_a_combined_column_split_columns_say_nothing_more():
    made = task({"q.1": ["True"], "q": ["2"], "q.2": ["True"]})
    found = answers(made, field("q", "checkbox", "1", "2"))
    assert found["q"].labels == ("2",)
    assert list(found) == ["q"]


def test_beside_a_combined_column_of_other_punctuation_split_columns_say_nothing_more():
    made = task({"my_q": ["2"], "my_q.1": ["True"]})
    found = answers(made, field("my-q", "checkbox", "1", "2"))
    assert list(found) == ["my-q"]


def test_words_below_the_name_of_an_option_are_not_split():
    assert list(answers(task({"q.why": ["because"]}), field("q", "radio", "why"))) == ["q.why"]


def test_a_column_of_truths_without_a_dot_in_its_name_is_no_split_column():
    made = task({"q1": ["True", "False"]})
    found = answers(made, field("q", "checkbox", "1", "2"))
    assert (found["q1"].status, list(found)) == (ABSENT, ["q1"])


def test_a_column_with_a_dot_and_words_in_it_is_no_split_column():
    made = task({"q": ["1"], "q.why": ["because"]})
    assert answers(made, field("q", "radio", "1"), field("q.why"))["q.why"].labels == ("because",)


def test_a_column_without_a_field_on_the_page_is_absent_and_not_told():
    answer = answers(task({"a": ["yes"], "old": ["x"]}), field("a"))["old"]
    assert (answer.status, answer.told, answer.kind) == (ABSENT, False, "text")


def test_answers_stand_in_page_order_and_those_without_a_field_last():
    made = task({"gone": ["x"], "c": ["x"], "b": ["x"], "a": ["x"]})
    assert list(answers(made, field("c"), field("a"), field("b"))) == ["c", "a", "b", "gone"]


def test_a_field_without_a_column_is_no_answer():
    assert list(answers(task({"a": ["yes"]}), field("comment"), field("a"))) == ["a"]


# Which fields are scored.


def test_a_field_that_no_row_labels_is_never_scored():
    answer = answers(task({"a": ["", "{}"]}, {"a": ["nan", " "]}), field("a"))["a"]
    assert (answer.status, answer.told) == (NEVER_LABELLED, False)
    assert not answer.scored


def test_a_field_without_a_label_in_this_instance_is_told_and_not_scored():
    made = task({"a": ["", "{}"], "b": ["x", "x"]}, {"a": ["yes"], "b": ["x"]})
    answer = answers(made, field("a"), field("b"))["a"]
    assert (answer.status, answer.told) == (UNLABELLED, True)


def test_what_a_solver_is_told_does_not_depend_on_the_labels_of_the_instance():
    made = task({"a": ["x"], "b": [""], "c": [""]}, {"a": [""], "b": ["x"], "c": [""]})
    told = [
        [
            answer.name
            for answer in answers(made, field("a"), field("b"), field("c"), index=index).values()
            if answer.told
        ]
        for index in (0, 1)
    ]
    assert told == [["a", "b"], ["a", "b"]]


def test_a_blank_box_is_an_answer_where_any_worker_answered_anything():
    made = task({"a": ["", ""], "b": ["", "x"]}, {"a": ["on"], "b": [""]})
    assert status(made, field("a", "checkbox", "on"), field("b")) == SCORED


def test_a_blank_box_is_no_answer_where_nobody_answered_anything():
    made = task({"a": [""], "b": ["{}"]}, {"a": ["on"], "b": [""]})
    assert status(made, field("a", "checkbox", "on"), field("b")) == UNLABELLED
    assert not is_answered(made.instances[0])


def test_a_box_that_no_row_of_the_task_ticks_is_never_scored():
    made = task({"a": [""], "b": ["x"]})
    assert status(made, field("a", "checkbox", "on"), field("b")) == NEVER_LABELLED


@pytest.mark.parametrize("kind", ["radio", "select", "text", "range"])
def test_a_blank_of_any_other_kind_is_no_answer(kind):
    made = task({"a": [""], "b": ["x"]}, {"a": ["1"], "b": ["x"]})
    assert status(made, field("a", kind, "1"), field("b")) == UNLABELLED


def test_split_boxes_that_all_say_false_are_an_answer():
    made = task({"q.1": ["False"], "q.2": ["False"]}, {"q.1": ["True"], "q.2": ["False"]})
    answer = answers(made, field("q", "checkbox", "1", "2"))["q"]
    assert (answer.status, answer.labels) == (SCORED, ("",))


def test_none_as_a_worker_wrote_it_is_an_answer():
    assert status(task({"a": ["None"]}), field("a")) == SCORED


@pytest.mark.parametrize("declared", ["field", "column"])
def test_a_declared_not_answer_is_never_scored_and_not_told(declared):
    facts = Facts(not_answers={declared: "an example"}, renames={"column": "field"})
    answer = answers(task({"column": ["x"]}, facts=facts), field("field"))["field"]
    assert (answer.status, answer.told) == ("not an answer: an example", False)


# Hidden fields that are no worker's answer.


def hidden_status(cells, inputs=None, name="a", facts=None):
    made = task(*({name: [cell]} for cell in cells), inputs=inputs, facts=facts)
    return status(made, field(name, "hidden"), name=name)


def test_a_hidden_field_that_repeats_an_input_is_not_an_answer():
    inputs = [{"text": "x", "number": f" {index}"} for index in range(3)]
    assert hidden_status(["0", "1 ", "2"], inputs) == "not an answer: repeats the input 'number'"


def test_a_hidden_field_that_differs_from_the_input_once_is_an_answer():
    inputs = [{"text": word} for word in ("one", "two", "three")]
    assert hidden_status(["one", "two", "other"], inputs) == SCORED


def test_rows_that_left_the_hidden_field_blank_do_not_hide_that_it_repeats_an_input():
    inputs = [{"text": word} for word in ("one", "two", "three")]
    assert answers(task({"a": ["one"]}, {"a": [""]}, {"a": ["three"]}, inputs=inputs), field("a", "hidden"))[
        "a"
    ].status.startswith("not an answer: repeats")


@pytest.mark.parametrize(
    "cells",
    [
        ["1619724695.789", "1619727362.177"],
        ["1619724695789", "1619727362177"],
        ["1104537600", "2208988800"],
        ["2021-04-29T19:31:35.789Z", "2021-04-29 20:16"],
        ["Thu Apr 29 2021 19:31:35 GMT+0000 (UTC)", "Thu, 29 Apr 2021 19:31:35 GMT"],
    ],
)
def test_hidden_time_stamps_are_not_answers(cells):
    assert hidden_status(cells) == "not an answer: a time stamp"


def test_a_hidden_measurement_that_differs_for_nearly_every_worker_is_not_an_answer():
    assert hidden_status([f"{index}.{index % 9 + 1}" for index in range(30)]).startswith("not an answer: a measurement")


def test_a_hidden_number_that_workers_share_is_an_answer():
    assert hidden_status([f"{index % 5}.5" for index in range(30)]) == SCORED


@pytest.mark.parametrize(("fractions", "answer"), [(16, True), (17, False)])
def test_hidden_numbers_are_an_answer_if_a_fifth_of_them_are_whole(fractions, answer):
    cells = [f"{index}.{5 if index < fractions else 0}" for index in range(20)]
    assert (hidden_status(cells) == SCORED) == answer


@pytest.mark.parametrize(("distinct", "answer"), [(18, True), (19, False)])
def test_hidden_numbers_are_an_answer_if_a_tenth_of_them_were_given_before(distinct, answer):
    assert (hidden_status([f"{min(index, distinct - 1)}.5" for index in range(20)]) == SCORED) == answer


def test_whole_numbers_that_all_differ_are_an_answer():
    assert hidden_status([str(index) for index in range(30)]) == SCORED


def test_few_measurements_may_differ_by_chance():
    assert hidden_status([f"{index}.5" for index in range(19)]) == SCORED


def test_a_hidden_field_that_never_varies_is_not_an_answer():
    assert hidden_status(["SPANS"] * 20) == "not an answer: the same in every row of the task"


def test_a_hidden_field_that_does_not_vary_in_few_rows_may_be_an_answer():
    assert hidden_status(["SPANS"] * 19) == SCORED


@pytest.mark.parametrize("name", ["assignmentId", "hit_id", "workerId", "turkSubmitTo"])
def test_the_platforms_own_hidden_fields_are_not_answers(name):
    assert hidden_status(["A1", "B2"], name=name) == "not an answer: bookkeeping of the platform"


def test_a_hidden_field_of_a_declared_kind_is_an_answer_whatever_it_looks_like():
    made = task(*({"a": ["1"]} for _ in range(20)), facts=Facts(kinds={"a": "range"}))
    answer = answers(made, field("a", "hidden"))["a"]
    assert (answer.status, answer.kind) == (SCORED, "range")


def test_a_visible_field_that_repeats_an_input_is_scored():
    made = task({"a": ["one"]}, {"a": ["two"]}, inputs=[{"text": "one"}, {"text": "two"}])
    assert AnswerColumns(made).rules.echoes == {"a": "text"}
    assert status(made, field("a")) == SCORED


@pytest.mark.parametrize("cell", ["1619724695", "same"])
def test_a_visible_field_is_scored_whatever_its_labels_look_like(cell):
    assert status(task(*({"a": [cell]} for _ in range(25))), field("a")) == SCORED


def test_a_field_that_comes_later_is_scored_as_the_kind_that_is_declared():
    answer = answers(task({"a": ["1"]}, facts=Facts(kinds={"a": "radio"})))["a"]
    assert (answer.status, answer.kind, answer.told) == (SCORED, "radio", True)


def test_a_declared_kind_does_not_change_a_visible_field():
    made = task({"a": ["1"]}, facts=Facts(kinds={"a": "text"}))
    assert answers(made, field("a", "radio", "1"))["a"].kind == "radio"


def test_a_hidden_field_without_a_declared_kind_is_scored_as_hidden():
    assert answers(task({"a": ["x"]}, {"a": ["y"]}), field("a", "hidden"))["a"].kind == "hidden"


# Fields that are filled in beforehand.


def filled_in(cells, initial, inputs=None, kind="text", *values):
    made = task(*({"a": [cell], "b": ["x"]} for cell in cells), inputs=inputs)
    return status(made, field("a", kind, *values, initial=initial))


WORDS = [f"word {number}" for number in range(20)]
TEXTS = [{"text": word} for word in WORDS]


def test_a_filled_in_field_that_repeats_an_input_in_every_row_is_not_an_answer():
    assert filled_in(WORDS, [WORDS[0]], TEXTS) == "not an answer: repeats the input 'text'"


def test_a_filled_in_field_that_one_worker_changed_is_an_answer():
    assert filled_in([*WORDS[:-1], "word"[::-1]], [WORDS[0]], TEXTS) == SCORED


def test_few_workers_may_all_have_left_what_is_filled_in_from_an_input():
    assert filled_in(WORDS[:-1], [WORDS[0]], TEXTS[:-1]) == SCORED


def test_a_field_with_a_part_of_an_input_that_every_worker_left_is_not_an_answer():
    lists = [{"steps": f'["{word}", "stay"]'} for word in WORDS]
    assert filled_in(WORDS, [WORDS[0]], lists).startswith("not an answer: filled in from an input")


def test_an_empty_field_is_an_answer_even_if_all_workers_copied_an_input():
    assert filled_in(WORDS, [], TEXTS) == SCORED


@pytest.mark.parametrize("workers", [20, 21])
@pytest.mark.parametrize("kind", ["radio", "checkbox"])
def test_an_example_that_nobody_of_many_workers_changed_is_not_an_answer(kind, workers):
    assert filled_in(["yes"] * workers, ["yes"], None, kind, "yes", "no").startswith(
        "not an answer: filled in beforehand"
    )


def test_boxes_that_nobody_of_many_workers_changed_are_not_an_answer():
    assert filled_in(["a|b"] * 20, ["a", "b"], None, "checkbox", "a", "b", "c").startswith("not an answer: filled in")


def test_a_field_that_every_worker_of_the_instance_changed_is_an_answer():
    assert filled_in(["yes"] * 20, ["no"], None, "radio", "yes", "no") == SCORED


def test_a_choice_that_is_made_beforehand_is_an_answer_if_a_worker_took_it_back():
    made = task(*({"a": [cell], "b": ["x"]} for cell in ["yes"] * 20 + [""]))
    assert status(made, field("a", "checkbox", "yes", "no", initial=["yes"])) == SCORED


def test_few_workers_may_all_have_agreed_with_what_is_filled_in():
    assert filled_in(["yes"] * 19, ["yes"], None, "radio", "yes", "no") == SCORED


@pytest.mark.parametrize("kind", ["select", "range"])
def test_a_field_that_always_sends_something_is_an_answer_even_if_all_workers_left_it(kind):
    assert filled_in(["1"] * 20, ["1"], None, kind, "1", "2") == SCORED


def test_a_row_in_which_nobody_answered_does_not_hide_an_example():
    made = task(*({"a": [cell], "b": [cell and "x"]} for cell in ["yes"] * 20 + [""]))
    assert status(made, field("a", "radio", "yes", "no", initial=["yes"])).startswith("not an answer: filled in")


def test_a_hidden_field_that_writes_an_input_with_other_quotes_is_not_an_answer():
    inputs = [{"list": "['a', 'b c']"}, {"list": "['d']"}]
    assert hidden_status(["[a, b c]", '["d"]'], inputs) == "not an answer: repeats the input 'list'"


@pytest.mark.parametrize("cell", ["a|a", "a|a|a"])
def test_a_hidden_field_that_refused_submissions_wrote_again_repeats_its_input(cell):
    inputs = [{"list": "a"}, {"list": "b"}]
    assert hidden_status([cell, "b"], inputs) == "not an answer: repeats the input 'list'"


def test_hidden_fields_of_one_name_that_join_inputs_are_not_answers():
    inputs = [{"one": "begin", "two": "end"}, {"one": "end", "two": "middle"}]
    assert hidden_status(["begin|end", "middle|end"], inputs) == "not an answer: repeats several inputs"


# Fields that come later.

LATER = """<script>
    html = '<select name="child_' + n + '"><option value="f"></option><option value="m"></option></select>';
</script>"""


def later(*labels, template=LATER, name="child_2"):
    made = replace(task(*({name: [label], "b": ["x"]} for label in labels)), template=template)
    return answers(made, field("b"))[name]


def test_a_field_that_script_builds_later_is_scored_as_what_the_script_says():
    answer = later("f")
    assert (answer.status, answer.kind, answer.options, answer.told) == (SCORED, "select", ("f", "m"), True)


def test_a_column_that_no_script_builds_stays_absent():
    assert later("f", name="parent_2").status == ABSENT


@pytest.mark.parametrize("label", ["", "None"])
def test_a_later_field_without_an_answer_is_told_and_not_scored(label):
    answer = later(label, "f")
    assert (answer.status, answer.told) == (UNLABELLED, True)


def test_a_later_field_that_repeats_an_input_is_not_an_answer():
    answer = later("text 0", "text 1")
    assert answer.status == "not an answer: repeats the input 'text'"
