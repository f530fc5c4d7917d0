"""Pictures, films and frames that scripts ask for at outside addresses: a placeholder comes, the page sees it come."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from tests.conftest import Show
from tests.site import Shown, Site
from tests.standins.conftest import PICTURE

FAR = "http://pictures.example/cat.png?size=2&x=a b"
SCRIPT = "<script src='/standin/media.js'></script>"
HEARD = "<script>heard = []; note = (event) => heard.push(event.type);</script>"


@pytest.fixture(scope="module", autouse=True)
def placeholders(site: Site) -> None:
    site.put(PICTURE, "/media/image", kind="image/svg+xml")
    site.put("<p>a frame</p>", "/media/iframe")
    site.put("", "/media/video", status=404)


def ask(show: Show, site: Site, script: str, body: str = "") -> tuple[Shown, list[str]]:
    """A page that runs a script; gives it with the placeholders that it asked for, when one of them has come."""
    before = len(site.requests)
    shown = show(f"{HEARD}{body}<div id=place></div>", head=SCRIPT)
    shown.page(
        f"new Promise((resolve) => {{ const FAR = {FAR!r}; const place = document.getElementById('place'); {script} }})"
    )
    return shown, [path for _, path in site.requests[before:] if path.startswith("/media/")]


@pytest.mark.parametrize(
    "script",
    [
        "const i = new Image(); i.onload = i.onerror = (e) => { note(e); resolve(); }; i.src = FAR;",
        "const i = new Image(); i.onload = i.onerror = (e) => { note(e); resolve(); }; i.setAttribute('src',"
        " FAR); place.append(i);",
        "const i = document.createElement('img'); i.addEventListener('load', (e) => { note(e); resolve(); });"
        " i.addEventListener('error', note); place.append(i); i.src = FAR;",
        "resolved = resolve; place.innerHTML = `<img src='${FAR}' onerror='note(event)' onload='note(event);"
        " resolved()'>`;",
        "resolved = resolve; place.innerHTML = `<img srcset='${encodeURI(FAR)} 1x' onerror='note(event)'"
        " onload='note(event); resolved()'>`;",
    ],
)
def test_a_picture_that_script_asks_for_comes_as_a_placeholder_and_loads(show: Show, site: Site, script: str) -> None:
    shown, asked = ask(show, site, script)
    assert shown.page("heard") == ["load"]
    (path,) = dict.fromkeys(asked)
    assert urlsplit(path).path == "/media/image"
    assert parse_qs(urlsplit(path).query) == {"url": ["http://pictures.example/cat.png?size=2&x=a%20b"]}


def test_the_declared_size_and_the_alternative_text_are_asked_for(show: Show, site: Site) -> None:
    _, asked = ask(
        show,
        site,
        "const i = document.createElement('img'); i.width = 40; i.style.height = '30px'; i.alt = 'a cat';"
        " i.onload = resolve; i.src = FAR;",
    )
    query = parse_qs(urlsplit(asked[0]).query)
    assert (query["w"], query["h"], query["alt"]) == (["40"], ["30"], ["a cat"])


def test_the_page_reads_the_address_that_it_set(show: Show, site: Site) -> None:
    shown, _ = ask(show, site, "i = new Image(); i.onload = resolve; i.src = FAR;")
    assert shown.page("i.src") == "http://pictures.example/cat.png?size=2&x=a%20b"
    assert shown.page("(i.src = '/picture.svg', i.src === location.origin + '/picture.svg')") is True


def test_another_picture_in_the_place_of_the_first_is_asked_for(show: Show, site: Site) -> None:
    _, asked = ask(
        show,
        site,
        "const i = new Image(); i.onload = () => { i.onload = resolve; i.src ="
        " 'http://pictures.example/dog.png'; }; i.src = FAR;",
    )
    assert [parse_qs(urlsplit(path).query)["url"][0].rpartition("/")[2][:3] for path in asked] == ["cat", "dog"]


def test_pictures_of_the_server_and_in_the_page_are_left_alone(show: Show, site: Site) -> None:
    shown, asked = ask(
        show,
        site,
        "const i = new Image(); i.onload = (e) => { note(e); i.onload = (e2) => { note(e2); i.onerror = (e3)"
        " => { note(e3); resolve(); };"
        " i.src = '/none.png'; }; i.src = 'data:image/svg+xml,<svg xmlns=\"http://www.w3.org/2000/svg\"/>';"
        " }; i.src = '/picture.svg';",
    )
    assert shown.page("heard") == ["load", "load", "error"]
    assert asked == []


@pytest.mark.parametrize(
    "script",
    [
        "const f = document.createElement('iframe'); f.onload = resolve; f.src = FAR; place.append(f);",
        "resolved = resolve; const f = document.createElement('iframe'); f.setAttribute('src', FAR);"
        " f.onload = resolve; place.append(f);",
        "document.addEventListener('load', (e) => { if (e.target.contentDocument) resolve(); }, true);"
        " place.innerHTML = `<iframe src='${FAR}'></iframe>`;",
    ],
)
def test_a_frame_shows_the_placeholder(show: Show, site: Site, script: str) -> None:
    shown, asked = ask(show, site, script)
    assert [urlsplit(path).path for path in asked] == ["/media/iframe"]
    assert shown.page("document.querySelector('iframe').src").startswith("http://pictures.example/")


@pytest.mark.parametrize(
    "script",
    [
        "const v = document.createElement('video'); v.onerror = resolve; v.src = FAR; place.append(v);",
        "place.innerHTML = `<video src='${FAR}'></video>`; place.firstChild.onerror = resolve;",
    ],
)
def test_a_film_and_its_picture_are_asked_for(show: Show, site: Site, script: str) -> None:
    shown, asked = ask(show, site, script)
    assert "/media/video" in {urlsplit(path).path for path in asked}
    assert shown.page("document.querySelector('video').getAttribute('poster')").startswith(
        f"{site.origin}/media/image?url="
    )
