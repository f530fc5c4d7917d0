"""Looking into the server's pages."""

from __future__ import annotations

from bs4 import BeautifulSoup
from django.test import Client

HARD_NAMES = [
    "two words",
    "list [1] (a)",
    """it's "quoted" ‘so’""",
    "a+b & c=d",
    "100% of 50%25",
    "%2F %2e",
    "what? #1; a:b@c, d!",
    "back\\slash ~ ` ^ {x} | <b>",
    "Größe 日本 العربية 😀",
    "-dash",
    "task",
]


def soup(client: Client, url: str, status: int = 200) -> BeautifulSoup:
    """Get a page and parse it."""
    response = client.get(url)
    assert response.status_code == status
    return BeautifulSoup(response.content, "html.parser")


def text(part: BeautifulSoup) -> str:
    """The visible words, white space collapsed."""
    for hidden in part.find_all(["style", "script"]):
        hidden.decompose()
    return " ".join(part.get_text(" ").split())
