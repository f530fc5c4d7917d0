"""Mistakes of users: command lines that must go on to be refused in the same way."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

_ORACLE = "harness.evaluate --solver oracle --progress quiet --workers 1 --out {never}"

COMMANDS: Mapping[str, str] = {
    "unknown-solver": "harness.evaluate --solver orakle",
    "unknown-module": "harness.evaluate --solver no.such.module:Solver",
    "unknown-file": "harness.evaluate --solver {inputs}/nothing.py:Solver",
    "no-tasks": _ORACLE + " --tasks-dir {inputs}/nothing",
    "no-number": _ORACLE + " --workers two",
    "no-workers": _ORACLE + " --workers 0",
    "unknown-task": _ORACLE + " --task 'Sentiment of review'",
    "unknown-split": _ORACLE + " --split tset",
    "malformed-overlay": _ORACLE + " --overlay {inputs}/malformed.json",
    "no-overlay": _ORACLE + " --overlay {inputs}/nothing.json",
    "option-of-another-solver": _ORACLE + " --encoding full",
    "unknown-encoding": "harness.evaluate --solver gpt-4o-mini --encoding fulll",
    "no-key": "harness.evaluate --solver gpt-6-luna --progress quiet --workers 1 --out {never} --max-instances 1",
    "no-price": "harness.evaluate --solver gpt-4o --model unknown --max-cost 1 --base-url {model}/v1 --out {never}",
    "no-predictions": "harness.evaluate --solver offline --out {never}",
    "malformed-predictions": "harness.evaluate --solver offline --predictions {inputs}/malformed.json --out {never}",
    "out-is-a-run": "harness.evaluate --solver oracle --out {runs}/bundled-two-steps",
    "resume-no-run": "harness.evaluate --resume {inputs}/no-run",
    "resume-with-options": "harness.evaluate --resume {runs}/bundled-two-steps --seed 3",
    "broken-tasks": _ORACLE + " --tasks-dir {inputs}/tasks",
    "score-no-run": "harness score {inputs}/nothing",
    "score-malformed-run": "harness score {inputs}/malformed-run",
    "score-other-schema": "harness score {inputs}/other-schema",
    "score-lacks-keys": "harness score {inputs}/lacks-keys",
    "score-malformed-episode": "harness score {inputs}/malformed-episode",
    "score-unknown-profile": "harness score {runs}/bundled-two-steps --metrics strict",
    "report-no-run": "harness report {inputs}/nothing",
    "compare-one-run": "harness compare {runs}/bundled-two-steps",
    "compare-nothing-shared": "harness compare {runs}/model-refused {runs}/model-few-tokens",
    "people-no-run": "harness people workers {inputs}/nothing",
    "export-unknown-format": "harness export runs {runs}/bundled-two-steps --format xml",
    "export-no-run": "harness export runs {inputs}/nothing --format sft",
    "power-no-number": "harness plan comparison {runs}/bundled-two-steps --difference much",
    "power-no-run": "harness plan comparison {inputs}/nothing",
    "leaderboard-no-command": "harness leaderboard",
    "leaderboard-no-run": "harness leaderboard add --folder {never} {inputs}/nothing",
    "leaderboard-no-folder": "harness leaderboard check --folder {inputs}/nothing",
    "replay-no-run": "harness replay {inputs}/nothing",
    "parity-nothing": "harness papers turkingbench parity",
    "agreement-other-run": "harness papers turkingbench agreement {runs}/bundled-two-steps"
    " --predictions {inputs}/predictions.jsonl",
    "prompt-several-tasks": "harness page prompt --solver gpt4-text",
    "prompt-no-row": "harness page prompt --solver gpt4-text --task 'Sentiment of reviews' --row 999",
    "mcp-no-row": "harness page mcp --task 'Sentiment of reviews' --row 999 --out {never}",
    "mcp-several-tasks": "harness page mcp --task '*' --out {never}",
    "open-no-row": "harness page open 'Sentiment of reviews' 999",
    "check-no-tasks": "oracle.check --tasks-dir {inputs}/nothing --out {never}",
    "check-no-check": "oracle.check --changed {inputs}/nothing --out {never}",
    "dataset-not-fetched": "harness.evaluate --solver oracle --dataset turkingbench",
    "dataset-unknown": "harness tasks fetch turkbench",
    "lite-no-tasks": "harness tasks lite --tasks-dir {inputs}/nothing",
    "serve-no-tasks": "serve --tasks-dir {inputs}/nothing --port 0",
    "serve-no-port": "serve --port web",
}
"""Name -> command line: the module, or ``serve`` for the server, and the words after it.

No ``{inputs}/nothing`` exists.
"""

_RAISES = '''"""A solver with a mistake."""


class Raises:
    """Raises on each page, after its first field."""

    def solve(self, page, act):
        """Fill in the first field that takes text, then divide by zero."""
        for field in page.fields:
            act.modify_text(field.name, "a")
            1 / 0
'''

_PREDICTIONS = (
    ("Sentiment of reviews", 0, "modify_radio('sentiment', 'positive')"),
    ("Sentiment of reviews", 1, "I would say:\n```python\nmodify_radio('sentiment', 'negative')\n```"),
    ("Sentiment of reviews", 2, "The review is positive."),
    ("Sentiment of reviews", 2, "modify_radio('sentiment')"),
    ("News in one sentence", 3, "modify_text('summary', 'Rain.'); modify_radio('difficulty', 'no such')"),
    ("Household survey", 1, "modify_text('no such', 'a')\nmodify_select('home-type', 'flat')\nfly()"),
)


def write_inputs(folder: Path) -> None:
    """Write the files that the commands of the plan are given: some as they should be, most as they should not.

    Args:
        folder: Is made if it is not there.
    """
    run = {"schema": 3, "status": "complete", "config": {"solver": "oracle", "metrics": "standard", "options": {}}}
    hashes = dict.fromkeys(("comparability_id", "task_set", "inventory", "protocol", "sample"), "")
    rest = {"outside": {}, "foundations": {}, "planned_episodes": 1, "left_out": {}, "identical_tasks": []}
    texts = {
        "raises.py": _RAISES,
        "malformed.json": '{"tasks": {',
        "wrong.json": json.dumps({"tasks": {"Sentiment of reviews": {"kinds": {"sentiment": "colour"}, "speed": 3}}}),
        "predictions.jsonl": "".join(
            json.dumps({"task": task, "index": index, "output": output}) + "\n" for task, index, output in _PREDICTIONS
        ),
        "no-run/notes.txt": "no run",
        "malformed-run/run.json": '{"schema": 4,',
        "other-schema/run.json": json.dumps(run),
        "lacks-keys/run.json": json.dumps({**run, "schema": 4}),
        "malformed-episode/run.json": json.dumps({**run, "schema": 4, **hashes, **rest}),
        "malformed-episode/episodes/Task/0.json": "[]",
        "tasks/No table/template.html": "<input name=a>",
        "tasks/Wrong table/template.html": "<p>${text}</p><input name=a>",
        "tasks/Wrong table/batch.csv": "text,Answer.a\nx\ny,1,2\n",
    }
    for name, text in texts.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
