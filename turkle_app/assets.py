"""What pages load: mirrored files and stand-ins, and remote media or what stands for them. In both modes."""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from harness.catalog.mirror import Mirror
from harness.catalog.mirror.addresses import is_remote
from harness.catalog.mirror.media import KINDS, Media, frame, picture, silence
from harness.catalog.task import media_files
from turkle_app.access import everybody
from turkle_app.tasks import find_task

# A file's address holds its hash, so that it never changes. The frame in browse mode has an origin of its own, to which
# browsers give fonts only if the server says that anybody may have them.
_ASSET_HEADERS = {
    "Cache-Control": "public, max-age=31536000, immutable",
    "Access-Control-Allow-Origin": "*",
    "X-Content-Type-Options": "nosniff",
}
_MEDIA_HEADERS = {"Cache-Control": "no-cache", "Access-Control-Allow-Origin": "*"}
# A copy of somebody's page must not act as a page of this server.
_FOREIGN_PAGE = {"Content-Security-Policy": "sandbox allow-scripts allow-forms"}
_HASH = re.compile(r"[0-9a-f]{64}")
_RANGE = re.compile(r"bytes=(\d*)-(\d*)")
_CHUNK = 1 << 16
_ACTIVE = frozenset({"text/html", "application/xhtml+xml", "image/svg+xml", "text/xml", "application/xml"})


@require_safe
@everybody
def asset(request: HttpRequest, sha256: str, name: str) -> HttpResponse:
    """Show everybody a file of the mirror, or a stand-in, by its hash; the name is for people."""
    del request, name
    found = Mirror.load().content(sha256) if _HASH.fullmatch(sha256) else None
    if found is None:
        raise Http404
    content, content_type = found
    return HttpResponse(content, content_type=content_type, headers=_ASSET_HEADERS)


# The page in browse mode's frame has an origin of its own: by X-Frame-Options: SAMEORIGIN it could show no frames.
@xframe_options_exempt
@require_safe
@everybody
def media(request: HttpRequest, kind: str) -> HttpResponse | StreamingHttpResponse:
    """Show everybody the user's copy of a remote picture, video, sound or frame, else what says what it is."""
    url = request.GET.get("url", "")
    if kind not in KINDS or not is_remote(url):
        raise Http404
    file = Media(settings.TURKLE_MEDIA).find(url)
    if file is not None:
        return _file(request, file, kind)
    width, height = (_pixels(request.GET.get(side, "")) for side in ("w", "h"))
    alt = request.GET.get("alt", "")
    if kind == "iframe":
        return HttpResponse(frame(url, alt), headers=_MEDIA_HEADERS | _FOREIGN_PAGE)
    if kind == "image":
        content = picture(kind, url, width, height, alt)
        return HttpResponse(content, content_type="image/svg+xml", headers=_MEDIA_HEADERS | _FOREIGN_PAGE)
    return _part(request, silence(), "audio/wav")


@require_safe
@everybody
def task_media(request: HttpRequest, name: str, file: str) -> StreamingHttpResponse:
    """Show everybody a picture, sound or film of a task's own."""
    found = next((path for path in media_files(find_task(name).folder) if path.name == file), None)
    if found is None:
        raise Http404
    return _file(request, found, "media")


def _pixels(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else None


def _part(request: HttpRequest, content: bytes, content_type: str) -> HttpResponse:
    """Show bytes, or the part of them that is asked for: players do not start without."""
    wanted = _range(request, len(content))
    start, end = wanted or (0, len(content))
    response = HttpResponse(content[start:end], content_type=content_type, headers=_MEDIA_HEADERS)
    return _as_part(response, wanted, len(content))


def _file(request: HttpRequest, file: Path, kind: str) -> StreamingHttpResponse:
    content_type = mimetypes.guess_type(file.name.partition("?")[0])[0]
    content_type = content_type or ("text/html" if kind == "iframe" else "application/octet-stream")
    headers = _MEDIA_HEADERS | (_FOREIGN_PAGE if content_type in _ACTIVE else {})
    size = file.stat().st_size
    wanted = _range(request, size)
    content = StreamingHttpResponse(_read(file, *(wanted or (0, size))), content_type=content_type, headers=headers)
    return _as_part(content, wanted, size)


def _read(file: Path, start: int, end: int) -> Iterator[bytes]:
    with file.open("rb") as stream:
        stream.seek(start)
        while start < end and (chunk := stream.read(min(_CHUNK, end - start))):
            start += len(chunk)
            yield chunk


def _range(request: HttpRequest, size: int) -> tuple[int, int] | None:
    """Return the part of a file that a request asks for, None for all of it (RFC 9110, section 14.1.2)."""
    found = _RANGE.fullmatch(request.headers.get("Range", "").replace(" ", ""))
    if found is None or not (found[1] or found[2]):
        return None
    if not found[1]:
        return max(0, size - int(found[2])), size
    start, end = int(found[1]), min(int(found[2]) + 1 if found[2] else size, size)
    return (start, end) if start < end else None


_Answer = TypeVar("_Answer", bound=HttpResponseBase)


def _as_part(response: _Answer, part: tuple[int, int] | None, size: int) -> _Answer:
    """Say in the headers which part of a file a response holds."""
    start, end = part or (0, size)
    response["Accept-Ranges"] = "bytes"
    response["Content-Length"] = str(end - start)
    if part:
        response.status_code = 206
        response["Content-Range"] = f"bytes {start}-{end - 1}/{size}"
    return response
