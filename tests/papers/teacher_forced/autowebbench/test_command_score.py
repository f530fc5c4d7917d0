"""What predictions are worth: wrong ones by hand, each with the scores that the definitions say."""

from __future__ import annotations

from itertools import pairwise

import pytest

from harness.actions.call import ActionError
from harness.papers.teacher_forced.autowebbench.command_score import by_characters, rouge_1, score_reply, script_score
from harness.papers.teacher_forced.autowebbench.commands import Command, read_command

CLICK, HOVER = "click('AB')", "hover('AB')"
TYPE = "type_string('AB', 'New Lisbon', False)"
SELECT = "select('C', 'Price: low to high')"
SCROLL, BACK, DONE = "scroll_page('down')", "go('backward')", "finish()"
ANSWER, ASK = "finish('The shop opens at nine')", "user_input('Please sign in')"
NOTHING = (0, 0, 0, 0)

# label, reply, (type, element, parameter, success), the script's (type, label, param, all); - is "left out".
WRONG = [
    # another type
    (CLICK, "hover('AB')", (0, 1, "-", 0), (0, 1, "-", 0)),
    (HOVER, "click('AB')", (0, 1, "-", 0), (0, 1, "-", 0)),
    (CLICK, "scroll_page('down')", (0, 0, "-", 0), (0, 0, "-", 0)),
    (CLICK, "finish()", (0, 0, "-", 0), "----"),
    (SCROLL, "click('AB')", (0, "-", 0, 0), (0, "-", "-", "-")),
    (DONE, "click('AB')", (0, "-", "-", 0), "----"),
    (TYPE, "finish('New Lisbon')", (0, 0, 1, 0), (0, 0, 1, 0)),
    (BACK, "scroll_page('backward')", (0, "-", 0, 0), (0, "-", 1, "-")),
    # another element
    (CLICK, "click('AC')", (1, 0, "-", 0), (1, 0, "-", 0)),
    (CLICK, "click('ab')", (1, 0, "-", 0), (1, 0, "-", 0)),
    (CLICK, "click('')", (1, 0, "-", 0), (1, 0, "-", 0)),
    (HOVER, "hover('A')", (1, 0, "-", 0), (1, 0, "-", 0)),
    (TYPE, "type_string('B', 'New Lisbon', False)", (1, 0, 1, 0), (1, 0, 1, 0)),
    (SELECT, "select('D', 'Price: low to high')", (1, 0, 1, 0), (1, 0, 1, 0)),
    # another parameter
    (TYPE, "type_string('AB', 'Lisbon', False)", (1, 1, 2 / 3, 0), (1, 1, 2 / 3, 1)),
    (TYPE, "type_string('AB', 'Porto', False)", (1, 1, 0, 0), (1, 1, "-", 1)),
    (TYPE, "type_string('AB', '', False)", (1, 1, 0, 0), (1, 1, "-", 1)),
    (SELECT, "select('C', 'Price: high to low first')", (1, 1, 10 / 11, 0), (1, 1, 10 / 11, 1)),
    (SCROLL, "scroll_page('up')", (1, "-", 0, 0), (1, "-", "-", "-")),
    (BACK, "go('forward')", (1, "-", 0, 0), (1, "-", "-", "-")),
    (ANSWER, "finish('It opens at ten')", (1, "-", 4 / 9, 0), (1, "-", 4 / 9, "-")),
    (ANSWER, "finish()", (1, "-", 0, 0), "----"),
    (ASK, "user_input('Please wait')", (1, "-", 2 / 5, 0), (1, "-", 2 / 5, "-")),
    ("jump_to('http://a.test/', False)", "jump_to('b', False)", (1, "-", 0, 0), (1, "-", "-", "-")),
    ("switch_tab(1)", "switch_tab(2)", (1, "-", 0, 0), (1, "-", "-", "-")),
    ("finish('书店九点开门')", "finish('书店十点关门')", (1, "-", 4 / 6, 0), (1, "-", 4 / 6, "-")),
    # a text around a wrong command, or none in it
    (CLICK, "I press it.\nclick('AC')", (1, 0, "-", 0), (0, 0, "-", 0)),
    (CLICK, "click('AC') # and not click('AB')", (1, 0, "-", 0), (1, 0, "-", 0)),
    (CLICK, "The right element is AB.", (0, 0, "-", 0), (0, 0, "-", 0)),
    (SCROLL, "Scroll down, please.", (0, "-", 0, 0), (0, "-", "-", "-")),
    # code
    (CLICK, "click(chr(65) + 'B')", (0, 0, "-", 0), "----"),
    (CLICK, "click(AB)", (0, 0, "-", 0), "----"),
    (CLICK, "__import__('os').system('touch ran')", (0, 0, "-", 0), "----"),
    (TYPE, "type_string('AB', open('/etc/passwd').read(), False)", NOTHING, "----"),
    (CLICK, "```python\nfor each in page:\n    click('AB')\n```", (0, 0, "-", 0), (0, 0, "-", 0)),
    (CLICK, "press('AB')", (0, 0, "-", 0), (0, 0, "-", 0)),
    # arguments that are missing, or too many
    (CLICK, "click()", (0, 0, "-", 0), "----"),
    (CLICK, "click('AB', 'C', 'D')", (0, 0, "-", 0), (1, 1, "-", 1)),
    (SCROLL, "scroll_page('sideways')", (0, "-", 0, 0), (1, "-", "-", "-")),
    # several calls: the first counts
    (CLICK, "hover('AB')\nclick('AB')", (0, 1, "-", 0), (0, 1, "-", 0)),
    (CLICK, "click('AC'); click('AB')", (1, 0, "-", 0), "----"),
    # nothing
    (CLICK, "", (0, 0, "-", 0), (0, 0, "-", 0)),
    (TYPE, " \n", NOTHING, (0, 0, "-", 0)),
    (ANSWER, "```\n```", (0, "-", 0, 0), (0, "-", "-", "-")),
]


def values(score, *names):
    found = [getattr(score, name) for name in names]
    return ["-" if each is None else pytest.approx(float(each)) for each in found]


@pytest.mark.parametrize(("label", "reply", "paper", "script"), WRONG)
def test_a_wrong_prediction_is_worth_what_the_definitions_say(label, reply, paper, script):
    ours = score_reply([read_command(label)], reply, by_characters)
    theirs = script_score([label], reply, by_characters)
    assert values(ours, "type", "element", "parameter", "success") == list(paper)
    assert values(theirs, "type", "label", "param", "all") == list(script)


def test_there_are_forty_wrong_predictions():
    assert len(WRONG) >= 40
    assert all(one != other for one, other in pairwise(WRONG))


RIGHT = [CLICK, HOVER, TYPE, SELECT, SCROLL, BACK, DONE, ANSWER, ASK, "switch_tab(1)", "finish('\n')"]


@pytest.mark.parametrize("label", RIGHT)
@pytest.mark.parametrize("written", ["{}", "{} # it helps", "Q: ...\n\nA: {}"])
def test_the_label_itself_is_worth_everything_whatever_stands_around_it(label, written):
    score = score_reply([read_command(label)], written.format(label), by_characters)
    assert score.type
    assert score.success
    assert score.element in (None, True)
    assert score.parameter in (None, 1.0)


@pytest.mark.parametrize("written", ["```python\n{}\n```", "It helps.\n{}", "Action: {}", "{}\n\nThen I read."])
def test_a_right_command_counts_in_a_fence_and_between_words(written):
    assert score_reply([read_command(TYPE)], written.format(TYPE), by_characters).success


def test_one_of_several_acceptable_commands_is_enough():
    labels = [CLICK, "click('D')", ANSWER]
    commands = [read_command(each) for each in labels]
    for right in labels:
        score = score_reply(commands, right, by_characters)
        assert (score.type, score.element, score.success) == (True, True, True)
    wrong = score_reply(commands, "click('E')", by_characters)
    assert (wrong.type, wrong.element, wrong.parameter, wrong.success) == (True, False, 0.0, False)
    theirs = script_score(labels, "click('D')", by_characters)
    assert (theirs.type, theirs.label, theirs.all) == (True, True, True)


def test_pressing_enter_is_not_compared():
    assert score_reply([read_command(TYPE)], TYPE.replace("False", "True"), by_characters).success


def test_texts_of_recordings_hold_line_ends_and_quotes():
    assert read_command("finish('one\ntwo \\' three')") == Command("finish", None, "one\ntwo ' three")
    assert read_command("type_string('A', \"it's\nnew\", False)") == Command("type_string", "A", "it's\nnew")
    assert read_command("finish('it's 5 o'clock\nnow')") == Command("finish", None, "it's 5 o'clock\nnow")
    assert isinstance(read_command("finish(it)"), ActionError)


def test_rouge_counts_each_word_once_and_characters_of_chinese():
    assert rouge_1("a b c", "c b d", by_characters) == pytest.approx(2 / 3)
    assert rouge_1("上海 flats", "上海", by_characters) == pytest.approx(4 / 5)
    assert rouge_1("", "", by_characters) == 1.0
    assert rouge_1("", "x", by_characters) == 0.0
    assert rouge_1("x", None, by_characters) == 0.0
