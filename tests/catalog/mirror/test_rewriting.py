from __future__ import annotations

import hashlib
import re
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from harness.catalog.mirror.building.build import Builder, WantedAddress
from harness.catalog.mirror.mirror import Mirror
from harness.catalog.mirror.rewriting import Rewriter, references
from harness.catalog.mirror.store import Store, integrity_of
from harness.catalog.template import render
from tests.catalog.mirror.sources import FakePackages, FakeWeb

JS, CSS, FONT, PNG = b"a()", b"b{}", b"font", b"icon"
BASE = "https://unpkg.com/thing@1.0.0"


def _path(data: bytes, name: str) -> str:
    return f"/asset/{hashlib.sha256(data).hexdigest()}/{name}"


JS_PATH, CSS_PATH = _path(JS, "a.js"), _path(CSS, "a.css")


@pytest.fixture(scope="module")
def mirror(tmp_path_factory: pytest.TempPathFactory) -> Mirror:
    """A mirror of four files of one package."""
    store = Store(tmp_path_factory.mktemp("mirror"))
    packages = FakePackages({"npm:thing@1.0.0": {"a.js": JS, "a.css": CSS, "a.woff2": FONT, "a.png": PNG}})
    kinds = {"a.js": "script", "a.css": "style", "a.woff2": "font", "a.png": "image"}
    wanted = [WantedAddress(f"{BASE}/{file}", kind) for file, kind in kinds.items()]
    Builder(store, packages, FakeWeb(), lambda _: None).build(wanted)
    return Mirror(store.read(), store)


@pytest.fixture
def rewriter(mirror: Mirror) -> Rewriter:
    return Rewriter(mirror)


def _media(page: str) -> list[tuple[str, dict[str, str]]]:
    """The addresses of media in a page: path and query."""
    found = re.findall(r"/media/[^\s\"'<>)]+", unescape(page))
    return [
        (urlsplit(url).path, {key: values[0] for key, values in parse_qs(urlsplit(url).query).items()}) for url in found
    ]


# Scripts, styles, fonts


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f'<script src="{BASE}/a.js"></script>', f'<script src="{JS_PATH}"></script>'),
        (f"<script src='{BASE[6:]}/a.js'></script>", f"<script src='{JS_PATH}'></script>"),
        (f"<SCRIPT SRC = {BASE.upper()[:8]}{BASE[8:]}/a.js></SCRIPT>", f"<SCRIPT SRC = {JS_PATH}></SCRIPT>"),
        (f'<script src=" {BASE}/a.js?v=1&amp;w=2 "></script>', f'<script src="{JS_PATH}"></script>'),
        (f'<script src="http{BASE[5:]}/a.js#x"></script>', f'<script src="{JS_PATH}"></script>'),
        (f'<link href="{BASE}/a.css" rel="StyleSheet">', f'<link href="{CSS_PATH}" rel="StyleSheet">'),
        (f'<link rel=preload as=script href="{BASE}/a.js">', f'<link rel=preload as=script href="{JS_PATH}">'),
        (f"<style>@import '{BASE}/a.css';</style>", f"<style>@import '{CSS_PATH}';</style>"),
        (
            f"<style>@font-face{{src:url({BASE}/a.woff2)}}</style>",
            f"<style>@font-face{{src:url({_path(FONT, 'a.woff2')})}}</style>",
        ),
        (f'<img src="{BASE}/a.png">', f'<img src="{_path(PNG, "a.png")}">'),
        (f'<link rel="shortcut icon" href="{BASE}/a.png">', f'<link rel="shortcut icon" href="{_path(PNG, "a.png")}">'),
        (
            f"<p>a\n<p  class=x ><script\nsrc={BASE}/a.js async></script>",
            f"<p>a\n<p  class=x ><script\nsrc={JS_PATH} async></script>",
        ),
    ],
)
def test_a_mirrored_address_is_led_to_the_server_and_nothing_else_changes(
    rewriter: Rewriter, before: str, after: str
) -> None:
    assert rewriter(before) == after


@pytest.mark.parametrize(
    "page",
    [
        "<script src=a.js></script><img src=/a.png><img src='data:image/png;base64,//8='><a href='#x'>x</a>",
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink"><use x:href="#a"/></svg>',
        f"<!-- <script src='{BASE}/a.js'></script> -->",
        f"<textarea><script src='{BASE}/a.js'></script></textarea>",
        '<a href="https://x.org/a.png">a picture</a> https://x.org/a.png',
        '<form action="https://x.org/submit"></form>',
        "<p>an address: //x.org/a.png</p>",
        f'<script src="{BASE}/other.js"></script>',
        "<style>/* url(http://x.org/a.png) */ a{background:url(#a)}</style>",
        "<script>// see http://x.org/a.js\nvar a = 1;</script>",
    ],
)
def test_what_loads_nothing_or_is_not_mirrored_stays_as_it_is(rewriter: Rewriter, page: str) -> None:
    assert rewriter(page) == page


def test_an_integrity_attribute_stays_if_the_served_bytes_pass_it(rewriter: Rewriter) -> None:
    sha256, sha384, _ = integrity_of(JS)
    for good in (sha256, sha384, f"{sha384} sha384-other"):
        page = rewriter(f'<script integrity="{good}" src="{BASE}/a.js" crossorigin="anonymous"></script>')
        assert page == f'<script integrity="{good}" src="{JS_PATH}" crossorigin="anonymous"></script>'


def test_an_integrity_attribute_that_they_would_not_pass_is_emptied(rewriter: Rewriter) -> None:
    page = rewriter(f'<script integrity="sha384-other" src="{BASE}/a.js"></script>')
    assert page == f'<script integrity="" src="{JS_PATH}"></script>'


def test_the_addresses_that_loaders_ask_for_are_replaced_in_scripts(rewriter: Rewriter) -> None:
    page = rewriter(
        f"<script>$.getScript('{BASE}/a.js'); load(\"https:\\/\\/unpkg.com\\/thing@1.0.0\\/a.css\")</script>"
    )
    assert f"$.getScript('{JS_PATH}'); load(\"{CSS_PATH}\")" in page


def test_a_handler_s_address_is_replaced_too(rewriter: Rewriter) -> None:
    page = rewriter(f"<body onload=\"load('{BASE}/a.js')\">")
    assert page == f"<body onload=\"load('{JS_PATH}')\">"


def test_an_address_that_goes_on_in_script_is_left(rewriter: Rewriter) -> None:
    page = f"<script>load('{BASE}/a' + '.js')</script>"
    assert page in rewriter(page)


def test_a_stand_in_keeps_the_query_that_names_its_function(rewriter: Rewriter) -> None:
    page = rewriter('<script src="http://ipinfo.io/json?callback=found&amp;x=1"></script>')
    assert re.fullmatch(r'<script src="/asset/[0-9a-f]{64}/geolocation\.js\?callback=found&amp;x=1"></script>', page)


def test_a_page_with_an_outside_base_loads_from_the_server_all_the_same(rewriter: Rewriter) -> None:
    page = rewriter(f'<base href="{BASE}/"><script src="a.js"></script><img src="/b.png">')
    assert page.startswith(f'<base href=""><script src="{JS_PATH}"></script>')
    assert _media(page) == [("/media/image", {"url": "https://unpkg.com/b.png"})]


def test_a_page_is_rewritten_before_it_is_wrapped(rewriter: Rewriter) -> None:
    page = render('<script src="${url}"></script><input name=a>', {"url": f"{BASE}/a.js"}, rewriter)
    assert f'<script src="{JS_PATH}"></script>' in page
    assert "mturk_form" in page


# Media


@pytest.mark.parametrize(
    ("page", "path", "query"),
    [
        (
            '<img src="//x.org/a.png?b=c&amp;d" alt="A &lt;cat&gt;" width=30 height="40px">',
            "/media/image",
            {"url": "https://x.org/a.png?b=c&d", "alt": "A <cat>", "w": "30", "h": "40"},
        ),
        (
            '<img width="50%" style="max-width:9px; width: 70px; height:auto" src=http://x.org/a.png>',
            "/media/image",
            {"url": "http://x.org/a.png", "w": "70"},
        ),
        ('<input type="image" src="http://x.org/a.png">', "/media/image", {"url": "http://x.org/a.png"}),
        ('<svg><image xlink:href="http://x.org/a.png"/></svg>', "/media/image", {"url": "http://x.org/a.png"}),
        ('<td background="http://x.org/a.png">', "/media/image", {"url": "http://x.org/a.png"}),
        ('<iframe title="N" src="http://x.org/"></iframe>', "/media/iframe", {"url": "http://x.org/", "alt": "N"}),
        ('<object data="http://x.org/a.swf"></object>', "/media/iframe", {"url": "http://x.org/a.swf"}),
        ('<embed src="http://x.org/a.png" type="image/png">', "/media/image", {"url": "http://x.org/a.png"}),
        ('<picture><source src="http://x.org/a.png"></picture>', "/media/image", {"url": "http://x.org/a.png"}),
        ("<style>a{background:url('http://x.org/a.png')}</style>", "/media/image", {"url": "http://x.org/a.png"}),
        ('<p style="background:url(&quot;http://x.org/a.png?b&amp;c&quot;)">', "/media/image", {"url": "http://x.org/a.png?b&c"}),
        ("<p style='background:url(\"http://x.org/a.png\")'>", "/media/image", {"url": "http://x.org/a.png"}),
    ],
)  # fmt: skip
def test_remote_media_are_shown_by_the_server(rewriter: Rewriter, page: str, path: str, query: dict[str, str]) -> None:
    assert _media(rewriter(page)) == [(path, query)]


def test_every_picture_of_a_srcset_is_shown_by_the_server(rewriter: Rewriter) -> None:
    page = rewriter('<img srcset="http://x.org/1.png 1x,\n http://x.org/2,3.png 2x, local.png 3x">')
    assert [query["url"] for _, query in _media(page)] == ["http://x.org/1.png", "http://x.org/2,3.png"]
    assert page.endswith('2x, local.png 3x">')


def test_a_video_gets_a_poster_that_says_what_it_is(rewriter: Rewriter) -> None:
    page = rewriter(
        '<video width=320 height=200 controls><source src="http://x.org/a.mp4"><source src="//x.org/a.webm"></video>'
    )
    poster, *sources = _media(page)
    assert poster == ("/media/image", {"url": "http://x.org/a.mp4", "w": "320", "h": "200"})
    assert [path for path, _ in sources] == ["/media/video", "/media/video"]
    assert page.count("poster=") == 1


def test_a_video_keeps_its_poster(rewriter: Rewriter) -> None:
    page = rewriter('<video poster="/mine.png" src="http://x.org/a.mp4"></video>')
    assert page == '<video poster="/mine.png" src="/media/video?url=http%3A%2F%2Fx.org%2Fa.mp4"></video>'


def test_a_sound_says_in_its_title_what_it_is(rewriter: Rewriter) -> None:
    page = rewriter("<audio controls><source src=http://x.org/a.mp3></audio>")
    assert (
        page
        == '<audio title="http://x.org/a.mp3" controls><source src=/media/audio?url=http%3A%2F%2Fx.org%2Fa.mp3></audio>'
    )


@pytest.mark.parametrize(
    "page",
    [
        "<script>show('http://x.org/' + name)</script>",
        '<script src=a.js></script><div data-pictures="http://x.org/1.png http://x.org/2.png"></div>',
        '<script src=a.js></script><input type=hidden value="//x.org/a.png">',
    ],
)
def test_pages_whose_scripts_may_load_media_get_the_script_that_stands_in_for_them(
    rewriter: Rewriter, page: str
) -> None:
    found = re.fullmatch(r'<script src="/asset/[0-9a-f]{64}/media\.js"></script>(.*)', rewriter(page))
    assert found
    assert found[1] == page


@pytest.mark.parametrize(
    ("page", "start"),
    [
        (
            "<!DOCTYPE html><!-- c --><HTML><head lang=en><title>x</title>",
            "<!DOCTYPE html><!-- c --><HTML><head lang=en>",
        ),
        ("<!DOCTYPE html><p>x", "<!DOCTYPE html>"),
        ("<p>x", ""),
    ],
)
def test_that_script_is_the_first_of_the_page(rewriter: Rewriter, page: str, start: str) -> None:
    rewritten = rewriter(f"{page}<script>show('http://x.org/' + name)</script>")
    assert rewritten.startswith(f'{start}<script src="/asset/')


# What is missing


def test_what_is_neither_mirrored_nor_stood_in_for_is_named(rewriter: Rewriter) -> None:
    page = f"""<script src="{BASE}/a.js"></script><script src="//x.org/b.js"></script>
    <link rel=stylesheet href="http://x.org/b.css"><script src="//x.org/crowd-html-elements.js"></script>
    <img src="http://x.org/a.png"><img src="//x.org/a.png"><a href="http://x.org/c.png"></a>
    <script>show("http://x.org/d.png"); tell("not in http://x.org/e.png"); load("http://x.org/f.js") // "http://x.org/g.png"
    </script><i data-src="http://x.org/h.jpg" title="see http://x.org/i.jpg"></i>"""
    assert [(each.kind, each.url) for each in rewriter.unserved(page)] == [
        ("script", "https://x.org/b.js"),
        ("style", "http://x.org/b.css"),
        ("image", "http://x.org/a.png"),
        ("image", "https://x.org/a.png"),
        ("image", "http://x.org/d.png"),
        ("image", "http://x.org/h.jpg"),
    ]


def test_media_of_which_there_is_a_copy_are_not_missing(mirror: Mirror, tmp_path: Path) -> None:
    (tmp_path / "x.org").mkdir()
    (tmp_path / "x.org" / "a.png").write_bytes(b"picture")
    missing = Rewriter(mirror, tmp_path).unserved("<img src=http://x.org/a.png><img src=http://x.org/b.png>")
    assert [each.url for each in missing] == ["http://x.org/b.png"]


def test_a_page_without_outside_addresses_refers_to_nothing() -> None:
    assert references("<p>1 // 2</p><script src=a.js></script>") == []
