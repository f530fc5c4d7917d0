"""Whatever a judge writes around it, a verdict is read as what it says, or not at all."""

from hypothesis import given, settings
from hypothesis import strategies as st

from harness.scoring.judges.replies import read_image_score, read_status

PROSE = "the agent Order Status success failure page Score 3 of 5 is never set was failed successfully status"
WORDS = st.lists(
    st.sampled_from([*PROSE.split(), "“Status: failure”", '"Score: 2"', "不", "，", "**done**", "`x`"]), max_size=12
).map(" ".join)
AROUND = st.sampled_from(
    [("", ""), ("**", "**"), ('"', '"'), ("“", "”"), ("「", "」"), ("`", "`"), ("[", "]"), ('"', ""), ("**", "")]
)
LABEL = st.sampled_from(["{}: ", "**{}**: ", "**{}:** ", "### {}\n", "### {}:\n", "{}：", "> **{}**： ", "{} = "])
LABELS = LABEL | st.just("- {}: ")
ENDS = st.sampled_from(["", ".", "\n", "。", "</s>", "\n\nLet me know if you need more."])


@st.composite
def replies(draw, name, values, labels=LABELS):
    """A reply in the form that is asked for, decorated in some way; and its value."""
    before, after = draw(AROUND)
    value = draw(st.sampled_from(values))
    label = draw(labels).format(draw(st.sampled_from([name, name.lower(), name.upper()])))
    return f"Thoughts: {draw(WORDS)}.\n{label}{before}{value}{after}{draw(ENDS)}", value


@settings(deadline=None)
@given(replies("Status", ["success", "failure", "Success", "FAILURE"]))
def test_a_verdict_in_the_form_is_read_whatever_the_thoughts_say(made):
    reply, value = made
    assert read_status(reply).value == value.lower()


@settings(deadline=None)
@given(replies("Score", ["1", "2", "3", "4", "5"]))
def test_a_score_in_the_form_is_read_whatever_the_reasons_say(made):
    reply, value = made
    assert read_image_score(reply).value == int(value)


@settings(deadline=None)
@given(replies("Status", ["success"], LABEL), replies("Status", ["failure"], LABEL), st.booleans())
def test_two_verdicts_that_differ_are_none(one, other, swapped):
    first, second = (other, one) if swapped else (one, other)
    found = read_status(f"{first[0]}\n{second[0]}")
    assert found.value is None
    assert found.why


@settings(deadline=None)
@given(WORDS, st.sampled_from(["success", "failure"]))
def test_a_verdict_that_is_taken_back_or_asked_is_none(thoughts, value):
    for back in (f"Status: {value} or not", f"Status: {value}?", f"Status: {value} cannot be told"):
        assert read_status(f"Thoughts: {thoughts}.\n{back}").value is None


@settings(deadline=None)
@given(st.text(max_size=200))
def test_a_text_without_the_words_of_a_verdict_has_none(text):
    if not any(word in text.lower() for word in ("success", "succe", "fail")):
        assert read_status(text).value is None


@settings(deadline=None)
@given(st.text(alphabet="Status:score failure*\n \"'1235/-", max_size=80))
def test_what_is_not_read_has_a_reason_and_what_is_read_stands_in_the_reply(text):
    for found in (read_status(text), read_image_score(text)):
        assert (found.value is None) == bool(found.why)
        assert str(found.value or "")[:4] in text.lower()
