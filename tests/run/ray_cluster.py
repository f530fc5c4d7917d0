"""Ray clusters of one machine for tests, each node in a network namespace of its own, or all in that of the machine."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from harness.kit.files.writing import write_bytes
from tests.namespaces import Network
from tests.run.processes import until

_UNUSED_PORTS = ("metrics_agent_port", "metrics_export_port", "dashboard_agent_listen_port")
"""Files in which a node's agent says at which ports it serves: at none, in a Ray without its dashboard."""


@dataclass
class Cluster:
    """A cluster whose first node is this machine's own.

    Attributes:
        environment: Of all its processes.
        network: Where its further nodes are; None for the network of the machine.
        jobs: Where its dashboard takes jobs; empty if it has none.
        address: Of its head.
        nodes: Its processes.
        lost: The numbers of those that were killed.
    """

    environment: Mapping[str, str]
    network: Network | None
    jobs: str = ""
    address: str = ""
    nodes: list[subprocess.Popen[bytes]] = field(default_factory=list)
    lost: set[int] = field(default_factory=set)

    def begin(self) -> None:
        host = f"{self.network.subnet}.1" if self.network else "127.0.0.1"
        dashboard = f"--dashboard-port={self.jobs.rpartition(':')[2]}" if self.jobs else "--include-dashboard=false"
        self._start([], "--head", "--port=0", dashboard, f"--node-ip-address={host}")
        self.settle()
        self.address = self._log(0).read_text().partition("--address='")[2].partition("'")[0]

    def join(self) -> None:
        """Start a further node; ``settle`` waits until it is there."""
        space, host = self.network.add() if self.network else ("", "127.0.0.1")
        prefix = ["ip", "netns", "exec", space] if space else []
        self._start(prefix, f"--address={self.address}", f"--node-ip-address={host}")

    def kill(self, number: int) -> None:
        """Let a node end as a machine does that goes off."""
        self.lost.add(number)
        _kill(self.nodes[number])

    def settle(self) -> None:
        """Wait until all nodes that were started, and not killed, are there."""
        for number, node in enumerate(self.nodes):
            if number not in self.lost:
                log = self._log(number)
                until(lambda: self._is_heard_of(log, node), 300)  # noqa: B023
                assert node.poll() is None, log.read_text()

    def _is_heard_of(self, log: Path, node: subprocess.Popen[bytes]) -> bool:
        """Whether a node has started or ended.

        A raylet ends if its agent does not say within 15 s which ports it has, which takes longer on a busy machine;
        nothing lengthens that (ray-project/ray#65983). So it is said here, before the agent says the same.
        """
        for number in range(0 if self.jobs else len(self.nodes)):
            for session in self._folder(number).glob("session_2*"):
                for kind in _UNUSED_PORTS:
                    file = session / f"{kind}_{_identity(number)}"
                    if not file.exists():
                        write_bytes(file, b"-1")
        return "Ray runtime started" in log.read_text() or node.poll() is not None

    def _folder(self, number: int) -> Path:
        """Where Ray keeps the files of a node: in one of its own, as on a machine of its own.

        In a common one, nodes that start at once may choose the same name for their sockets, and one ends: Ray looks
        which names are free, and makes the socket later.
        """
        return Path(self.environment["TMPDIR"]) / str(number)

    def _log(self, number: int) -> Path:
        return self._folder(number).with_suffix(".log")

    def _start(self, prefix: list[str], *arguments: str) -> None:
        number = len(self.nodes)
        command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block", "--num-cpus=1"]
        places = [f"--temp-dir={self._folder(number)}", f"--runtime-env-agent-port={_free_port()}"]
        memory = f"--object-store-memory={100 * 2**20}"
        with self._log(number).open("wb") as stream:
            node = subprocess.Popen(
                [*prefix, *command, *places, memory, "--disable-usage-stats", *arguments],
                env={**self.environment, "RAY_OVERRIDE_NODE_ID_FOR_TESTING": _identity(number)},
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=stream,
                start_new_session=True,
            )
        self.nodes.append(node)

    def end(self) -> None:
        for node in reversed(self.nodes):
            _kill(node)


def _identity(number: int) -> str:
    """What Ray calls a node."""
    return f"{number + 1:056x}"


def _free_port() -> int:
    with socket.create_server(("", 0)) as free:
        port: int = free.getsockname()[1]
        return port


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
def ray_cluster(
    folder: Path, nodes: int, *, namespaces: bool, dashboard: bool = False, **environment: str
) -> Iterator[Cluster]:
    """A cluster of so many nodes, the first of them this machine's own.

    Args:
        folder: For its cache.
        nodes: How many.
        namespaces: Whether its further nodes are in network namespaces of their own.
        dashboard: Whether it has a dashboard, which takes jobs.
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
            "RAY_gcs_server_port_wait_time_s": "280",
            "RAY_raylet_start_wait_time_s": "280",
            "RAY_agent_register_timeout_ms": "280000",
            "RAY_worker_register_timeout_seconds": "280",
            # Else Ray's workers, and so browsers, give way to all others.
            "RAY_worker_niceness": "0",
            # Ray's own: whoever is on this machine has no access to the cluster.
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN": secrets.token_hex(32),
            **environment,
        }
        variables.pop("PYTEST_CURRENT_TEST", None)
        cluster = Cluster(variables, stack.enter_context(Network()) if namespaces else None)
        cluster.jobs = f"http://127.0.0.1:{_free_port()}" if dashboard else ""
        stack.callback(cluster.end)
        cluster.begin()
        for _ in range(nodes - 1):
            cluster.join()
        cluster.settle()
        yield cluster
