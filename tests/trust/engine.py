"""Stands in for docker where there is none: takes the same arguments, and makes a container of bubblewrap.

``info`` succeeds; ``run`` writes its arguments to the file of ``ENGINE_SAW`` and starts the program in namespaces of
its own, over the files of this machine; ``rm`` adds the name to that file.
"""

from __future__ import annotations

import json
import os
import sys

WITH_VALUE = {"--name", "--network", "--tmpfs", "--cap-drop", "--security-opt", "--user", "--entrypoint"}


def saw(what: object) -> None:
    with open("ENGINE_SAW_FILE", "a", encoding="utf-8") as file:  # noqa: PTH123 - the test writes the path here
        file.write(json.dumps(what) + "\n")


def run(words: list[str]) -> None:
    mounts: list[str] = []
    kept: dict[str, str] = {"PATH": os.environ["PATH"]}
    entry = ""
    while words[0].startswith("-"):
        flag = words.pop(0)
        if flag == "--volume":
            outside, inside, mode = words.pop(0).split(":")
            mounts += ["--bind" if mode == "rw" else "--ro-bind", outside, inside]
        elif flag == "--env":
            name = words.pop(0)
            kept[name] = os.environ[name]
        elif flag in WITH_VALUE:
            value = words.pop(0)
            entry = value if flag == "--entrypoint" else entry
    _image, *arguments = words
    box = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/run", "--tmpfs", "/tmp"]  # noqa: S108
    box += [*mounts, "--unshare-net", "--unshare-pid", "--die-with-parent", "--", entry, *arguments]
    os.execvpe(box[0], box, kept)  # noqa: S606


saw(sys.argv[1:])
if sys.argv[1] == "run":
    run(sys.argv[2:])
