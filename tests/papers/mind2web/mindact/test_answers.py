import pytest

from harness.papers.mind2web.mindact.answers import LONGEST_ANSWER, StepAnswer, read_choice, read_generated

LABELS = ("B", "C", "D")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Answer: C\nAction: CLICK", StepAnswer(1, op="CLICK")),
        ("Answer: C. Action: SELECT Value: Pickup", StepAnswer(1, op="SELECT", value="Pickup")),
        ('**Answer:** b\n**Action:** type\n**Value:** "wool socks"', StepAnswer(0, op="TYPE", value="wool socks")),
        ("Answer: D. <a> Wool </a>\nAction: CLICK\nValue: ignored", StepAnswer(2, op="CLICK")),
        ("I think so.\nAnswer: (B)\nAction: CLICK.", StepAnswer(0, op="CLICK")),
        ("Answer: A", StepAnswer()),
        ("answer: A. None of these", StepAnswer()),
        ("Answer: B\nAction: TYPE\nValue: see. Answer: 42", StepAnswer(0, op="TYPE", value="see. Answer: 42")),
        ("Answer: B\nAction: TYPE\nValue: São João; 12", StepAnswer(0, op="TYPE", value="São João; 12")),
    ],
)
def test_answers_are_read(text, expected):
    assert read_choice(text, LABELS, "A") == expected


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "it says nothing"),
        ("The third one.", "it gives no answer"),
        ("Answer:", "it gives no answer"),
        ("Answer: E\nAction: CLICK", "its answer is none of the options: 'E'"),
        ("Answer: B or C\nAction: CLICK", "its answer is none of the options: 'B or C'"),
        ("Answer: the button", "its answer is none of the options: 'the button'"),
        ("Answer: B\nAnswer: C", "it gives its answer twice, and not the same"),
        ("x" * (LONGEST_ANSWER + 1), "it has more than 20,000 characters"),
    ],
)
def test_what_is_no_answer_chooses_nothing_and_says_why(text, problem):
    assert read_choice(text, LABELS, "A") == StepAnswer(problem=problem)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Answer: B", "it gives no action"),
        ("Answer: B\nAction: JUMP", "its action is none: 'JUMP'"),
        ("Answer: B\nAction: CLICK or TYPE", "its action is none: 'CLICK or TYPE'"),
        ("Answer: B\nAction: TYPE", "it gives no value for TYPE"),
        ("Answer: B\nAction: SELECT\nValue:", "it gives no value for SELECT"),
    ],
)
def test_an_element_counts_though_what_to_do_with_it_cannot_be_told(text, problem):
    assert read_choice(text, LABELS, "A") == StepAnswer(0, problem=problem)


def test_numbers_are_labels_too():
    labels = tuple(map(str, range(1, 51)))
    assert read_choice("Answer: 12. <a>\nAction: CLICK", labels, "0").chosen == 11
    assert read_choice("Answer: 0", labels, "0") == StepAnswer()
    assert read_choice("Answer: 1.5\nAction: CLICK", labels, "0").problem


def test_an_element_in_the_models_words_is_read():
    found = read_generated("Element: <button> Search </button>\nAction: CLICK")
    assert (found.written, found.op) == ("<button> Search </button>", "CLICK")
    assert read_generated("Action: CLICK").problem == "it gives no element"


def test_a_hostile_answer_takes_no_time():
    for text in ("Answer: " * 2_000, "*" * 20_000, "Answer:" + " " * 19_000, "CLICK" * 4_000):
        read_choice(text, LABELS, "A")
