"""Network namespaces of this machine, which stand for other machines."""

from __future__ import annotations

import os
import subprocess


class Network:
    """A bridge of this machine, to which namespaces are connected, each with an address of its own."""

    def __init__(self) -> None:
        self.name = f"tb{os.getpid()}"
        self.subnet = f"10.{200 + os.getpid() % 50}.{os.getpid() // 50 % 250}"
        self.spaces: list[str] = []

    def __enter__(self) -> Network:
        _ip("link", "add", self.name, "type", "bridge")
        _ip("addr", "add", f"{self.subnet}.1/24", "dev", self.name)
        _ip("link", "set", self.name, "up")
        return self

    def add(self) -> tuple[str, str]:
        """A new namespace: its name and its address."""
        number = len(self.spaces) + 2
        space, outer, inner = (f"{self.name}{kind}{number}" for kind in "nab")
        self.spaces.append(space)
        _ip("netns", "add", space)
        _ip("link", "add", outer, "type", "veth", "peer", "name", inner, "netns", space)
        _ip("link", "set", outer, "master", self.name, "up")
        for command in (["link", "set", "lo", "up"], ["link", "set", inner, "up"]):
            _ip("-n", space, *command)
        _ip("-n", space, "addr", "add", f"{self.subnet}.{number}/24", "dev", inner)
        # Programs find out which address is their own by the route to the world.
        _ip("-n", space, "route", "add", "default", "via", f"{self.subnet}.1")
        return space, f"{self.subnet}.{number}"

    def __exit__(self, *_: object) -> None:
        for space in self.spaces:
            subprocess.run(["ip", "netns", "del", space], check=False)
        subprocess.run(["ip", "link", "del", self.name], check=False)


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True)
