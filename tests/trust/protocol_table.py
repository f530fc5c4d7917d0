"""The shapes of what the gate lets through, as the installed browser describes its protocol.

``python -m tests.trust.protocol_table`` writes them to ``harness/browser/gate/protocol.json``.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from harness.browser.gate import session_scope
from harness.browser.gate.policy import ALLOWED, CUT, EVENTS, OF_BROWSER
from harness.browser.launch import find_browser
from tests.run.processes import until

Table = dict[str, Any]
_TREES = {"Runtime.ExecutionContextDescription.auxData": "Runtime.AuxData"}
"""Fields that the protocol leaves open."""
_TREES_TYPES = {"Runtime.AuxData": {"isDefault": "boolean", "type": "string", "frameId": "Page.FrameId"}}


@contextmanager
def described() -> Iterator[Mapping[str, Any]]:
    """The installed browser's description of its protocol, which it serves at a port."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        command = [
            find_browser(),
            "--headless",
            "--no-sandbox",
            "--remote-debugging-port=0",
            f"--user-data-dir={folder}",
        ]
        browser = subprocess.Popen([*command, "about:blank"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            told = Path(folder, "DevToolsActivePort")
            until(lambda: told.exists() and "\n" in told.read_text())
            address = f"http://127.0.0.1:{told.read_text().split()[0]}/json/protocol"
            with urllib.request.urlopen(address) as answer:
                yield json.load(answer)
        finally:
            browser.kill()
            browser.wait()


def trimmed(protocol: Mapping[str, Any]) -> Table:
    """What ``harness.browser.gate.session_scope`` reads, out of the whole description."""
    types = {
        f"{domain['domain']}.{each['id']}": each for domain in protocol["domains"] for each in domain.get("types", ())
    }
    table: Table = {"methods": {}, "events": {}, "types": dict(_TREES_TYPES)}
    waiting: list[str] = []

    def kind(of: Mapping[str, Any], domain: str) -> str:
        if reference := of.get("$ref"):
            name = reference if "." in reference else f"{domain}.{reference}"
            found = types[name]
            if name in session_scope.HANDLES:
                return name
            if "properties" in found:
                waiting.append(name)
                return name
            return kind(found, name.partition(".")[0])
        if of["type"] == "array":
            return f"[{kind(of['items'], domain)}]"
        return {"binary": "string"}.get(of["type"], of["type"])

    def fields(those: list[Mapping[str, Any]], owner: str) -> dict[str, str]:
        domain = owner.partition(".")[0]
        return {
            each["name"]: _TREES.get(f"{owner}.{each['name']}") or kind(each, domain)
            for each in those
            if f"{owner}.{each['name']}" not in CUT
        }

    for domain in protocol["domains"]:
        for each in domain.get("commands", ()):
            name = f"{domain['domain']}.{each['name']}"
            if name in ALLOWED | OF_BROWSER:
                table["methods"][name] = [
                    fields(each.get("parameters", []), name),
                    fields(each.get("returns", []), name),
                ]
        for each in domain.get("events", ()):
            name = f"{domain['domain']}.{each['name']}"
            if name in EVENTS:
                table["events"][name] = fields(each.get("parameters", []), name)
    while waiting:
        name = waiting.pop()
        if name not in table["types"]:
            table["types"][name] = fields(types[name]["properties"], name)
    return {part: dict(sorted(those.items())) for part, those in table.items()}


def written(table: Table) -> str:
    """As the file has it: a line for each method, event and type."""
    parts = [
        f"{json.dumps(part)}: {{\n"
        + ",\n".join(f"{json.dumps(name)}: {json.dumps(each)}" for name, each in those.items())
        + "\n}"
        for part, those in table.items()
    ]
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    with described() as protocol:
        session_scope.TABLE.write_text(written(trimmed(protocol)))
