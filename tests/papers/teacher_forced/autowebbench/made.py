"""Steps in AutoWebBench's form, made for tests."""

from __future__ import annotations

import json

SOURCE = """<html| <a[A]| Home> <a[B]| Lamps> <input[C]| Search> <button[AA]| <span| Buy the lamp> > >

You are a helpful assistant that can assist with web navigation tasks.

#Provided functions:
def click(element_id: str) -> None:

#Previous commands: click('A') #HTML Segment: <a[A]| Home>

#Window tabs: 1. Shop <-- current tab

#Current viewport (pages): 0 / 1.2

#Task: {task}

You should output one command to interact to the currrent webpage .
"""
TARGETS = ("click('AA')", ["click('B')", "click('A')"], "[\"finish('at nine')\", \"finish('9:00')\"]")


def written(file, targets=TARGETS, task="Buy a lamp"):
    """A file of steps; gives its path."""
    file.parent.mkdir(parents=True, exist_ok=True)
    steps = [{"source": SOURCE.format(task=f"{task} {number // 2}"), "target": t} for number, t in enumerate(targets)]
    file.write_text(json.dumps(steps))
    return file
