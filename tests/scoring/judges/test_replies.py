import pytest

from harness.scoring.judges.failure_kinds import FAILURE_KINDS
from harness.scoring.judges.replies import (
    read_failure_kind,
    read_image_score,
    read_key_points,
    read_status,
    read_voyager,
)


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        ("Thoughts: All is there.\nStatus: success", "success"),
        ('Thoughts: The filter is missing.\nStatus: "failure"', "failure"),
        ("Thoughts: It was never sent. Status: failure", "failure"),
        ("**Thoughts**: fine\n\n**Status**: **success**", "success"),
        ("**Thoughts:** fine\n**Status:** “Success”.", "success"),
        ("### Thoughts\nfine\n\n### Status\nFAILURE\n", "failure"),
        ("## Status\n\n`success`", "success"),
        ("Final Status: failed", "failure"),
        ("- Status: unsuccessful", "failure"),
        ("2. **Status**: not successful", "failure"),
        ("Status: success. Every key point was met, and failure is excluded.", "success"),
        ("Thoughts: ok\nStatus: success\n\nLet me know if you need more.", "success"),
        ('{"Thoughts": "none was applied", "Status": "failure"}', "failure"),
        ('```\nThoughts: ok\nStatus: "success"\n```', "success"),
        ("<think>Status: failure? No, it is there.</think>\nThoughts: ok\nStatus: success", "success"),
        ('Thoughts: the page shows "Order Status: Success", yet of another order.\nStatus: failure', "failure"),
        ('I answer with Status: "success" or "failure".\nStatus: "failure"', "failure"),
        ("Status: success\n\nTo sum up: Status: success", "success"),
        ("The agent did everything.\n\n**Success**", "success"),
        ("STATUS : SUCCESS", "success"),
        ("Status： failure", "failure"),
        ("Status = failure", "failure"),
        ("Thoughts: the dropdown Status was set.\r\nStatus: success\r\n", "success"),
        ("1. Gyms\n   - Status: success\n2. Near\n   - Status: failure\n\nStatus: failure", "failure"),
        ("Thoughts:\n- Status: Processing was chosen\n- confirmed\n\n**Status:** success", "success"),
        ("- **Thoughts**: fine\n- **Status**: success", "success"),
        ("<answer>Status: failure</answer>", "failure"),
        ("It stopped half-way — Status: failure", "failure"),
        ('{"Thoughts": "“Active filters: Status: Success” is another order", "Status": "failure"}', "failure"),
        ("Status - success", "success"),
        ("Status Open\nStatus\nwas set\nStatus: success", "success"),
        ("Status: failure - the order was never sent.", "failure"),
        ("Thoughts：完成。\nStatus：“success”。", "success"),
        ("Thoughts：没有筛选。\n**Status**：「failure」", "failure"),
        ('Thoughts: the quotation is not closed\nStatus: "failure', "failure"),
        ("Thoughts: a token is left\nStatus: failure<|im_end|>", "failure"),
        ("Thoughts: marked\nStatus: ✅ Success", "success"),
        ("Thoughts: marked\nStatus: ❌ **failure**", "failure"),
        ("Thoughts: in LaTeX\nStatus: \\boxed{failure}", "failure"),
        ("<thinking>hm</thinking>\n<status>failure</status>", "failure"),
        ("Thoughts: a table\n\n| Status | failure |", "failure"),
        ("Thoughts: no\nOutput: Status: failure", "failure"),
        ("Thoughts: the filter was never set, and so it fails Status: failure", "failure"),
        ("Thoughts: all but 5 of 6 Status: failure", "failure"),
        ("Nothing is missing. Therefore, the final status is **success**.", "success"),
        ("Price\nStatus: failure\n\nSize\nStatus: success\n\nOverall Status: failure", "failure"),
        ("Status:\n\n**success**", "success"),
    ],
)
def test_a_verdict_is_read_however_it_is_decorated(reply, outcome):
    found = read_status(reply)
    assert found.value == outcome
    assert found.why == ""


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("", "says nothing"),
        ("<think>Status: success</think>", "nothing but thoughts"),
        ("<think>so the Status: success would be", "nothing but thoughts"),
        ("The agent did well, I call it a success.", "gives no status"),
        ("Thoughts: it filled in the Order Status: success was shown", "gives no status"),
        ("Status: partially successful", "'partially successful'"),
        ("Status: unclear", "'unclear'"),
        ("Status: success or failure cannot be told", "gives no status"),
        ("Status: success is not reached", "'success is not reached'"),
        ("Status: success, but only in part", "'success, but only in part'"),
        ("Status: success (partially)", "'success (partially)'"),
        ("Status: success?", "'success?'"),
        ('Thoughts: the page shows "Status: success".', "gives no status"),
        ("Thoughts: on the page stands Order Status: success", "gives no status"),
        ("The page shows a list and so on Status: success", "gives no status"),
        ("Thoughts: the order status is success", "gives no status"),
        ("状态：成功", "gives no status"),
        ('Status: "success" or "failure"', "gives no status"),
        ("Status: success\nStatus: failure", "not the same one"),
        ("Status: failure\n\nWait, it was sent.\n\nStatus: success", "not the same one"),
        ("- Status: success\n- Status: failure", "not the same one"),
        ("The page says: Status: success", "gives no status"),
        ("Status:", "as its status is none"),
        ("Status: successor of the page", "'successor of the page'"),
        ("x" * 300_000 + "\nStatus: success", "characters"),
    ],
)
def test_a_verdict_that_is_not_clear_is_not_guessed(reply, why):
    found = read_status(reply)
    assert found.value is None
    assert why in found.why


def test_the_thoughts_are_what_stands_before_the_verdict():
    assert read_status("Thoughts: all met\nStatus: success").before == "Thoughts: all met"


@pytest.mark.parametrize(
    ("reply", "score"),
    [
        ("### Reasoning:\nA blank page.\n\n### Score: 1", 1),
        ("### Reasoning\nA list.\n\n### Score\n4", 4),
        ("### Score:\n\n3  ", 3),
        ("Reasoning: nothing here.\n\nScore: 1", 1),
        ("1. **Reasoning**: a filter\n2. **Score**: 5", 5),
        ("**Score**: [3]", 3),
        ("**Score: 4/5**", 4),
        ("**Score:** 2 out of 5", 2),
        ("Score (1-5): 2", 2),
        ("### Score 1", 1),
        ("Score 3 reflects a hint.\nScore: 3", 3),
        ("None is shown. Score: 1 (no step of the task).\nScore: 1", 1),
        ("None is shown. Score: 1 (no step of the task).", 1),
        ("The compliance score: 4 stands on it.\n### Score: 1", 1),
        ("It shows “compliance score” (8 of 10).\n\n### Score\n1", 1),
        ("### Score: [1-5]\n4 would be too much.\n\nScore: 2", 2),
        ("<think>Score: 5</think>Score: 2", 2),
        ("Score: 3.0", 3),
        ("4", 4),
        ('{"Reasoning": "a page", "Score": 4}', 4),
        ("Score: 5. It is indispensable.", 5),
        ("Score - 4", 4),
        ("Assigned Score: 3", 3),
        ("**Score:** **2** (a hint at most)", 2),
        ('```json\n{\n  "Reasoning": "a list",\n  "Score": "4"\n}\n```', 4),
        ("- **Reasoning**: 3 of 5 gyms\n- **Score**: 4", 4),
        ("**Score:**\n\n**3**", 3),
        ("Reasoning：有价格。\nScore：【3】", 3),
        ("Nothing of it. ### Score: 1", 1),
        ("score: 2/5.", 2),
        ("<score>3</score>", 3),
        ("It is a blank page, so the score is 1.", 1),
    ],
)
def test_the_score_of_a_picture_is_read_however_it_is_decorated(reply, score):
    found = read_image_score(reply)
    assert found.value == score
    assert found.why == ""


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "Score: 0",
        "Score: 6",
        "Score: 3.5",
        "Score: 3-4",
        "Score: 10",
        "Score: 4/10",
        "Score: 1-5",
        "Score: high",
        "Score: 2\nScore: 4",
        "I would give it a 4.",
        "The credit score: 5 is shown on the page",
        "The password is 3",
        "Which of them?\n\nThe 3rd",
    ],
)
def test_a_score_that_is_not_clear_is_not_guessed(reply):
    found = read_image_score(reply)
    assert found.value is None
    assert found.why


@pytest.mark.parametrize(
    ("reply", "points"),
    [
        ("**Key Points**:\n1. Filter by gyms\n2. Closest first", ("Filter by gyms", "Closest first")),
        ("\n1. Filter by gyms  \n2. Closest first\n", ("Filter by gyms", "Closest first")),
        ("Key Points:\n- one\n- two\n\nThis is all.", ("one", "two")),
        ("Sure. 1. is a number.\n### Key Points\n1) one\n   goes on\n2) two", ("one goes on", "two")),
        ("1. dates\n   - 5 May\n   - 6 May\n2. two", ("dates 5 May 6 May", "two")),
        ("**Key Points**: **1.** one", ("one",)),
        ("<think>\n1. no\n</think>\n1. yes", ("yes",)),
        ("**Key Points**:\n1. one\n\nThese are the key points: all of them.", ("one",)),
        ("**Key Points**:\nFilter by gyms\nClosest first\n\nNothing else.", ("Filter by gyms", "Closest first")),
        ("There are none.", ()),
    ],
)
def test_key_points_are_the_items_of_the_list(reply, points):
    assert read_key_points(reply) == points


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        ("The answer is on the last picture.\n\nSUCCESS", "success"),
        ("The answer was made up. NOT SUCCESS", "failure"),
        ("Therefore, my verdict is **NOT SUCCESS**.", "failure"),
        ("It is a SUCCESS.", "success"),
        ("Verdict: not success", "failure"),
        ("**Final Verdict:** SUCCESS", "success"),
        ("I had to say SUCCESS or NOT SUCCESS.\n\nNOT SUCCESS", "failure"),
        ("UNSUCCESSFUL", "failure"),
        ("<think>SUCCESS</think>NOT SUCCESS", "failure"),
    ],
)
def test_the_verdict_in_capitals_is_read(reply, outcome):
    assert read_voyager(reply).value == outcome


@pytest.mark.parametrize(
    "reply", ["", "It was no success, I think.", "SUCCESS in part, NOT SUCCESS in the rest.", "SUCCESS\nNOT SUCCESS"]
)
def test_a_verdict_in_capitals_that_is_not_clear_is_not_guessed(reply):
    found = read_voyager(reply)
    assert found.value is None
    assert found.why


@pytest.mark.parametrize(
    "mark", ["*", " ", "\n", "status\n", "status:", "key points ", "Score ", "- ", "NOT ", '"', "<think>"]
)
def test_a_reply_that_is_made_to_take_long_does_not(mark):
    """Without bounds in the patterns it would not come to an end."""
    reply = mark * (190_000 // len(mark))
    for read in (read_status, read_image_score, read_voyager):
        assert read(reply + ":x").value is None
    assert len(read_key_points(reply + ":x")) <= 1


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        *((f"Thoughts: x\nKind: {kind}", kind) for kind in FAILURE_KINDS),
        ("**Kind**: Filter and sorting", "filter_and_sorting"),
        ("Kind: **filters & sorting**", "filter_and_sorting"),
        ("Failure kind: incomplete steps (the form was never sent)", "incomplete_steps"),
        ("Thoughts: it went elsewhere.\n\nNavigation", "navigation"),
        ("Kind: navigation or other", None),
        ("Kind: navigation, misunderstanding", None),
        ("Kind: hallucination", None),
        ("Kind: other\nKind: navigation", None),
        ("It is some other kind of thing", None),
    ],
)
def test_the_kind_of_a_failure_is_read_where_it_is_one(reply, kind):
    found = read_failure_kind(reply)
    assert found.value == kind
    assert bool(found.why) == (kind is None)
