"""Mirrored files, stand-ins and media, as both modes serve them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from django.test import Client, override_settings

from harness.catalog.mirror import Mirror
from harness.catalog.mirror.building.build import Builder, WantedAddress
from harness.catalog.mirror.store import Store
from tests.catalog.mirror.sources import FakePackages, FakeWeb
from tests.task_folders import make_task

URL = "https://unpkg.com/thing@1.0.0/a.js"
TEMPLATE = f'<script src="{URL}"></script><img src="https://x.org/a.png" alt="A cat"><input name=a>'


@pytest.fixture(autouse=True)
def asset(own_cache: Path) -> str:
    """Where a mirrored script is served."""
    del own_cache
    packages = FakePackages({"npm:thing@1.0.0": {"a.js": b"a()"}})
    Builder(Store.default(), packages, FakeWeb(), lambda _: None).build([WantedAddress(URL, "script")])
    found = Mirror.load().lookup(URL)
    assert found
    return found.path


@pytest.fixture(params=["browse", "agent"])
def any_mode(request: pytest.FixtureRequest) -> Client:
    client: Client = request.getfixturevalue(request.param)
    return client


@pytest.fixture
def media(tmp_path: Path) -> Iterator[Path]:
    """A folder of copies with a video, a web page and a drawing."""
    folder = tmp_path / "media"
    (folder / "x.org").mkdir(parents=True)
    (folder / "x.org" / "a.mp4").write_bytes(bytes(range(100)))
    (folder / "x.org" / "page").write_text("<p>copied")
    (folder / "x.org" / "a.svg").write_text("<svg/>")
    (tmp_path / "secret.png").write_text("secret")
    with override_settings(TURKLE_MEDIA=folder):
        yield folder


def _media(kind: str, url: str) -> str:
    return f"/media/{kind}?url={quote(url, safe='')}"


def test_a_page_loads_from_the_server_in_both_modes(any_mode: Client, tasks_dir: Path, asset: str) -> None:
    make_task(tasks_dir, "one", template=TEMPLATE)
    page = any_mode.get("/page/one/0/").content.decode()
    assert f'<script src="{asset}"></script>' in page
    assert '<img src="/media/image?url=https%3A%2F%2Fx.org%2Fa.png&amp;alt=A+cat" alt="A cat">' in page


@pytest.mark.parametrize("network", ["live", "none"])
def test_with_any_other_network_addresses_stay_as_they_are(any_mode: Client, tasks_dir: Path, network: str) -> None:
    make_task(tasks_dir, "one", template=TEMPLATE)
    with override_settings(TURKLE_NETWORK=network):
        assert TEMPLATE in any_mode.get("/page/one/0/").content.decode()


def test_a_file_is_served_for_ever_and_to_any_frame(any_mode: Client, asset: str) -> None:
    answer = any_mode.get(asset)
    assert answer.content == b"a()"
    assert answer["Content-Type"] == "text/javascript; charset=utf-8"
    assert "immutable" in answer["Cache-Control"]
    assert answer["Access-Control-Allow-Origin"] == "*"


def test_a_stand_in_is_served_with_any_query(any_mode: Client) -> None:
    found = Mirror.load().lookup("https://ipinfo.io/?callback=f")
    assert found
    assert found.path.endswith("/geolocation.js?callback=f")
    assert any_mode.get(found.path).content


@pytest.mark.parametrize(
    "path", [f"/asset/{'0' * 64}/a.js", "/asset/../index.json/a", "/asset/index.json", "/asset/x/y/z"]
)
def test_nothing_but_files_of_the_mirror_is_served(any_mode: Client, path: str) -> None:
    assert any_mode.get(path).status_code == 404


def test_a_picture_that_is_not_there_is_drawn(any_mode: Client) -> None:
    answer = any_mode.get(_media("image", "https://x.org/a.png") + "&w=600&h=50&alt=A%20cat")
    assert answer["Content-Type"] == "image/svg+xml"
    drawn = answer.content.decode()
    assert 'width="600" height="50"' in drawn
    assert "A cat" in drawn
    assert "https://x.org/a.png" in drawn


def test_a_frame_that_is_not_there_says_so_and_can_do_nothing(any_mode: Client) -> None:
    answer = any_mode.get(_media("iframe", "https://x.org/?<b>"))
    assert "https://x.org/?&lt;b&gt;" in answer.content.decode()
    assert answer["Content-Security-Policy"].startswith("sandbox")
    assert "X-Frame-Options" not in answer  # the frame in browse mode has another origin than its server


@pytest.mark.parametrize("kind", ["video", "audio"])
def test_a_video_or_sound_that_is_not_there_is_a_short_silence(any_mode: Client, kind: str) -> None:
    answer = any_mode.get(_media(kind, "https://x.org/a.mp4"))
    assert answer["Content-Type"] == "audio/wav"
    assert answer.content[:4] == b"RIFF"


@pytest.mark.parametrize(
    "path",
    [
        "/media/other?url=https%3A%2F%2Fx.org%2F",
        "/media/image",
        "/media/image?url=a.png",
        "/media/image?url=file%3A%2F%2F%2Fetc%2Fpasswd",
    ],
)
def test_what_is_no_outside_address_is_not_there(any_mode: Client, media: Path, path: str) -> None:
    del media
    assert any_mode.get(path).status_code == 404


def test_a_copy_is_served_whole_or_in_parts(any_mode: Client, media: Path) -> None:
    del media
    url = _media("video", "https://x.org/a.mp4")
    whole = any_mode.get(url)
    assert (whole.status_code, whole["Content-Type"], whole["Accept-Ranges"]) == (200, "video/mp4", "bytes")
    assert b"".join(whole) == bytes(range(100))
    for asked, first, last in (
        ("bytes=10-19", 10, 19),
        ("bytes=90-", 90, 99),
        ("bytes=-5", 95, 99),
        ("bytes=50-500", 50, 99),
    ):
        part = any_mode.get(url, headers={"Range": asked})
        assert (part.status_code, part["Content-Range"]) == (206, f"bytes {first}-{last}/100")
        assert b"".join(part) == bytes(range(first, last + 1))
        assert part["Content-Length"] == str(last - first + 1)
    for odd in ("bytes=5-1", "bytes=-", "lines=1-2", "bytes=500-"):
        assert any_mode.get(url, headers={"Range": odd}).status_code == 200


def test_the_headers_of_a_copy_can_be_asked_for_alone(any_mode: Client, media: Path) -> None:
    del media
    answer = any_mode.head(_media("video", "https://x.org/a.mp4"))
    assert answer["Content-Length"] == "100"
    assert b"".join(answer) == b""


@pytest.mark.parametrize(
    ("kind", "url", "content"),
    [("iframe", "https://x.org/page", "text/html"), ("image", "https://x.org/a.svg", "image/svg+xml")],
)
def test_a_copy_that_could_act_as_a_page_of_the_server_may_not(
    any_mode: Client, media: Path, kind: str, url: str, content: str
) -> None:
    del media
    answer = any_mode.get(_media(kind, url))
    assert answer["Content-Type"].startswith(content)
    assert answer["Content-Security-Policy"].startswith("sandbox")
    assert "allow-same-origin" not in answer["Content-Security-Policy"]


@pytest.mark.parametrize(
    "path", ["../secret.png", "%2e%2e/secret.png", "..%2fsecret.png", "a/../../secret.png", "../../secret.png"]
)
def test_nothing_outside_the_folder_of_copies_is_served(any_mode: Client, media: Path, path: str) -> None:
    del media
    assert b"secret</" not in any_mode.get(_media("image", f"https://x.org/{path}")).content
    assert any_mode.get(_media("image", f"https://x.org/{path}"))["Content-Type"] == "image/svg+xml"


def test_the_marker_says_which_files_pages_load(agent: Client, tasks_dir: Path) -> None:
    make_task(tasks_dir, "one")
    mirrored = agent.get("/agent-mode/").json()
    assert (mirrored["network"], mirrored["assets"]) == ("mirror", Mirror.load().fingerprint())
    with override_settings(TURKLE_NETWORK="none"):
        assert agent.get("/agent-mode/").json()["assets"] == ""


def test_agent_mode_has_no_other_routes(agent: Client) -> None:
    from turkle_app.agent_urls import urlpatterns

    assert sorted(re.split("[/(]", str(each.pattern))[0] for each in urlpatterns) == [
        "agent-mode",
        "asset",
        "media",
        "page",
        "page",
    ]
    assert agent.get("/").status_code == 404
