"""Ray clusters of one machine for tests, each node in a network namespace of its own, or all in that of the machine."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.namespaces import Network
from tests.run.processes import until


@dataclass
class Cluster:
    """A cluster whose first node is this machine's own.

    Attributes:
        environment: Of all its processes.
        network: Where its further nodes are; None for the network of the machine.
        address: Of its head.
        nodes: Its processes.
    """

    environment: Mapping[str, str]
    network: Network | None
    address: str = ""
    nodes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def begin(self) -> None:
        host = f"{self.network.subnet}.1" if self.network else "127.0.0.1"
        self._start([], "--head", "--port=0", "--include-dashboard=false", f"--node-ip-address={host}")
        self.settle()
        self.address = self._log(0).read_text().partition("--address='")[2].partition("'")[0]

    def join(self) -> None:
        """Start a further node; it may take a while to be there."""
        space, host = self.network.add() if self.network else ("", "127.0.0.1")
        prefix = ["ip", "netns", "exec", space] if space else []
        self._start(prefix, f"--address={self.address}", f"--node-ip-address={host}")

    def kill(self, number: int) -> None:
        """Let a node end as a machine does that goes off."""
        _kill(self.nodes[number])

    def settle(self) -> None:
        """Wait until all nodes that were started are there."""
        for number, node in enumerate(self.nodes):
            log = self._log(number)
            until(lambda: "Ray runtime started" in log.read_text() or node.poll() is not None, 300)  # noqa: B023
            assert node.poll() is None, log.read_text()

    def _log(self, number: int) -> Path:
        return Path(self.environment["TMPDIR"]) / f"{number}.log"

    def _start(self, prefix: list[str], *arguments: str) -> None:
        command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block", "--num-cpus=1"]
        memory = f"--object-store-memory={100 * 2**20}"
        # A folder of its own, as on a machine of its own. In a common one, nodes that start at once may choose the same
        # name for their sockets: Ray looks which names are free, and makes the socket later.
        folder = f"--temp-dir={self.environment['TMPDIR']}/{len(self.nodes)}"
        with self._log(len(self.nodes)).open("wb") as stream:
            node = subprocess.Popen(
                [*prefix, *command, memory, folder, "--disable-usage-stats", *arguments],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=stream,
                start_new_session=True,
            )
        self.nodes.append(node)

    def end(self) -> None:
        for node in reversed(self.nodes):
            _kill(node)


def _kill(node: subprocess.Popen[bytes]) -> None:
    """Kill a node with all that it has started, as they are found by their parents."""
    found, left = [node.pid], [node.pid]
    while left:
        parent = left.pop()
        with contextlib.suppress(OSError):
            listed = Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="ascii").split()
            found += map(int, listed)
            left += map(int, listed)
    for pid in found:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    node.wait()


@contextlib.contextmanager
def ray_cluster(folder: Path, nodes: int, *, namespaces: bool, **environment: str) -> Iterator[Cluster]:
    """A cluster of so many nodes, the first of them this machine's own.

    Args:
        folder: For its cache.
        nodes: How many.
        namespaces: Whether its further nodes are in network namespaces of their own.
        environment: Of the processes on its nodes.
    """
    with contextlib.ExitStack() as stack:
        # Paths of sockets have to be short.
        temporary = stack.enter_context(tempfile.TemporaryDirectory(prefix="r", ignore_cleanup_errors=True))
        Path(temporary).chmod(0o711)  # for browsers, which may run as another user
        variables = {
            **os.environ,
            "TMPDIR": temporary,
            "XDG_CACHE_HOME": str(folder / "node-cache"),
            "RAY_USAGE_STATS_ENABLED": "0",
            # Which a busy machine takes.
            "RAY_raylet_start_wait_time_s": "280",
            "RAY_agent_register_timeout_ms": "280000",
            "RAY_worker_register_timeout_seconds": "280",
            # Ray's own: whoever is on this machine has no access to the cluster.
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN": secrets.token_hex(32),
            **environment,
        }
        variables.pop("PYTEST_CURRENT_TEST", None)
        cluster = Cluster(variables, stack.enter_context(Network()) if namespaces else None)
        stack.callback(cluster.end)
        cluster.begin()
        for _ in range(nodes - 1):
            cluster.join()
        cluster.settle()
        yield cluster
