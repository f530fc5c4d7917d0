"""What the panel of a recording asks the server: how it stands, pictures, and what the person wants done."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_POST, require_safe

from harness.kit.errors import UserError
from harness.sites.recording.recorder import Recorder
from harness.sites.recording.requests import answer, told, told_proposals
from turkle_app.access import staff
from turkle_app.recording.recordings import RECORDINGS

LARGEST = 200_000
"""Bytes of what is asked for."""
VIEW_SECONDS = 2.0
"""How long a view that is known already is held back for the next."""
_FRESH = {"Cache-Control": "no-store"}
_KEPT = {"Cache-Control": "private, max-age=86400, immutable"}

View = Callable[..., HttpResponse]


def _of_recording(view: View) -> View:
    @wraps(view)
    def answered(request: HttpRequest, number: int, *args: object, **more: object) -> HttpResponse:
        recorder = RECORDINGS.find(number)
        if recorder is None:
            raise Http404
        try:
            return view(request, recorder, *args, **more)
        except UserError as error:
            return JsonResponse({"said": str(error)}, status=409)
        except OSError as error:
            return JsonResponse({"said": f"This cannot be written: {error.strerror or error}"}, status=500)

    return answered


@require_safe
@staff
@_of_recording
def state(request: HttpRequest, recorder: Recorder) -> HttpResponse:
    """Tell how a recording stands if it is another than version `after`, for staff."""
    if request.GET.get("after") == str(recorder.version):
        return HttpResponse(status=204, headers=_FRESH)
    return JsonResponse(told(recorder), headers=_FRESH)


@require_safe
@staff
@_of_recording
def view(request: HttpRequest, recorder: Recorder) -> HttpResponse:
    """Show what the recorded browser shows once it is another view than number `after`, for staff."""
    after = request.GET.get("after", "")
    known = int(after[:12]) if after.isascii() and after.isdecimal() else 0
    looks, data = recorder.view(known, VIEW_SECONDS)
    if not data or looks == known:
        return HttpResponse(status=204, headers=_FRESH)
    return HttpResponse(data, content_type="image/jpeg", headers={**_FRESH, "X-View": str(looks)})


@require_safe
@staff
@_of_recording
def picture(request: HttpRequest, recorder: Recorder, name: str) -> HttpResponse:
    """Show the picture of the page before a step, for staff."""
    del request
    data = recorder.picture(name)
    if data is None:
        raise Http404
    return HttpResponse(data, content_type="image/jpeg", headers=_KEPT)


@require_safe
@staff
@_of_recording
def proposals(request: HttpRequest, recorder: Recorder, step: int) -> HttpResponse:
    """Tell which key nodes a step suggests, for staff."""
    del request
    return JsonResponse({"proposals": told_proposals(recorder, step)}, headers=_FRESH)


@require_POST
@staff
@_of_recording
def act(request: HttpRequest, recorder: Recorder) -> HttpResponse:
    """Do what a person asks for in the panel, for staff."""
    try:
        said = json.loads(request.body) if len(request.body) <= LARGEST else None
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        return JsonResponse({"said": "This is nothing that can be asked for"}, status=400)
    return JsonResponse(answer(recorder, said), headers=_FRESH)
