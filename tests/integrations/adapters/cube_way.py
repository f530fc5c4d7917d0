"""The scripted answers through CUBE: our benchmark, its task, and its steps."""

from __future__ import annotations

from contextlib import closing

from cube.core import Action
from cube.task import STOP_ACTION

from harness.browser.form.fields import Field
from harness.catalog.tasks_folder import instance_id
from harness.integrations.adapters.cube.benchmark import PageBenchmarkConfig
from harness.kit.files import codec
from tests.integrations.adapters.parity import scripted


def theirs(task: str, row: int) -> float:
    config = PageBenchmarkConfig(kinds=("form",)).subset_from_list([instance_id("form", task, row)])
    (wanted,) = config.get_task_configs()
    with config.make() as benchmark, closing(benchmark.spawn(wanted)) as page:
        _, told = page.reset()
        for call in scripted(codec.typed(told["fields"], tuple[Field, ...])):
            made = page.step(Action(name=call.name, arguments=dict(call.args)))
            assert (made.reward, made.done, made.error) == (0.0, False, None)
        made = page.step(Action(name=STOP_ACTION.name))
    assert made.done
    return made.reward
