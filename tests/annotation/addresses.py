"""The addresses of a server with accounts."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.urls import get_resolver

from harness.catalog.card_store import KnownCard, card_key, keep_card
from tests.annotation.conftest import TASK
from tests.server.addresses import views
from turkle_app.annotation.models import Assignment
from turkle_app.annotation.password_links import password_path
from turkle_app.annotation.sheet_token import sheet_token
from turkle_app.annotation.uploads import keep
from turkle_app.tasks import catalog


def addresses(own: Assignment, user: User) -> dict[str, str]:
    """An address of each pattern, of things that are there."""
    parts = {
        "<int:project_id>": str(own.batch.project_id),
        "<int:batch_id>": str(own.batch_id),
        "<str:instance_id>": own.instance_id,
        "<int:number>": str(user.pk),
        "<str:token>": sheet_token(own.pk),
        "<int:index>": "0",
        "<number>": str(user.pk),
        "users/username/<username>": f"users/username/{user.username}",
        "groups/name/<name>": "groups/name/annotators",
        "page/<str:name>": f"page/{TASK}",
        "task/<str:name>": f"task/{TASK}",
        "script/<str:name>": "script/assignment.js",
        "asset/<str:sha256>/<str:name>": "asset/none/none",
        "<str:kind>": "none",
        "<str:file>": "none",
        "thumbnail/<str:name>": f"thumbnail/{TASK}",
        "static/<path:name>": "static/admin/css/base.css",
        "<path:object_id>": "1",
        "<path:content_type_id>": "1",
        "^(?P<app_label>annotation|auth)/$": "annotation/",
        "(?P<url>.*)$": "nothing",
    }
    uploaded, _ = keep("uploaded", b"${text}<input name=a>", b"text\r\none\r\n")
    keep_card(card_key(catalog().tasks_dir / TASK), KnownCard(4, looked=True), b"a picture")
    found = {}
    for pattern, _ in views(get_resolver().url_patterns):
        address = password_path(user) if "choose" in pattern or "<str:name>/<str:token>" in pattern else f"/{pattern}"
        if "assignment/<int:number>" in address:
            address = address.replace("<int:number>", str(own.pk))
        if "upload" in pattern or "/new/<" in pattern or "/files/<" in pattern:
            address = address.replace("<str:token>", uploaded)
        for part, value in parts.items():
            address = address.replace(part, value)
        found[pattern] = address
    return found
