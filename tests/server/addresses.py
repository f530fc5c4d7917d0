"""The addresses of a server, and what it loads to serve them."""

from __future__ import annotations

from collections.abc import Iterator

from django.urls import URLPattern, URLResolver


def views(patterns: list[URLPattern | URLResolver], prefix: str = "") -> Iterator[tuple[str, object]]:
    """Address and view of each pattern, at any depth."""
    for pattern in patterns:
        address = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from views(pattern.url_patterns, address)
        else:
            yield address, pattern.callback


LOADED = """
import sys
from turkle_app.__main__ import main
from turkle_app.management.commands.serve import Command
import waitress
def ready(application, **options):
    import turkle_app.urls, turkle_app.agent_urls
    named = ("turkle_app.viewer", "harness.records", "harness.reports.watch", "harness.analysis")
    print(sorted(name for name in named if name in sys.modules))
    raise SystemExit
waitress.create_server = ready
main(sys.argv[1:])
"""
