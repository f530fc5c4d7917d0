"""What CUBE's own tests ask of a benchmark: a few of its tasks, and agents that know what to do in them.

``cube test turkbench``, or ``cube test harness.integrations.adapters.cube.debug`` from a checkout.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from cube.core import Action, ActionSchema, Observation

from harness.integrations.adapters.cube.benchmark import PageBenchmarkConfig

SETTINGS = "http://shop.test/account/settings/"
REF = "ref"
"""The argument that names an element; in the scripts below a pattern, which finds it in the page's text."""
SCRIPTS: Mapping[str, tuple[tuple[str, Mapping[str, str]], ...]] = {
    "turkbench.form.Reading_a_table.5": (
        ("modify_text", {"name": "answer", "value": "Long Acre"}),
        ("modify_select", {"name": "method", "value": "compare rows"}),
        ("finish", {}),
    ),
    "turkbench.form.How_long_does_it_take.20": (
        ("modify_text", {"name": "amount", "value": "30"}),
        ("modify_select", {"name": "unit", "value": "seconds"}),
        ("modify_radio", {"name": "confidence", "value": "sure"}),
        ("final_step", {}),
    ),
    "turkbench.site.Shop_.2d_Stop_the_newsletter.0": (
        ("goto", {"url": SETTINGS}),
        ("click_element", {REF: r'id=(\d+) type="checkbox" name="newsletter"'}),
        ("click_element", {REF: r"id=(\d+)>Save the settings"}),
        ("finish", {}),
    ),
}
"""What is to be done in each task, by its id."""


class DebugAgent:
    """Does what stands in a script, whatever it sees."""

    def __init__(self, task_id: str) -> None:
        """Begin.

        Args:
            task_id: A key of ``SCRIPTS``.
        """
        self._steps: Iterator[tuple[str, Mapping[str, str]]] = iter(SCRIPTS[task_id])

    def __call__(self, obs: Observation, action_set: list[ActionSchema]) -> Action:  # noqa: ARG002 - CUBE hands it over
        """The next action.

        Args:
            obs: What is seen, in which elements have their numbers.
            action_set: What could be done.

        Raises:
            LookupError: the element is not there.
        """
        name, arguments = next(self._steps)
        if pattern := arguments.get(REF):
            found = re.search(pattern, obs.to_markdown())
            if not found:
                raise LookupError(f"nothing on the page is {pattern!r}")
            return Action(name=name, arguments={REF: int(found[1])})
        return Action(name=name, arguments=dict(arguments))


def make_debug_agent(task_id: str) -> DebugAgent:
    """The agent of a task; see ``DebugAgent``."""
    return DebugAgent(task_id)


def get_debug_benchmark() -> PageBenchmarkConfig:
    """The tasks that have scripts."""
    scripted: PageBenchmarkConfig = PageBenchmarkConfig().subset_from_list([*SCRIPTS])
    return scripted
