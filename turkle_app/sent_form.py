"""What a form sent, for the page that shows it to the person who tried the form."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest


@dataclass(frozen=True)
class SentValues:
    """One name of the form with everything sent under it."""

    name: str
    values: tuple[str, ...]


def submission(request: HttpRequest) -> list[SentValues]:
    """Return what a form sent, in its order; of a file only name and size."""
    sent = [SentValues(name, tuple(str(value) for value in values)) for name, values in request.POST.lists()]
    sent += [
        SentValues(name, tuple(f"file {file.name}, {file.size} bytes" for file in files))
        for name, files in request.FILES.lists()
    ]
    if request.content_type == "text/plain":  # a third kind of form, which Django does not parse
        sent.append(SentValues("(the whole text)", (request.body.decode("utf-8", "replace"),)))
    return sent
