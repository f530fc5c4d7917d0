"""Rates of the four judges on trajectories of known worth: ``python -m benchmarks.judge_rates OUT``.

OUT holds the runs of ``benchmarks.judged_runs``. Without ``--preset`` a scripted model judges, which says success to
whoever is told of at least ``LEAST`` actions, or of none: that proves the way, and says nothing about the judges.
docs/notes/judges.md has the table.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from benchmarks.judged_agents import AGENTS
from harness.cli.commands.judge.run import main as judge
from harness.kit.statistics.estimate import Estimate
from harness.kit.text import NOTHING, markdown_table, percent
from harness.records.directory import RunDirectory
from harness.records.verdict import read_verdicts
from harness.scoring.judges.judged_pairs import agreement_groups
from harness.scoring.judges.verdict_pairs import final_state_success, pool

METHODS = ("webjudge", "autonomous", "agenttrek", "webvoyager")
SCRIPTED = "scripted"
LEAST = 5
_ACTION = re.compile(r"^.* -> [A-Z]+", re.MULTILINE)


def scripted_reply(role: str, asked: str) -> str:
    """What the scripted model says to a question of any judge.

    Args:
        role: The judge's rules, by which the question is known.
        asked: The text of the question itself.
    """
    if "You read a task" in role:
        return "1. What the task asks for is done"
    if "You look at one picture" in role:
        return "Reasoning: it shows the page\nScore: 3"
    actions = len(_ACTION.findall(asked))
    is_done = actions >= LEAST or not actions
    if "in capitals" in role:
        return "SUCCESS" if is_done else "NOT SUCCESS"
    return f"Thoughts: {actions} actions\nStatus: {'success' if is_done else 'failure'}"


def rates_of(out: Path, model: str) -> list[list[str]]:
    """The table of what the judges of a preset said of all runs, against the state of the sites in the end.

    Args:
        out: Holds the runs, and beside them the verdicts.
        model: The judges' model, as it stands in the names of their folders.
    """
    runs = [RunDirectory.open(out / agent) for agent in AGENTS]
    rows = [["judge", "verdicts", "unread", "agreement", "95 % interval", "kappa", "says success", "failures found"]]
    for method in METHODS:
        files = [out / f"{agent}_judges" / f"{method}-{model}" / "1" / "verdicts.json" for agent in AGENTS]
        found = pool([read_verdicts(file) for file in files], runs, "evaluators", final_state_success)
        (name,) = found.names
        each = agreement_groups(found.pairs(name))[0].agreement
        shares = (each.verdict_rate, each.true_negative_rate)
        kappa = NOTHING if each.kappa.value is None else f"{each.kappa.value:.2f}"
        rows.append(
            [
                method,
                str(each.counts.items),
                str(each.counts.unread),
                percent(each.agreement.value),
                _limits(each.agreement),
                kappa,
                *(percent(share.value) for share in shares),
            ]
        )
    return rows


def main(argv: Sequence[str] | None = None) -> int:
    """Judge what is not judged yet, and print the table; returns the first exit code that is not 0."""
    parse = argparse.ArgumentParser(
        prog="python -m benchmarks.judge_rates", description=(__doc__ or "").partition(":")[0]
    )
    parse.add_argument("out", type=Path, metavar="OUT", help="folder of the runs")
    parse.add_argument("--preset", metavar="NAME", help="a real model as judge (default: a scripted one)")
    parse.add_argument("--base-url", metavar="URL", help="its server, if it is another than the preset's")
    arguments = parse.parse_args(argv)
    if arguments.preset is None:
        with _scripted_server() as url:
            os.environ.setdefault("OPENAI_API_KEY", SCRIPTED)
            return _judged(arguments.out, "gpt-4o", ["--model", SCRIPTED, "--base-url", url])
    at = ["--base-url", arguments.base_url] if arguments.base_url else []
    return _judged(arguments.out, arguments.preset, at)


def _judged(out: Path, preset: str, more: Sequence[str]) -> int:
    for agent in AGENTS:
        for method in METHODS:
            code = judge([str(out / agent), "--method", method, "--preset", preset, "--progress", "quiet", *more])
            if code:
                return code
    print(markdown_table(rates_of(out, f"{preset}-{SCRIPTED}" if SCRIPTED in more else preset)))
    return 0


@contextmanager
def _scripted_server() -> Iterator[str]:
    """A server in OpenAI's protocol that answers by ``scripted_reply``; gives its address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            """Answer."""
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            role, *rest = ("\n".join(_texts(message["content"])) for message in asked["messages"])
            message = {"role": "assistant", "content": scripted_reply(role, "\n".join(rest))}
            body = json.dumps(
                {
                    "id": SCRIPTED,
                    "object": "chat.completion",
                    "created": 0,
                    "model": SCRIPTED,
                    "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                }
            ).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/v1"
        finally:
            server.shutdown()


def _texts(content: str | list[dict[str, str]]) -> list[str]:
    return [content] if isinstance(content, str) else [part.get("text", "") for part in content]


def _limits(estimate: Estimate) -> str:
    return NOTHING if estimate.low is None else f"{percent(estimate.low)} to {percent(estimate.high)}"


if __name__ == "__main__":
    raise SystemExit(main())
