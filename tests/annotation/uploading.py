"""Tasks that are uploaded."""

from __future__ import annotations

import re
from pathlib import Path

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

PAGE = "<h1>${title}</h1><input name=a><script>document.title = 'x'</script>"

GOOD = "title\r\nfirst one\r\nsecond one\r\n"


def send(client: Client, name: str = "new one", table: str = GOOD, page: str = PAGE, **more: str):
    files = {
        "template": SimpleUploadedFile("../../evil.html", page.encode()),
        "table": SimpleUploadedFile("/etc/passwd", table.encode()),
    }
    return client.post("/manage/upload/", {"name": name, **files, **more})


def token(response) -> str:
    found = re.fullmatch(r"/manage/upload/([0-9a-f]{32})/", response.url)
    assert found is not None
    return found[1]


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())
