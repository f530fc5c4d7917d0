"""What a person asks for in the panel of a recording: to the browser, where it is shown there, and to the task."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from harness.catalog.site_facts import KeyNode
from harness.kit.files.codec import Malformed, plain, typed
from harness.sites.recording.draft import CannotDo, TaskDraft
from harness.sites.recording.recorded_session import RecordedSession
from harness.sites.recording.recorded_step import PersonAct, RecordedStep
from harness.sites.recording.recorder import Recorder

LONGEST_TEXT = 20_000
"""Characters that are written at once."""
MOST_KEYS = 200
"""Keys that are pressed at once."""
_Said = Mapping[str, Any]


def answer(recorder: Recorder, said: _Said) -> dict[str, Any]:
    """Do what is asked for.

    Args:
        recorder: Of the recording.
        said: What: ``do``, and what that needs.

    Returns:
        Of a press on a closed drop-down list ``choose``: its ``css``, ``label`` and ``options``, since no picture shows
        them; of anything else nothing.

    Raises:
        CannotDo: it cannot be done; the message says why and what to do.
        OSError: the task cannot be written.
    """
    do = str(said.get("do"))
    if edit := _EDITS.get(do):
        recorder.edit(partial(edit, said=said))
        return {}
    if do in _OF_TASK:
        _OF_TASK[do](recorder)
        return {}
    if do not in _IN_BROWSER:
        raise CannotDo(f"{do!r} is nothing that a recording does")
    work = _IN_BROWSER[do]
    return recorder.ask(lambda session: _worked(recorder, work, session, said))


def told(recorder: Recorder) -> dict[str, Any]:
    """What a panel shows of a recording, as JSON holds it."""
    with recorder.lock:
        draft, proof = recorder.draft, recorder.proof
        return {
            "version": recorder.version,
            "phase": recorder.phase,
            "trouble": recorder.trouble,
            "notes": list(recorder.notes),
            "tabs": recorder.tabs,
            "steps": [_told_step(step) for step in draft.steps],
            "title": draft.title,
            "goal": draft.goal,
            "level": draft.level,
            "answer": draft.answer,
            "answer_match": draft.answer_match,
            "folder": str(recorder.folder or ""),
            "proof": {**plain(proof), "holds": proof.holds} if proof else None,
        }


def told_proposals(recorder: Recorder, number: int) -> list[dict[str, Any]]:
    """The key nodes that a step suggests, as JSON holds them.

    Raises:
        CannotDo: there is no such step.
    """
    with recorder.lock:
        return [{"node": plain(each.node), "why": each.why} for each in recorder.draft.proposals(number)]


def _told_step(step: RecordedStep) -> dict[str, Any]:
    return {
        "number": step.number,
        "do": step.do,
        "words": step.words,
        "url": step.url,
        "after": step.after,
        "css": step.element.css if step.element else "",
        "picture": step.picture,
        "secret": step.secret,
        "nodes": [plain(node) for node in step.nodes],
    }


# ---- the task -------------------------------------------------------------------------------------------------------


def _remove(draft: TaskDraft, *, said: _Said) -> None:
    draft.remove(_whole(said, "step"))


def _put_node(draft: TaskDraft, *, said: _Said) -> None:
    try:
        node = typed(said.get("node"), KeyNode)
    except Malformed as error:
        raise CannotDo(f"This is no key node: {error}") from error
    draft.put_node(_whole(said, "step"), node)


def _drop_node(draft: TaskDraft, *, said: _Said) -> None:
    draft.drop_node(_whole(said, "step"), _whole(said, "place"))


def _describe(draft: TaskDraft, *, said: _Said) -> None:
    draft.describe(said)


_EDITS: Mapping[str, Callable[..., None]] = {
    "remove": _remove,
    "put_node": _put_node,
    "drop_node": _drop_node,
    "describe": _describe,
}
_OF_TASK: Mapping[str, Callable[[Recorder], object]] = {"save": Recorder.save, "end": Recorder.end}

# ---- the browser ----------------------------------------------------------------------------------------------------

_Work = Callable[[RecordedSession, _Said], "list[PersonAct] | dict[str, Any] | None"]


def _worked(recorder: Recorder, work: _Work | None, session: RecordedSession, said: _Said) -> dict[str, Any]:
    """Do something to the browser, and take down the steps that it comes to by itself."""
    if work is None:
        recorder.undo(session)
        return {}
    recorder.hear(session)  # what was done before comes before
    came = work(session, said)
    if isinstance(came, dict):
        return came
    if came is not None:
        recorder.take(came)
        recorder.show(session)
    return {}


def _click(session: RecordedSession, said: _Said) -> dict[str, Any] | None:
    x, y = _point(said)
    found = session.at(x, y)
    if found and found["options"]:
        mark = found["mark"]
        return {"choose": {"css": mark["css"], "label": mark["label"], "options": found["options"]}}
    session.input.click(x, y)
    return None


def _double_click(session: RecordedSession, said: _Said) -> None:
    session.input.double_click(*_point(said))


def _wheel(session: RecordedSession, said: _Said) -> None:
    session.input.scroll(*_point(said), _number(said, "dx"), _number(said, "dy"))


def _hover(session: RecordedSession, said: _Said) -> list[PersonAct]:
    return session.hover(*_point(said))


def _keys(session: RecordedSession, said: _Said) -> None:
    keys = said.get("keys")
    if not isinstance(keys, list) or len(keys) > MOST_KEYS or not all(isinstance(key, str) for key in keys):
        raise CannotDo(f"Keys are a list of at most {MOST_KEYS} names")
    for key in keys:
        session.press(key)


def _write(session: RecordedSession, said: _Said) -> None:
    session.input.type(_text(said, "text"))


def _choose(session: RecordedSession, said: _Said) -> None:
    session.choose(_text(said, "css"), _text(said, "text"))


def _goto(session: RecordedSession, said: _Said) -> list[PersonAct]:
    url = _text(said, "url")
    return session.asked("goto", lambda: session.site.open(url), url)


def _go_back(session: RecordedSession, _: _Said) -> list[PersonAct]:
    return session.asked("go_back", session.site.back)


def _go_forward(session: RecordedSession, _: _Said) -> list[PersonAct]:
    return session.asked("go_forward", session.site.forward)


def _reload(session: RecordedSession, _: _Said) -> list[PersonAct]:
    return session.asked("reload", session.site.reload)


def _new_tab(session: RecordedSession, said: _Said) -> list[PersonAct]:
    url = _text(said, "url") or "about:blank"
    return session.asked("new_tab", lambda: session.site.new_tab(url))


def _switch_tab(session: RecordedSession, said: _Said) -> list[PersonAct]:
    number = _whole(said, "tab")
    return session.asked("switch_tab", lambda: session.site.switch(number))


def _close_tab(session: RecordedSession, said: _Said) -> list[PersonAct]:
    number = _whole(said, "tab")
    return session.asked("close_tab", lambda: session.site.close_tab(number), str(number))


_IN_BROWSER: Mapping[str, _Work | None] = {
    "click": _click,
    "double_click": _double_click,
    "wheel": _wheel,
    "hover": _hover,
    "keys": _keys,
    "write": _write,
    "choose": _choose,
    "goto": _goto,
    "go_back": _go_back,
    "go_forward": _go_forward,
    "reload": _reload,
    "new_tab": _new_tab,
    "switch_tab": _switch_tab,
    "close_tab": _close_tab,
    "undo": None,
}

# ---- what was said --------------------------------------------------------------------------------------------------


def _number(said: _Said, name: str) -> float:
    value = said.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or abs(value) > LONGEST_TEXT:
        raise CannotDo(f"{name} is no number of pixels")
    return float(value)


def _point(said: _Said) -> tuple[float, float]:
    return _number(said, "x"), _number(said, "y")


def _whole(said: _Said, name: str) -> int:
    value = said.get(name)
    if isinstance(value, bool) or not isinstance(value, int):
        raise CannotDo(f"{name} is no whole number")
    return value


def _text(said: _Said, name: str) -> str:
    value = said.get(name, "")
    if not isinstance(value, str) or len(value) > LONGEST_TEXT:
        raise CannotDo(f"{name} is no text of at most {LONGEST_TEXT:,} characters")
    return value
