"""Other programs that the harness makes use of where they are there."""

from __future__ import annotations

from collections.abc import Iterator

from harness.diagnosis.finding import Finding, ask

CONTAINERS = {"docker": ("version", "--format", "{{.Server.Version}}"), "podman": ("version",)}
"""Program that runs containers -> arguments with which it says whether it can."""


def check_programs() -> Iterator[Finding]:
    """All of them."""
    yield _bubblewrap()
    yield _containers()
    git = ask(["git", "--version"])
    if git and git.ok:
        yield Finding("git", "ok", git.text)
    else:
        words = "not there: run.json cannot say by which code a run was made"
        yield Finding("git", "warning", words, "`sudo apt-get install git`")
    npm = ask(["npm", "--version"])
    if npm and npm.ok:
        yield Finding("npm", "ok", npm.text)
    else:
        words = f"{npm.text if npm else 'not there'}: the mirror and the vocabularies cannot be collected"
        yield Finding("npm", "warning", words, "`sudo apt-get install npm`")


def _bubblewrap() -> Finding:
    answer = ask(["bwrap", "--unshare-user", "--unshare-pid", "--ro-bind", "/", "/", "true"])
    if answer is None:
        words = "not there: programs from outside can be shut in only by other means"
        return Finding("bubblewrap", "warning", words, "`sudo apt-get install bubblewrap`")
    if not answer.ok:
        words = f"it does not work here: {answer.text}"
        return Finding("bubblewrap", "warning", words, "allow user name spaces, as for the browser's sandbox")
    return Finding("bubblewrap", "ok", "works")


def _containers() -> Finding:
    found = []
    for name, arguments in CONTAINERS.items():
        answer = ask([name, *arguments])
        if answer:
            found.append(f"{name} answers" if answer.ok else f"{name} is there and does not answer: {answer.text}")
    return Finding("containers", "ok", "; ".join(found) or "neither docker nor podman is there, nor needed")
