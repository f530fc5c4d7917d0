"""Tasks done by hand: projects, batches, results and accounts of a server.

It asks the server's API (docs/reference/annotation-api.md) with a token, which the page API makes and
``turkbench manage annotators token NAME`` prints.
"""

from __future__ import annotations

import argparse
import csv
import io
import ipaddress
import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import urllib3

from harness.cli.boundary import COMPLETE, error_boundary, print_out, program
from harness.cli.command_line import CommandLine
from harness.kit.errors import UserError
from harness.kit.files.writing import write_bytes
from harness.kit.text import counted

SERVER, TOKEN = "TURKBENCH_SERVER", "TURKBENCH_TOKEN"
_USUAL = "http://127.0.0.1:8000"
_SECONDS = 120.0
_STATES = {"publish": "published", "pause": "paused", "close": "closed"}


class ServerRefuses(UserError):
    """The server cannot be asked, or does not do what it was asked for; the message is its own."""


class AnnotationServer:
    """A server with accounts, as its API shows it."""

    def __init__(self, server: str, token: str, *, plain: bool = False) -> None:
        """Say where it is and who asks.

        Args:
            server: Its origin, for example ``https://work.example.org``.
            token: A token of its API.
            plain: Whether the token may go over HTTP to another machine, where others can read it.

        Raises:
            ServerRefuses: If the address is none, or the token would go unprotected.
        """
        parts = urlsplit(server)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ServerRefuses(f"--server {server}: give an address such as https://work.example.org")
        if parts.scheme == "http" and not plain and not _is_here(parts.hostname):
            raise ServerRefuses(
                f"{server} is another machine by plain HTTP, where others can read the token: --plain-http"
            )
        self._base = server.rstrip("/")
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self._pool = urllib3.PoolManager(timeout=urllib3.Timeout(total=_SECONDS), retries=False)

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """Return what an address below ``/api/`` answers: the record of its JSON, or a text.

        Raises:
            ServerRefuses: If it answers with an error, or not at all.
        """
        address = f"{self._base}/api/{path}"
        try:
            data = None if body is None else json.dumps(body).encode()
            answer = self._pool.request(method, address, body=data, headers=self._headers, redirect=False)
        except urllib3.exceptions.HTTPError as error:
            raise ServerRefuses(f"{self._base} cannot be reached: {error}. Is it running?") from error
        is_json = answer.headers.get("Content-Type", "").startswith("application/json")
        try:
            found = json.loads(answer.data) if is_json else answer.data.decode("utf-8", "replace")
        except ValueError as error:
            raise ServerRefuses(f"{address} answered with JSON that cannot be read") from error
        if answer.status >= 300:
            told = found.get("detail") if isinstance(found, dict) else ""
            raise ServerRefuses(str(told or f"{address} answered with status {answer.status}: is an API there?"))
        return found

    def records(self, path: str) -> Iterator[dict[str, Any]]:
        """Yield the records of a list, page by page."""
        while path:
            part = self.ask("GET", path)
            yield from part["results"]
            # What follows is asked for here, whatever the server calls itself: the token goes nowhere else.
            path = (part["next"] or "").partition("/api/")[2]

    def found(self, what: str, name: str) -> dict[str, Any]:
        """Return the one project or group of a number or a name.

        Raises:
            ServerRefuses: If there is none, or several.
        """
        records = list(self.records(f"{what}s/"))
        fitting = [each for each in records if name == str(each["id"])] or [
            each for each in records if name == each["name"]
        ]
        if len(fitting) == 1:
            return fitting[0]
        listed = "; ".join(f"{each['id']}: {each['name']}" for each in fitting or records) or "none"
        how = f"{name!r} names several {what}s, give a number" if fitting else f"there is no {what} {name!r}"
        raise ServerRefuses(f"{how}. There are: {listed}")


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(prog=program("annotate"), description=(__doc__ or "").split("\n")[0])
    what = parse.add_subparsers(dest="what", required=True, metavar="WHAT")
    _add(what, "projects", "list the projects")
    new = _add(what, "new", "make a project of a template")
    new.add_argument("name", metavar="TITLE", help="what workers see")
    new.add_argument("--template", type=Path, required=True, metavar="FILE", help="the page, as HTML")
    whom = new.add_mutually_exclusive_group()
    whom.add_argument(
        "--group",
        action="append",
        default=[],
        metavar="G",
        help="publish to the accounts of this group; may be repeated",
    )
    whom.add_argument("--everybody", action="store_true", help="publish to all accounts")
    new.add_argument("--anonymous", action="store_true", help="let people without an account work on it")
    batches = _add(what, "batches", "list the batches of a project, or all, with how far they are")
    batches.add_argument("project", nargs="?", metavar="PROJECT", help="the project's number or title")
    upload = _add(what, "upload", "add a batch to a project: a table for its template")
    upload.add_argument("project", metavar="PROJECT", help="the project's number or title")
    upload.add_argument("table", type=Path, metavar="TABLE", help="the CSV file of inputs")
    upload.add_argument("--name", metavar="NAME", help="name of the batch (default: the name of the file)")
    upload.add_argument(
        "--template", type=Path, metavar="FILE", help="replace the template of the project by this file"
    )
    upload.add_argument(
        "--workers", type=int, default=1, metavar="N", help="how many people do each instance (default: %(default)s)"
    )
    upload.add_argument(
        "--minutes",
        type=float,
        default=60.0,
        metavar="M",
        help="minutes that a person has for an assignment (default: 60)",
    )
    upload.add_argument("--draft", action="store_true", help="make the batch, but do not publish it yet")
    for name in _STATES:
        of_state = _add(what, name, f"{name} a batch")
        of_state.add_argument("batch", type=int, metavar="BATCH", help="the number of the batch")
    results = _add(what, "results", "print the results of a batch as CSV")
    results.add_argument("batch", type=int, metavar="BATCH", help="the number of the batch")
    results.add_argument("--out", type=Path, metavar="FILE", help="write to this file (default: standard output)")
    _add(what, "users", "list the accounts (staff)")
    add_users = _add(what, "add-users", "open the accounts of a table and print a link for each as CSV (staff)")
    add_users.add_argument("table", type=Path, metavar="TABLE", help="CSV with a column username")
    add_users.add_argument("--out", type=Path, metavar="FILE", help="write the links to this file")
    return parse


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Do it; returns the exit code."""
    asked = parser().parse_args(argv)
    server = AnnotationServer(asked.server, _token(asked), plain=asked.plain_http)
    _ACTIONS[asked.what](server, asked)
    return COMPLETE


def _projects(server: AnnotationServer, asked: argparse.Namespace) -> None:
    _show(server.records("projects/"), asked, "id", "name", "active", "batches")


def _new(server: AnnotationServer, asked: argparse.Namespace) -> None:
    groups = [server.found("group", name)["id"] for name in asked.group]
    made = server.ask(
        "POST",
        "projects/",
        {
            "name": asked.name,
            "filename": asked.template.name,
            "html_template": _text(asked.template),
            "login_required": not asked.anonymous,
            "custom_permissions": not asked.everybody,
            "groups": groups,
        },
    )
    _show([made], asked, "id", "name")


def _batches(server: AnnotationServer, asked: argparse.Namespace) -> None:
    path = "batches/" if asked.project is None else f"projects/{server.found('project', asked.project)['id']}/batches/"
    rows = ({**each, **server.ask("GET", f"batches/{each['id']}/progress/")} for each in server.records(path))
    done = ("total_finished_task_assignments", "total_task_assignments", "total_finished_tasks", "total_tasks")
    _show(rows, asked, "id", "project", "name", "state", *done)


def _upload(server: AnnotationServer, asked: argparse.Namespace) -> None:
    project = server.found("project", asked.project)
    body = {
        "project": project["id"],
        "name": asked.name or asked.table.stem,
        "filename": asked.table.name,
        "csv_text": _text(asked.table),
        "assignments_per_task": asked.workers,
        "expiry_seconds": round(60 * asked.minutes),
        "published": not asked.draft,
    }
    if asked.template:
        body["html_template"] = _text(asked.template)
    _show([server.ask("POST", "batches/", body)], asked, "id", "name", "state")


def _set_state(server: AnnotationServer, asked: argparse.Namespace) -> None:
    _show(
        [server.ask("PATCH", f"batches/{asked.batch}/", {"state": _STATES[asked.what]})], asked, "id", "name", "state"
    )


def _results(server: AnnotationServer, asked: argparse.Namespace) -> None:
    text = str(server.ask("GET", f"batches/{asked.batch}/results/"))
    _write(text, asked.out)


def _users(server: AnnotationServer, asked: argparse.Namespace) -> None:
    _show(server.records("users/"), asked, "id", "username", "is_active", "is_staff", "requester", "has_password")


def _add_users(server: AnnotationServer, asked: argparse.Namespace) -> None:
    links = server.ask("POST", "users/table/", {"csv_text": _text(asked.table)})
    text = io.StringIO()
    csv.writer(text).writerows([["username", "link"], *([each["username"], each["link"] or ""] for each in links)])
    _write(text.getvalue(), asked.out)
    print(f"{counted(len(links), 'account')} opened; the links are not shown again", file=sys.stderr)


_ACTIONS = {
    "projects": _projects,
    "new": _new,
    "batches": _batches,
    "upload": _upload,
    **dict.fromkeys(_STATES, _set_state),
    "results": _results,
    "users": _users,
    "add-users": _add_users,
}


def _add(what: Any, name: str, summary: str) -> argparse.ArgumentParser:
    part: argparse.ArgumentParser = what.add_parser(
        name, help=summary, description=f"{summary[0].upper()}{summary[1:]}."
    )
    part.add_argument(
        "--server",
        default=os.environ.get(SERVER, _USUAL),
        metavar="URL",
        help=f"where it is (default: the environment's {SERVER}, else {_USUAL})",
    )
    part.add_argument(
        "--token-file", type=Path, metavar="FILE", help=f"what holds the token (default: the environment's {TOKEN})"
    )
    part.add_argument("--plain-http", action="store_true", help="send the token to another machine without TLS")
    part.add_argument("--json", action="store_true", help="print one JSON object per line")
    return part


def _token(asked: argparse.Namespace) -> str:
    token = _text(asked.token_file).strip() if asked.token_file else os.environ.get(TOKEN, "").strip()
    if not token or not token.isascii() or not token.isprintable():
        raise ServerRefuses(
            f"There is no token: set {TOKEN}, or give --token-file. The page API of the server makes one."
        )
    return token


def _show(records: Any, asked: argparse.Namespace, *names: str) -> None:
    """Print records: some of their values in columns with tabs between them, or all as JSON."""
    if asked.json:
        for record in records:
            print_out(json.dumps(record, ensure_ascii=False))
        return
    print_out("\t".join(names))
    for record in records:
        print_out("\t".join(_cell(record.get(name)) for name in names))


def _cell(value: object) -> str:
    if isinstance(value, list):
        return str(len(value))
    return " ".join(str(value).split()) if value is not None else "unknown"


def _text(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ServerRefuses(f"{file} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ServerRefuses(f"{file} is not text in UTF-8") from error


def _write(text: str, out: Path | None) -> None:
    if out is None:
        print_out(text.rstrip("\r\n"))
        return
    try:
        write_bytes(out, text.encode())
    except OSError as error:
        raise ServerRefuses(f"{out} cannot be written: {error.strerror}") from error


def _is_here(host: str) -> bool:
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"
