"""A contestant: BrowserGym's ``browsergym/openended``, an environment a page, with all fields of it in one step.

Where there is nothing to fill in, the step is ``noop()``. Three things are not as by default: its browsers are the
system's; an action waits longer for a control than half a second, which a busy machine needs; and it is not slowed down
by 100 ms.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import browsergym.core  # noqa: F401 - registers the environment
import gymnasium
from browsergym.core.action.highlevel import HighLevelActionSet
from playwright.sync_api import BrowserType

from benchmarks.peers.turns import FLAGS, HEIGHT, PATIENCE, READ, WIDTH, Fill, Held, Job, Play, RacePage, take_part


def _patiently(action: str) -> str:
    return str(HighLevelActionSet().to_python_code(action).replace("timeout=500", f"timeout={PATIENCE}_000"))


@contextmanager
def begin(job: Job) -> Iterator[Play]:
    """Have both browsers of each environment, the page's and the chat's, be the system's."""
    launch = BrowserType.launch

    def launch_it(kind: BrowserType, args: list[str] | None = None, **settings: Any) -> Any:
        return launch(kind, executable_path=job["browser"], args=[*(args or ()), *FLAGS], **settings)

    BrowserType.launch = launch_it
    opened: list[Any] = []

    def play(page: RacePage) -> Held:
        while opened:
            opened.pop().close()
        env = gymnasium.make(
            "browsergym/openended",
            disable_env_checker=True,
            task_kwargs={"start_url": page["url"], "goal": "Fill in the form."},
            viewport={"width": WIDTH, "height": HEIGHT},
            slow_mo=0,
            action_mapping=_patiently,
        )
        opened.append(env)
        env.reset()
        shown = env.unwrapped.page
        actions = [_action(fill, shown.get_attribute(fill["selector"], "bid")) for fill in page["fills"]]
        seen, *_ = env.step("\n".join(actions) or "noop()")
        if seen["last_action_error"]:
            raise ValueError(seen["last_action_error"])
        held: Held = shown.evaluate(READ)
        return held

    yield play
    while opened:
        opened.pop().close()


def _action(fill: Fill, bid: str) -> str:
    match fill["kind"]:
        case "text":
            return f"fill({bid!r}, {json.dumps(fill['value'])})"
        case "select":
            return f"select_option({bid!r}, {json.dumps(fill['value'])})"
    return f"click({bid!r})"


if __name__ == "__main__":
    take_part(begin, "browsergym-core", "playwright")
