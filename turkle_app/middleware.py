"""What happens to every response on its way out."""

from __future__ import annotations

from collections.abc import Callable

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
