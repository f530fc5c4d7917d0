"""Other programs that the harness makes use of where they are there."""

from __future__ import annotations

from collections.abc import Iterator

from harness.browser.box import bubblewrap, container
from harness.cli.diagnosis.checks import Look, ask


def check_programs() -> Iterator[Look]:
    """All of them."""
    yield _bubblewrap()
    yield _containers()
    git = ask(["git", "--version"])
    if git and git.ok:
        yield Look("git", "ok", git.text)
    else:
        words = "not there: run.json cannot say by which code a run was made"
        yield Look("git", "warning", words, "`sudo apt-get install git`")
    npm = ask(["npm", "--version"])
    if npm and npm.ok:
        yield Look("npm", "ok", npm.text)
    else:
        words = f"{npm.text if npm else 'not there'}: the mirror and the vocabularies cannot be collected"
        yield Look("npm", "warning", words, "`sudo apt-get install npm`")


def _bubblewrap() -> Look:
    if why := bubblewrap.why_not():
        words = f"{why}: programs from outside are shut in by nothing (--isolate)"
        remedy = "`sudo apt-get install bubblewrap`; where it is there, allow user name spaces, as for the sandbox"
        return Look("bubblewrap", "warning", words, remedy)
    return Look("bubblewrap", "ok", "works: --isolate box")


def _containers() -> Look:
    """Needed by those alone who name an image."""
    why = container.why_not()
    words = f"{why}; only --isolate container needs one" if why else f"{container.engine()} works: --isolate container"
    return Look("containers", "ok", words)
