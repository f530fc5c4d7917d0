from __future__ import annotations

from dataclasses import replace

import pytest

from harness.catalog.facts import Facts
from harness.scoring.answers.columns import ABSENT, NEVER_LABELLED, SCORED, UNLABELLED, AnswerColumns, is_answered
from harness.scoring.metrics.standard import STANDARD
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


THREE = [{"text": word} for word in ("one", "two", "three")]
NUMBERED = [{"text": "x", "number": f" {index}"} for index in range(3)]
LISTS = [{"list": "a"}, {"list": "b"}]
HIDDEN = {
    "repeats an input": (["0", "1 ", "2"], NUMBERED, "not an answer: repeats the input 'number'"),
    "differs from the input once": (["one", "two", "other"], THREE, SCORED),
    "writes an input with other quotes": (
        ["[a, b c]", '["d"]'],
        [{"list": "['a', 'b c']"}, {"list": "['d']"}],
        "not an answer: repeats the input 'list'",
    ),
    "written again by a refused submission": (["a|a", "b"], LISTS, "not an answer: repeats the input 'list'"),
    "written again by two of them": (["a|a|a", "b"], LISTS, "not an answer: repeats the input 'list'"),
    "several of one name that join inputs": (
        ["begin|end", "middle|end"],
        [{"one": "begin", "two": "end"}, {"one": "end", "two": "middle"}],
        "not an answer: repeats several inputs",
    ),
    "seconds": (["1619724695.789", "1619727362.177"], None, "not an answer: a time stamp"),
    "milliseconds": (["1619724695789", "1619727362177"], None, "not an answer: a time stamp"),
    "seconds of other years": (["1104537600", "2208988800"], None, "not an answer: a time stamp"),
    "dates": (["2021-04-29T19:31:35.789Z", "2021-04-29 20:16"], None, "not an answer: a time stamp"),
    "dates in words": (
        ["Thu Apr 29 2021 19:31:35 GMT+0000 (UTC)", "Thu, 29 Apr 2021 19:31:35 GMT"],
        None,
        "not an answer: a time stamp",
    ),
    "differs for nearly every worker": (
        [f"{index}.{index % 9 + 1}" for index in range(30)],
        None,
        "not an answer: a measurement",
    ),
    "a number that workers share": ([f"{index % 5}.5" for index in range(30)], None, SCORED),
    "a fifth are whole": ([f"{index}.{5 if index < 16 else 0}" for index in range(20)], None, SCORED),
    "fewer are whole": ([f"{index}.{5 if index < 17 else 0}" for index in range(20)], None, "not an answer"),
    "a tenth were given before": ([f"{min(index, 17)}.5" for index in range(20)], None, SCORED),
    "fewer were given before": ([f"{min(index, 18)}.5" for index in range(20)], None, "not an answer"),
    "whole numbers that all differ": ([str(index) for index in range(30)], None, SCORED),
    "few measurements may differ by chance": ([f"{index}.5" for index in range(19)], None, SCORED),
    "never varies": (["SPANS"] * 20, None, "not an answer: the same in every row of the task"),
    "few rows need not vary": (["SPANS"] * 19, None, SCORED),
}
"""What workers sent, what they were shown, and what becomes of the field."""


@pytest.mark.parametrize(("cells", "inputs", "expected"), HIDDEN.values(), ids=HIDDEN)
def test_hidden_fields_are_answers_unless_no_worker_can_have_given_them(cells, inputs, expected):
    assert hidden_status(cells, inputs).startswith(expected)


def test_rows_that_left_the_hidden_field_blank_do_not_hide_that_it_repeats_an_input():
    inputs = [{"text": word} for word in ("one", "two", "three")]
    assert answers(task({"a": ["one"]}, {"a": [""]}, {"a": ["three"]}, inputs=inputs), field("a", "hidden"))[
        "a"
    ].status.startswith("not an answer: repeats")


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
YES_NO = ("radio", "yes", "no")
BOXES = ("checkbox", "yes", "no")


FILLED_IN = {
    "repeats an input in every row": (WORDS, [WORDS[0]], "not an answer: repeats the input 'text'", TEXTS),
    "one worker changed it": ([*WORDS[:-1], "word"[::-1]], [WORDS[0]], SCORED, TEXTS),
    "few workers may all have left it": (WORDS[:-1], [WORDS[0]], SCORED, TEXTS[:-1]),
    "a part of an input": (
        WORDS,
        [WORDS[0]],
        "not an answer: prefilled from the table",
        [{"steps": f'["{word}", "stay"]'} for word in WORDS],
    ),
    "empty, and all workers copied an input": (WORDS, [], SCORED, TEXTS),
    "nobody of 20 changed a choice": (["yes"] * 20, ["yes"], "not an answer: prefilled", None, *YES_NO),
    "nobody of 21 changed a choice": (["yes"] * 21, ["yes"], "not an answer: prefilled", None, *YES_NO),
    "nobody of 20 changed a box": (["yes"] * 20, ["yes"], "not an answer: prefilled", None, *BOXES),
    "nobody of 21 changed a box": (["yes"] * 21, ["yes"], "not an answer: prefilled", None, *BOXES),
    "nobody changed several boxes": (["yes|no"] * 20, ["yes", "no"], "not an answer: prefilled", None, *BOXES, "maybe"),
    "every worker changed it": (["yes"] * 20, ["no"], SCORED, None, *YES_NO),
    "few workers may all agree with it": (["yes"] * 19, ["yes"], SCORED, None, *YES_NO),
    "a list always sends something": (["1"] * 20, ["1"], SCORED, None, "select", "1", "2"),
    "a slider always sends something": (["1"] * 20, ["1"], SCORED, None, "range", "1", "2"),
}
"""What workers sent, what the field held before, and what becomes of it; what they were shown, and the field's kind."""


@pytest.mark.parametrize("given", FILLED_IN.values(), ids=FILLED_IN)
def test_fields_that_are_filled_in_are_answers_unless_nobody_of_many_changed_them(given):
    cells, initial, expected, *more = given
    assert filled_in(cells, initial, *more).startswith(expected)


def test_a_choice_that_is_made_beforehand_is_an_answer_if_a_worker_took_it_back():
    made = task(*({"a": [cell], "b": ["x"]} for cell in ["yes"] * 20 + [""]))
    assert status(made, field("a", "checkbox", "yes", "no", initial=["yes"])) == SCORED


def test_a_row_in_which_nobody_answered_does_not_hide_an_example():
    made = task(*({"a": [cell], "b": [cell and "x"]} for cell in ["yes"] * 20 + [""]))
    assert status(made, field("a", "radio", "yes", "no", initial=["yes"])).startswith("not an answer: prefilled")


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


def test_what_was_written_beside_boxes_is_an_option_of_their_field():
    langs = replace(field("langs", "checkbox", "en", "other"), open=True)
    made = answers(task({"langs": ["other|Basque", "EN"]}), langs)["langs"]
    assert made.options == ("en", "other", "Basque")


def test_a_vote_beside_radio_buttons_is_what_was_written_else_the_option():
    tongue = replace(field("tongue", "radio", "yes", "other"), open=True)
    cells = ["other|Basque", "basque|other", "Basque", "yes|", "YES", "other", ""]
    made = answers(task({"tongue": cells}), tongue)["tongue"]
    assert made.labels == ("Basque", "basque", "Basque", "yes", "yes", "other", "")
    assert made.options == ("yes", "other", "Basque")
    score = STANDARD.score_field(made.kind, made.options, made.labels, tongue.answered(("other", "Basque")))
    assert score is not None
    assert (score.score, score.ceiling, score.agreement) == (1.0, 1.0, 0.5)


@pytest.mark.parametrize(
    ("sent", "answer"),
    [(("", "yes"), ("yes",)), (("",), ()), (("Basque",), ("Basque",)), (("Basque", "other"), ("Basque",))],
)
def test_an_empty_text_beside_radio_buttons_counts_as_nothing(sent, answer):
    assert replace(field("tongue", "radio", "yes", "other"), open=True).answered(sent) == answer


def test_labels_of_radio_buttons_without_a_text_box_stay_as_they_are():
    made = answers(task({"tongue": ["other|Basque", "yes"]}), field("tongue", "radio", "yes", "other"))["tongue"]
    assert (made.labels, made.options) == (("other|Basque", "yes"), ("yes", "other"))
