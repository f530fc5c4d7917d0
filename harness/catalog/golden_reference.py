"""A golden reference: how a person reached the goal of a site task, and what shows that it is reached, in words.

WebCanvas (section 6.3) has a model write one from the recorded steps and the key nodes of a task. Here it is put
together by rule from the same, so that it says nothing that was not recorded; a model may write that in its own words
(``papers webcanvas golden``), which is kept in the task's folder under a hash of the text by rule. It is made of what a
task is judged by, and is handed to a solver only where its user has asked for it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from harness.catalog.site_facts import AnswerRule, Check, Condition, KeyNode, SiteFacts
from harness.catalog.trace import Trace, TraceStep
from harness.kit.errors import UserError
from harness.kit.files.codec import Malformed, decode, plain
from harness.kit.files.inside import MOST, read_inside
from harness.kit.files.installation import to_type
from harness.kit.files.writing import write_json

WRITTEN = "golden.json"
"""The file, in the folder of a task, of what models have written: key of a text by rule -> what was written of it."""

_DONE = {
    "goto": "go to {value}",
    "go_back": "go back",
    "go_forward": "go forward again",
    "reload": "load the page again",
    "click": "press {element}",
    "hover": "point at {element}",
    "fill": "write {value} into {element}",
    "fill_search": "search for {value} with {element}",
    "select_option": "choose {value} in {element}",
    "press": "press the key {value}",
    "new_tab": "open a new tab {value}",
    "switch_tab": "switch to tab {value}",
    "close_tab": "close tab {value}",
    "finish": "finish with the answer {value}",
}
_COMPARED = {"exact": "is", "include": "contains", "word": "contains the word", "semantic": "fits the rule"}
_HOLDS = {
    "is": "is {value}",
    "is_not": "is not {value}",
    "contains": "contains {value}",
    "lacks": "does not contain {value}",
    "at_least": "is {value} or more",
    "at_most": "is {value} or less",
    "count": "has {value} entries",
    "exists": "is there",
    "absent": "is not there",
}


@dataclass(frozen=True)
class WrittenReference:
    """A golden reference in a model's words.

    Attributes:
        text: It.
        model: Who wrote it.
    """

    text: str
    model: str


def key_of(rule: str) -> str:
    """By what a written reference is known: a hash (sha256, hex) of that by rule, which it says in other words."""
    return hashlib.sha256(rule.encode()).hexdigest()


def kept_references(folder: Path) -> dict[str, WrittenReference]:
    """What models have written of a task, by the keys of its references by rule.

    Raises:
        UserError: the file is damaged.
    """
    try:
        return decode(read_inside(folder, WRITTEN, MOST), dict[str, WrittenReference])
    except FileNotFoundError:
        return {}
    except (OSError, Malformed) as error:
        raise UserError(f"{folder / WRITTEN} cannot be read: {error}") from error


def keep_reference(folder: Path, rule: str, written: WrittenReference) -> None:
    """Keep what a model has written in the folder of its task."""
    write_json(folder / WRITTEN, plain({**kept_references(folder), key_of(rule): written}))


def written_reference(folder: Path, rule: str) -> str:
    """What a model wrote of a reference by rule.

    Raises:
        UserError: nothing is kept, or of another state of the task; says what to do.
    """
    found = kept_references(folder).get(key_of(rule))
    if found is None:
        raise UserError(
            f"--reference written: no model has written that of {folder.name!r}, or the task has changed since; "
            f"{to_type('papers webcanvas golden', folder.parent, '--preset', 'NAME')} has it written"
        )
    return found.text


def golden_reference(facts: SiteFacts, trace: Trace | None) -> str:
    """The golden reference of a task.

    Args:
        facts: The task, with its row filled in.
        trace: A way to its goal; None if none was recorded.

    Returns:
        Lines of text: the goal, the steps of the trace, and every condition that has to be met.
    """
    lines = [f"Goal: {facts.goal}"]
    if trace is not None:
        lines += ["Steps that reach it:", *(f"{place}. {_step(step)}" for place, step in enumerate(trace.steps, 1))]
    conditions = list(_conditions(facts))
    if conditions:
        lines += ["It is reached when all of this has been met:", *(f"- {each}" for each in conditions)]
    return "\n".join(lines)


def _step(step: TraceStep) -> str:
    element = ""
    if step.element is not None:
        named = step.element.text or next((value for value in step.element.attributes.values() if value), "")
        element = " ".join(filter(None, (step.element.tag, repr(named) if named else step.element.css)))
    value = repr(step.value) if step.value else ""
    done = " ".join(_DONE[step.do].format(value=value, element=element).split())
    return f"{done} ({step.note})" if step.note else done


def _conditions(facts: SiteFacts) -> Iterator[str]:
    evaluators = facts.evaluators
    yield from map(_key_node, evaluators.key_nodes)
    yield from map(_condition, evaluators.final_state)
    if evaluators.answer is not None:
        yield _answer(evaluators.answer)
    if evaluators.page_reward:
        yield "the page itself counts the task as done"
    yield from map(_check, evaluators.checks)


def _key_node(node: KeyNode) -> str:
    compared = f"{_COMPARED[node.match]} {node.reference!r}"
    match node.target:
        case "url":
            told = f"{f'the part {node.key!r} of ' if node.key else ''}the address {compared}"
        case "element_path":
            told = f"the element {node.reference!r} was acted on"
        case _:
            told = f"what {f'the element {node.path!r}' if node.path else 'an element'} holds {compared}"
    return f"{node.note}: {told}" if node.note else told


def _condition(condition: Condition) -> str:
    return f"the site's {condition.at} {_HOLDS[condition.how].format(value=repr(condition.value))}"


def _answer(rule: AnswerRule) -> str:
    return f"the answer {_COMPARED[rule.match]} {rule.reference!r}"


def _check(check: Check) -> str:
    told = " or ".join(f"{_COMPARED[each.match]} {each.reference!r}" for each in check.any_of)
    match check.of:
        case "answer":
            return f"the answer {told}"
        case "address":
            return f"the address of the page in front in the end {told}"
        case _:
            where = f"the page {check.look.url}" if check.look and check.look.url else "the page in front in the end"
            what = f"{check.look.css!r} of " if check.look and check.look.css else ""
            return f"{what}{where} {told}"
