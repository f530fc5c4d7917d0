"""What happens to every request on its way in, and to every response on its way out."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse


def bodiless_head(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Answer HEAD with the headers of GET and nothing else.

    Django leaves this to the server (RFC 9110, section 9.3.2), and waitress sends whatever it is given: on a
    connection that is kept open, the body would be read as the next answer.
    """

    def without_body(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.method == "HEAD" and isinstance(response, StreamingHttpResponse):
            response.streaming_content = ()
        elif request.method == "HEAD":
            response.content = b""
        return response

    return without_body


def bounded_body(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Refuse a request that says of itself that it is larger than one may be, before anything of it is read.

    Django's own limit does not count files, and `manage.py serve` is not the only server that this may run in.
    """

    def bounded(request: HttpRequest) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if length.isdecimal() and int(length[:20]) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise RequestDataTooBig
        return get_response(request)

    return bounded
