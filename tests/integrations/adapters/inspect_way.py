"""The scripted answers through Inspect: its mock model says them, and its agent gives them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from inspect_ai import Task, eval
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import Model, ModelOutput, ModelUsage, get_model

from harness.integrations.adapters.inspect import forms
from harness.integrations.adapters.stage.stage import Stage
from harness.integrations.adapters.stage.stage_config import stage_config
from harness.integrations.exports.inspect_sample import sample_id
from tests.integrations.adapters.parity import scripted

SAID = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
"""Of each reply: the mock model would count with a table from the network otherwise."""


def called(name: str, arguments: Mapping[str, Any] | None = None) -> ModelOutput:
    """A reply that calls a tool."""
    return ModelOutput.for_tool_call("scripted", name, dict(arguments or {})).model_copy(update={"usage": SAID})


def written(text: str) -> ModelOutput:
    """A reply in words."""
    return ModelOutput.from_content("scripted", text).model_copy(update={"usage": SAID})


def mock(replies: Sequence[ModelOutput] | Callable[..., ModelOutput]) -> Model:
    """Inspect's mock model with these replies, or with what a function makes of the messages."""
    return get_model("mockllm/model", custom_outputs=replies, memoize=False)


def evaluated(task: Task, model: str | Model, **options: Any) -> EvalLog:
    """Inspect's own evaluation, and its log."""
    with tempfile.TemporaryDirectory() as folder:
        (log,) = eval(task, model, log_dir=folder, display="none", **options)
        return read_eval_log(log.location)  # what is given back reads its samples when they are asked for


def theirs(task: str, row: int) -> float:
    with Stage(stage_config("parity", "form", task=task)) as stage:
        calls = [called(call.name, call.args) for call in scripted(stage.open(task, row).fields)]
    model = mock([*calls, called("finish")])
    log = evaluated(forms(task=task, max_turns=50), model, sample_id=sample_id(task, row))
    (sample,) = log.samples or ()
    assert sample.scores
    return float(sample.scores["page_score"].as_dict()["score"])
