"""Templates whose pages can always be sent: names and texts of a run may hold what no encoding has."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.template.backends import django as backend
from django.utils.safestring import SafeString, mark_safe


class SendableTemplates(backend.DjangoTemplates):
    """Django's templates; half of a surrogate pair, which JSON can hold and UTF-8 cannot, becomes a question mark."""

    def from_string(self, template_code: str) -> Any:
        """Return a template made of its text."""
        return _Sendable(super().from_string(template_code))

    def get_template(self, template_name: str) -> Any:
        """Return the template of a name.

        Raises:
            TemplateDoesNotExist: If there is none.
        """
        return _Sendable(super().get_template(template_name))


class _Sendable:
    def __init__(self, template: Any) -> None:
        self._template = template

    def __getattr__(self, name: str) -> Any:
        return getattr(self._template, name)

    def render(self, context: dict[str, Any] | None = None, request: HttpRequest | None = None) -> SafeString:
        text: str = self._template.render(context, request)
        return mark_safe(text.encode("utf-8", "replace").decode())  # noqa: S308 - what a template has made
