"""What a form sent, for the page that shows it to the person who tried the form."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest


@dataclass(frozen=True)
class Sent:
    """One name of the form with everything sent under it."""

    name: str
    values: tuple[str, ...]


def submission(request: HttpRequest) -> list[Sent]:
    """Return what a form sent, in its order; of a file only name and size."""
    sent = [Sent(name, tuple(str(value) for value in values)) for name, values in request.POST.lists()]
    sent += [
        Sent(name, tuple(f"file {file.name}, {file.size} bytes" for file in files))
        for name, files in request.FILES.lists()
    ]
    if request.content_type == "text/plain":  # a third kind of form, which Django does not parse
        sent.append(Sent("(the whole text)", (request.body.decode("utf-8", "replace"),)))
    return sent
