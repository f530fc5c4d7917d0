"""Which engine a run asks for, and whether it can be had, with the browsers that it asks for."""

from __future__ import annotations

from importlib.util import find_spec

from harness.catalog.problems import CatalogError
from harness.kit.files.installation import installing
from harness.records.config import RunConfig
from harness.run.engine import Engine, EngineOrder, NoEngine
from harness.run.local_engine import LocalEngine
from harness.run.remote_browsers import check_browsers
from harness.run.task_kind import task_kind


def check_engine(config: RunConfig) -> None:
    """Make sure that a run can be placed as it asks.

    Args:
        config: Of the run, with the kind of its tasks.

    Raises:
        NoEngine: the engine is not installed.
        CatalogError: what was asked for does not go with it.
    """
    check_browsers(config)
    if config.pages_per_browser > 1:
        from harness.run.shared_browsers import check_sharing  # noqa: PLC0415 - a browser a worker does without

        check_sharing(config)
    if config.engine == "local":
        return
    if task_kind(config.kind).sets_sites:
        raise CatalogError(
            "--engine ray plays forms: tasks on websites need a task server beside the run; leave it out."
        )
    if config.server:
        raise CatalogError("--server: with --engine ray each node has a task server of its own; leave it out.")
    if config.headed:
        raise CatalogError("--headed: nobody sees the windows of other machines; leave it out, or --engine ray.")
    if find_spec("ray") is None:
        raise NoEngine(f"--engine ray: Ray is not installed; install it with: {installing('ray')}")


def engine_for(order: EngineOrder, address: str | None) -> Engine:
    """The engine that a run asks for.

    Args:
        order: What it needs.
        address: Of the Ray cluster; None for one that this machine belongs to, or else a new one on this machine.
    """
    if order.config.engine == "ray":
        # Imported here alone: a run on this machine does without Ray.
        from harness.run.ray_engine import RayEngine  # noqa: PLC0415

        return RayEngine(order, address)
    return LocalEngine(order)
