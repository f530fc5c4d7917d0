"""The Ray cluster that a run is placed on, as its driver is connected with it."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator

import ray
from ray.exceptions import RayError

from harness.run.engine import NoEngine
from harness.run.interrupts import SIGNALS

_MODE = "RAY_AUTH_MODE"


@contextlib.contextmanager
def connected(address: str | None) -> Iterator[None]:
    """A context in which this process is a driver of a Ray cluster; signals stay with the run.

    Args:
        address: Of the cluster; None for the one that this machine belongs to, or else a new one on it.

    Raises:
        NoEngine: there is no such cluster, or this machine is none of its nodes.
    """
    if address and "://" in address:
        raise NoEngine(f"--address {address}: give HOST:PORT of a cluster that this machine is a node of")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # a cluster that is begun here tells nobody of itself
    in_main = threading.current_thread() is threading.main_thread()  # where signals arrive
    handlers = {number: signal.getsignal(number) for number in SIGNALS if in_main}
    try:
        ray.init(address=address, log_to_driver=False, logging_level="ERROR", configure_logging=False)
    except (ConnectionError, RuntimeError, ValueError, RayError) as error:
        # Ray shows its token to no address that it is given, unless it is told to, and does not say so in its error.
        asked = (
            "" if os.environ.get(_MODE) else f"; if `ray start` said that it wants a token, set {_MODE}=token here, too"
        )
        raise NoEngine(f"--engine ray: {last_line(error)}{asked}") from error
    try:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        yield
    finally:
        ray.shutdown()


def nodes_with_processors() -> list[tuple[str, str, float]]:
    """The nodes of the cluster that can have work: id, address, and processors."""
    return [
        (node["NodeID"], node["NodeManagerAddress"], node["Resources"]["CPU"])
        for node in ray.nodes()
        if node["Alive"] and node["Resources"].get("CPU")
    ]


def last_line(error: Exception) -> str:
    """The last line of an error of Ray, which tells whole stories."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__
