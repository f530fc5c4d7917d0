"""The page on which a model is asked once more what it was asked in a turn, with the prompt changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.views.decorators.http import require_http_methods

from harness.kit.errors import UserError
from harness.kit.text import UNSEEN
from harness.models.messages import Image, Request, Text, ToolCall, ToolResult
from harness.records.record_file import NotARun
from harness.records.turn import Turn
from harness.reports.watch.asking_again import (
    AskableModel,
    Place,
    ask_once,
    askable_models,
    saved_request,
    texts_of,
    with_texts,
)
from harness.reports.watch.episode_files import EpisodeFiles
from harness.reports.watch.episode_html import as_text, episode_css, turn_html
from harness.reports.watch.request_view import RequestReader
from harness.reports.watch.scene_view import SceneWriter
from turkle_app.access import is_here_alone, staff
from turkle_app.viewer.episode_page import ServedAddresses, record_of
from turkle_app.viewer.slugs import find_run

_NOT_HERE = "Models can be asked only where the server listens on this machine alone."
_HOW = "Start it without --host, and without a proxy before it: a question costs money, and takes a key of yours."
_WIDTH, _MOST_ROWS = 100, 24
"""Of the control of a text: about how many characters are on a line, and its lines."""


@dataclass(frozen=True)
class AskedPart:
    """A part of a message: a text that can be changed, or what stays as it was.

    Attributes:
        name: Of its control; empty of what stays.
        text: What it says; of what stays, what it is.
        rows: How high its control is, in lines.
        picture: The address of a picture.
    """

    name: str
    text: str
    rows: int = 1
    picture: str = ""

    @property
    def unseen(self) -> list[str]:
        """The characters in it that cannot be seen, by their numbers."""
        return [f"U+{ord(each):04X}" for each in sorted(set(UNSEEN.findall(self.text.replace("\r\n", "\n"))))]


@require_http_methods(["GET", "HEAD", "POST"])
@staff
def ask_again(request: HttpRequest, run: str, task: str, index: int, turn: int) -> HttpResponse:
    """Show what a model was asked in a turn, to be changed; a POST asks a model so, once. For staff, on loopback."""
    if not is_here_alone():
        return render(request, "turkle/error.html", {"what": _NOT_HERE, "remedy": _HOW}, status=403)
    place = find_run(run)
    files = EpisodeFiles(place.folder)
    try:
        episode = files.episode(task, index)
    except NotARun as error:
        raise Http404(str(error)) from error
    if not 1 <= turn <= len(episode.turns):
        raise Http404(f"The episode has no turn {turn}.")
    old = episode.turns[turn - 1]
    context = {"run": place, "slug": run, "task": task, "index": index, "turn": turn, "name": episode.task}
    context |= {"css": episode_css(), "old": _shown(files, run, old)}
    try:
        asked = saved_request(files, old)
    except UserError as error:
        return render(request, "viewer/ask_again.html", {**context, "missing": str(error)})
    models = askable_models(record_of(place))
    if request.method == "POST":
        asked = with_texts(asked, _changed(texts_of(asked), request.POST))
        context |= _answer(files, run, models, request.POST.get("model", ""), asked)
    context |= {"models": models, "asked": asked, "messages": list(_messages(asked, run))}
    return render(request, "viewer/ask_again.html", context)


def _answer(
    files: EpisodeFiles, run: str, models: tuple[AskableModel, ...], name: str, asked: Request
) -> Mapping[str, Any]:
    model = next((each for each in models if each.name == name), None)
    if model is None:
        return {"trouble": "This model cannot be asked from here: choose one of the list."}
    try:
        return {"new": _shown(files, run, ask_once(model, asked)), "chosen": model}
    except UserError as error:
        return {"trouble": f"{model.words}: {error}", "chosen": model}


def _shown(files: EpisodeFiles, run: str, turn: Turn) -> tuple[str, SafeString]:
    """Tokens, cost and time of a turn on one line, and what came back."""
    view = SceneWriter(ServedAddresses(run), RequestReader(files), {}).turn(turn)
    return view.brief, turn_html(view)


def _changed(texts: Mapping[Place, str], given: QueryDict) -> dict[Place, str]:
    """The texts that a form has changed: browsers send each end of a line in their own way."""
    found = {}
    for place, text in texts.items():
        sent = given.get(_name(place), text).replace("\r\n", "\n")
        if sent != text.replace("\r\n", "\n"):
            found[place] = sent
    return found


def _messages(asked: Request, run: str) -> Iterator[tuple[str, list[AskedPart]]]:
    addresses = ServedAddresses(run)
    for place, message in enumerate(asked.messages):
        parts = []
        for number, part in enumerate(message.parts):
            match part:
                case Text(text):
                    lines = sum(1 + len(line) // _WIDTH for line in text.split("\n"))
                    parts.append(AskedPart(_name((place, number)), text, min(_MOST_ROWS, lines + 1)))
                case Image():
                    picture = addresses.step_picture(part.sha256)
                    parts.append(AskedPart("", "The picture that was sent", picture=picture))
                case ToolCall():
                    parts.append(AskedPart("", f"calls {part.name}: {as_text(part.arguments)}"))
                case ToolResult():
                    parts.append(AskedPart("", part.text))
                case _:
                    parts.append(AskedPart("", "What the model thought before, in the form of its provider."))
        yield message.role, parts


def _name(place: Place) -> str:
    return f"text-{place[0]}-{place[1]}"
