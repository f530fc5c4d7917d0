"""A program that tries to get what it is not to have. Its argument is a JSON object; it prints what it got.

It keeps to Python's own library and writes nothing anywhere but in places that its test has made.
"""

# ruff: noqa: PTH113, PTH118, PTH123, PTH208 - it is written as strangers write

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ALL = 65_536
SURVIVOR = "import sys, time; stream = open(sys.argv[1], 'w'); print('here', flush=True); time.sleep(600)"


def tried(attempt: Callable[..., Any], *arguments: Any) -> Any:
    """What an attempt gave; None if it failed."""
    try:
        return attempt(*arguments)
    except (OSError, subprocess.SubprocessError):
        return None


def read(path: str) -> str:
    return Path(path).read_bytes()[:ALL].decode("utf-8", "replace")


def listing(path: str) -> list[str] | None:
    return sorted(os.listdir(path)) or None


def search(folder: str, word: str) -> list[str]:
    """Files in a folder that hold a word."""
    found = []
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            if os.path.isfile(path) and word in (tried(read, path) or ""):
                found.append(path)
    return found


def environments(word: str) -> list[str]:
    """Processes in whose environment a word stands."""
    return [
        each for each in os.listdir("/proc") if each.isdigit() and word in (tried(read, f"/proc/{each}/environ") or "")
    ]


def memory(process: int, address: int, size: int) -> str:
    with open(f"/proc/{process}/mem", "rb", buffering=0) as file:
        file.seek(address)
        return file.read(size).decode("utf-8", "replace")


def write(path: str) -> str:
    with open(path, "a") as file:
        file.write("written by a stranger\n")
    return path


def touch(folder: str) -> str:
    return write(os.path.join(folder, "by-a-stranger"))


def settings_of_the_kernel() -> list[str] | None:
    """Files that can be opened for writing, of those that govern the machine; none is written."""
    found = []
    for top in ("/proc/sys", "/proc/irq", "/proc/bus", "/proc/acpi", "/proc/fs", "/sys/kernel", "/sys/power"):
        for where, _, names in os.walk(top):
            found += [path for path in (os.path.join(where, name) for name in names) if tried(opened_to_write, path)]
    found += [path for path in ("/proc/sysrq-trigger",) if tried(opened_to_write, path)]
    return found[:10] or None


def opened_to_write(path: str) -> bool:
    os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
    return True


def connect(host: str, port: int) -> str:
    with socket.create_connection((host, port), 5):
        return "connected"


def connect_to_file(path: str) -> str:
    with socket.socket(socket.AF_UNIX) as made:
        made.connect("\0" + path[1:] if path.startswith("@") else path)
        return "connected"


def through_the_proxy(address: str) -> str:
    host, _, port = os.environ["HTTPS_PROXY"].rpartition("/")[2].partition(":")
    with socket.create_connection((host, int(port)), 20) as made:
        made.sendall(f"CONNECT {address} HTTP/1.1\r\nHost: {address}\r\n\r\n".encode())
        answer = made.recv(ALL).decode().splitlines()[0]
        if " 200 " not in answer:
            return answer
        made.sendall(b"hello")
        return made.recv(ALL).decode()


def unmask(folder: str) -> str | None:
    """As root of namespaces of one's own, take away what covers a folder."""
    script = f"umount -l {folder}; umount -l {folder}; cat {folder}/*; cat {folder}/*/*"
    done = subprocess.run(
        ["unshare", "-Urm", "sh", "-c", script], capture_output=True, text=True, timeout=30, check=False
    )
    return done.stdout or None


def leave_behind(fifo: str) -> bool:
    """Start a process that leaves its session and group, and holds a pipe open as long as it lives."""
    made = subprocess.Popen([sys.executable, "-c", SURVIVOR, fifo], start_new_session=True, stdout=subprocess.PIPE)
    return bool(made.stdout and made.stdout.readline())


def main(order: dict[str, Any]) -> dict[str, Any]:
    secret, outside = order["secret"], order["outside"]
    got = {
        "own environment": secret in json.dumps(dict(os.environ)),
        "files": {path: secret in (tried(read, path) or "") for path in order["files"]},
        "folders": {path: tried(listing, path) for path in order["folders"]},
        "search": {path: search(path, secret) for path in order["searched"]},
        "public": tried(read, order["public"]),
        "environments": environments(order["secret of the environment"]),
        "memory": tried(memory, *order["memory"]),
        "signal": tried(lambda: os.kill(outside, 0) or "sent") if outside else None,
        "group signal": tried(lambda: os.killpg(order["group"], 0) or "sent"),
        "loopback": tried(connect, "127.0.0.1", order["port"]),
        "socket file": tried(connect_to_file, order["socket file"]),
        "abstract socket": tried(connect_to_file, order["abstract socket"]),
        "written": [path for path in order["to write"] if tried(touch, path)],
        "own temporary folder": bool(tried(touch, os.environ["TMPDIR"])),
        "kernel": tried(settings_of_the_kernel) if order["isolated"] else None,
        "unmasked": {path: tried(unmask, path) for path in order["folders"]},
    }
    if order["isolated"]:
        got["outer world"] = tried(connect, "192.0.2.1", 443)
        got["proxy"] = {address: tried(through_the_proxy, address) for address in order["addresses"]}
        got["local provider"] = tried(connect, "127.0.0.1", order["local provider"])
    if order["fifo"]:
        got["left behind"] = leave_behind(order["fifo"])
    return got


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    with contextlib.suppress(BrokenPipeError):
        print(json.dumps(main(json.loads(sys.argv[1]))))
