"""The table in which kinds of tasks are found by name: those of this package, and those of others."""

from __future__ import annotations

from typing import Any

from harness.kit.registry import Registry, registry

KindName = str
"""The name of a kind of task, as a ``task.json`` has it."""
FORM: KindName = "form"
"""The kind of a task that says nothing of it: one page whose fields are scored."""

TASK_KINDS: Registry[Any] = registry("task_kinds")
"""Name -> ``harness.run.task_kind.TaskKind``, which stands above this folder."""
