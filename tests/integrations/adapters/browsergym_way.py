"""The scripted answers through BrowserGym, by its own actions on what it observes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import gymnasium
from browsergym.core import _get_global_playwright
from browsergym.core.action.highlevel import HighLevelActionSet

from harness.actions.call import ActionCall
from harness.catalog.tasks_folder import instance_id
from harness.integrations.adapters.browsergym.registration import register
from harness.integrations.adapters.stage.stage import Stage
from harness.integrations.adapters.stage.stage_config import stage_config
from harness.kit.files.installation import BUNDLED_TASKS
from tests.integrations.adapters.parity import scripted
from tests.integrations.adapters.plain import leaving_nothing

FORM = """<p>${text}</p><form><input name=a><label><input type=radio name=b value=1>one</label>
<label><input type=radio name=b value=2>two</label><input type=submit name=send value=Submit></form>"""


def nothing_stays(folder: Path) -> Iterator[None]:
    """For a fixture: no process and no file is left of the episodes; Playwright itself stays as long as Python."""
    _get_global_playwright()  # before the mark: it is not an episode's
    with leaving_nothing(folder):
        yield


def theirs(task: str, row: int) -> float:
    with Stage(stage_config("test", "form")) as stage:
        calls = scripted(stage.open(task, row).fields)
    register("form", task=task, tasks_dir=BUNDLED_TASKS)
    id_ = f"browsergym/{instance_id('form', task, row)}"
    with gymnasium.make(id_, disable_env_checker=True, action_mapping=patiently) as env:
        seen, _ = env.reset()
        for call in calls:
            seen, *_ = env.step(action(call, seen["dom_object"]))
            assert not seen["last_action_error"], seen["last_action_error"]
        _, reward, terminated, _, _ = env.step("send_msg_to_user('I am done.')")
    assert terminated
    return float(reward)


def patiently(action: str) -> str:
    """An action as BrowserGym carries it out, which has more than half a second on a machine with much to do."""
    return str(HighLevelActionSet().to_python_code(action).replace("timeout=500", "timeout=60_000"))


def action(call: ActionCall, dom: Mapping[str, Any]) -> str:
    """An action of BrowserGym's that does what one of ours does, to a control that its document shows."""
    name, value = call.args["name"], call.args["value"]
    controls = [each for each in attributes(dom) if each.get("name") == name and "bid" in each]
    match call.name:
        case "modify_radio":
            return f"click({bid(controls, value)})"
        case "modify_checkbox":
            return f"click({bid(controls, value[0])})"
        case "modify_select":
            return f"select_option({bid(controls)}, {json.dumps(value)})"
    return f"fill({bid(controls)}, {json.dumps(str(value))})"


def bid(controls: list[Mapping[str, str]], value: str | None = None) -> str:
    """BrowserGym's number of the first of these controls, or of that with a value."""
    return json.dumps(next(each["bid"] for each in controls if value in (None, each.get("value", "on"))))


def attributes(dom: Mapping[str, Any]) -> list[dict[str, str]]:
    """The attributes of all elements of a DOM snapshot, whose words stand in a list of their own."""
    words = dom["strings"]
    return [
        {words[key]: words[value] for key, value in zip(each[::2], each[1::2], strict=True)}
        for document in dom["documents"]
        for each in document["nodes"]["attributes"]
    ]
