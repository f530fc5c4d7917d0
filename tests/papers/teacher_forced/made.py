"""Demonstrations made for tests: little pages, one button or field each that is the right one."""

from __future__ import annotations

from collections.abc import Sequence

from harness.papers.mind2web.demonstrations.demonstration import (
    Candidate,
    DemonstratedStep,
    Demonstration,
    DoneOperation,
    OriginalOperation,
)

PAGE = """<html backend_node_id="1"><body backend_node_id="2"><script>document.title = "ran"</script>
<h1 backend_node_id="3">Shop</h1>
<a backend_node_id="4" href="/help">Help</a>
<label backend_node_id="5">City <input backend_node_id="6" type="text" name="city"></label>
<select backend_node_id="7" name="sort"><option backend_node_id="8" value="a">Newest</option>
<option backend_node_id="9" value="b">Cheapest first</option></select>
<button backend_node_id="10" onclick="document.title='pressed'"><span backend_node_id="11">Buy lamp</span></button>
</body></html>"""
_TAGS = {"4": "a", "6": "input", "7": "select", "10": "button", "11": "span"}


def candidate(id_: str, *, target: bool | None = None) -> Candidate:
    more = {"data_pw_testid_buckeye": "x"} if target else {}
    attributes = {"backend_node_id": id_, "name": {"6": "city", "7": "sort"}.get(id_, ""), **more}
    return Candidate(
        backend_node_id=id_, tag=_TAGS[id_], attributes=attributes, is_original_target=target, more={"score": 1}
    )


def step(
    right: Sequence[str] = ("10", "11"),
    done: OriginalOperation = "CLICK",
    value: str = "",
    *,
    uid: str = "u",
    html: str = PAGE,
) -> DemonstratedStep:
    op = done if done in ("TYPE", "SELECT") else "CLICK"
    return DemonstratedStep(
        action_uid=uid,
        raw_html=html,
        cleaned_html=html,
        operation=DoneOperation(op=op, original_op=done, value=value),
        positives=tuple(candidate(each, target=True) for each in right),
        negatives=tuple(candidate(each) for each in _TAGS if each not in right),
    )


CLICK = step()
TYPE = step(("6",), "TYPE", "New Lisbon")
SELECT = step(("7",), "SELECT", "Cheapest first")


def demonstration(
    id_: str = "d0",
    steps: Sequence[DemonstratedStep] = (TYPE, SELECT, CLICK),
    website: str = "shop",
    domain: str = "Shopping",
) -> Demonstration:
    return Demonstration(
        annotation_id=id_,
        website=website,
        domain=domain,
        subdomain="",
        confirmed_task="Buy the lamp in New Lisbon, Cheapest first",
        action_reprs=tuple(f"[{number}] -> {each.operation.op}" for number, each in enumerate(steps)),
        steps=tuple(steps),
    )
