from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from harness.catalog.mirror import Mirror
from harness.catalog.mirror import manifest as manifest_module
from harness.catalog.mirror.building.build import Builder, BuildOutcome, WantedAddress
from harness.catalog.mirror.building.collecting import wanted_by, wanted_of
from harness.catalog.mirror.manifest import entries
from harness.catalog.mirror.store import MirrorError, Store, integrity_of, matches
from tests.catalog.mirror.sources import FakePackages, FakeWeb
from tests.task_folders import make_task

SCRIPT = "https://cdnjs.cloudflare.com/ajax/libs/thing/1.0.0/thing.js"
STYLE = "https://cdnjs.cloudflare.com/ajax/libs/thing/1.0.0/css/thing.css"
CSS = b"@import 'more.css';a{src:url(../fonts/a.woff2?#iefix) url(data:x) url(gone.png)}"
THING = {
    "dist/thing.js": b"thing()",
    "dist/css/thing.css": CSS,
    "dist/css/more.css": b"b{background:url('../img/b.png')}",
    "dist/fonts/a.woff2": b"font",
    "dist/img/b.png": b"picture",
}


@pytest.fixture
def store(own_cache: Path) -> Store:
    del own_cache
    return Store.default()


def _build(
    store: Store, packages: FakePackages, *wanted: WantedAddress, web: FakeWeb | None = None
) -> list[BuildOutcome]:
    said: list[BuildOutcome] = []
    outcomes = Builder(store, packages, web or FakeWeb(), said.append).build(wanted)
    assert said == outcomes
    return outcomes


def _thing() -> FakePackages:
    return FakePackages({"npm:thing@1.0.0": THING})


def _sri(data: bytes, algorithm: str = "sha384") -> str:
    return next(each for each in integrity_of(data) if each.startswith(algorithm))


def test_a_script_that_nobody_listed_comes_from_its_package(store: Store) -> None:
    (outcome,) = _build(store, _thing(), WantedAddress(SCRIPT, "script"))
    assert (outcome.state, outcome.record and outcome.record.status) == ("mirrored", "same-release")
    asset = Mirror.load().lookup("//CDNJS.cloudflare.com/ajax/libs/thing/1.0.0/thing.js?v=2")
    assert asset
    assert asset.path == f"/asset/{hashlib.sha256(b'thing()').hexdigest()}/thing.js"
    assert Mirror.load().content(asset.sha256) == (b"thing()", "text/javascript; charset=utf-8")


def test_the_original_address_comes_first_where_the_network_allows(store: Store) -> None:
    packages = _thing()
    (outcome,) = _build(store, packages, WantedAddress(SCRIPT, "script"), web=FakeWeb({SCRIPT: b"other()"}))
    assert outcome.record
    assert (outcome.record.status, outcome.record.origin, packages.asked) == ("original", "its own address", [])


def test_a_web_page_in_the_place_of_a_script_is_not_taken(store: Store) -> None:
    (outcome,) = _build(
        store, _thing(), WantedAddress(SCRIPT, "script"), web=FakeWeb({SCRIPT: b" <html>This domain is for sale"})
    )
    assert outcome.record
    assert outcome.record.status == "same-release"


def test_a_template_s_integrity_attribute_makes_a_file_certain(store: Store) -> None:
    (outcome,) = _build(store, _thing(), WantedAddress(SCRIPT, "script", frozenset({_sri(b"thing()")})))
    assert outcome.record
    assert outcome.record.status == "exact"


def test_a_file_with_other_bytes_than_a_template_asks_for_is_refused_and_named(store: Store) -> None:
    wanted = WantedAddress(SCRIPT, "script", frozenset({_sri(b"changed()")}))
    (outcome,) = _build(store, _thing(), wanted, web=FakeWeb({SCRIPT: b"hacked()"}))
    assert (outcome.state, outcome.record) == ("refused", None)
    assert "its own address does not match integrity=sha384-" in outcome.why
    assert "npm thing@1.0.0: dist/thing.js does not match" in outcome.why
    assert Mirror.load().lookup(SCRIPT) is None


@pytest.mark.parametrize("bytes_", [b"good()", b"bad()"])
def test_a_listed_file_has_the_recorded_hash_or_is_refused(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bytes_: bytes
) -> None:
    record = {
        "url": "https://x.org/listed.js",
        "kind": "script",
        "status": "exact",
        "basis": "",
        "source": {"registry": "npm", "package": "listed", "version": "1.0.0", "files": ["a.js", "b.js"]},
        "sha256": hashlib.sha256(b"good()").hexdigest(),
        "licence": "Odd",
        "proprietary": True,
    }
    (tmp_path / "assets.json").write_text(json.dumps({"assets": [record]}))
    monkeypatch.setattr(manifest_module, "FILE", tmp_path / "assets.json")
    entries.cache_clear()
    try:
        packages = FakePackages({"npm:listed@1.0.0": {"a.js": bytes_[:2], "b.js": bytes_[2:]}})
        (outcome,) = _build(store, packages, WantedAddress("https://x.org/listed.js", "script"))
    finally:
        entries.cache_clear()
    if bytes_ == b"good()":
        assert outcome.record
        assert (outcome.record.status, outcome.record.licence, outcome.record.proprietary) == ("exact", "Odd", True)
    else:
        assert outcome.state == "refused"
        assert "as recorded" in outcome.why


def test_a_style_is_led_to_the_files_that_it_refers_to(store: Store) -> None:
    (outcome,) = _build(store, _thing(), WantedAddress(STYLE, "style"))
    record, mirror = outcome.record, Mirror.load()
    assert record
    content = mirror.content(record.sha256)
    assert content
    css = content[0].decode()
    font, picture = (hashlib.sha256(data).hexdigest() for data in (b"font", b"picture"))
    assert f"url(/asset/{font}/a.woff2#iefix) url(data:x)" in css
    imported = css.partition("@import '/asset/")[2].partition("/")[0]
    assert mirror.content(imported) == (
        f"b{{background:url('/asset/{picture}/b.png')}}".encode(),
        "text/css; charset=utf-8",
    )
    assert mirror.content(font) == (b"font", "font/woff2")
    assert set(record.parts) == {font, picture, imported}
    assert record.missing == ("https://cdnjs.cloudflare.com/ajax/libs/thing/1.0.0/css/gone.png",)
    assert record.checked == hashlib.sha256(CSS).hexdigest() != record.sha256


def test_a_style_of_several_packages_finds_the_files_of_each(store: Store) -> None:
    packages = FakePackages(
        {
            "npm:@fontsource/one@": {"400.css": b"a{src:url(./files/one.woff2)}", "files/one.woff2": b"1"},
            "npm:@fontsource/two@": {"400.css": b"b{src:url(./files/two.woff2)}", "files/two.woff2": b"2"},
        }
    )
    (outcome,) = _build(store, packages, WantedAddress("https://fonts.googleapis.com/css?family=One|Two", "style"))
    assert outcome.record
    assert (outcome.record.status, outcome.record.missing, len(outcome.record.parts)) == ("near", (), 2)


def test_a_style_finds_files_of_another_package_in_a_network(store: Store) -> None:
    style = b"a{src:url(https://unpkg.com/other@2.0.0/far.woff2) url(https://unpkg.com/none@1.0.0/x.png)}"
    packages = FakePackages({"npm:thing@1.0.0": {"a.css": style}, "npm:other@2.0.0": {"far.woff2": b"far"}})
    (outcome,) = _build(store, packages, WantedAddress("https://unpkg.com/thing@1.0.0/a.css", "style"))
    assert outcome.record
    assert outcome.record.missing == ("https://unpkg.com/none@1.0.0/x.png",)
    assert outcome.record.parts == (hashlib.sha256(b"far").hexdigest(),)


def test_two_styles_that_import_each_other_come_to_an_end(store: Store) -> None:
    files = {"a.css": b"@import 'b.css';", "b.css": b"@import 'a.css';"}
    packages = FakePackages({"npm:thing@1.0.0": files})
    (outcome,) = _build(store, packages, WantedAddress("https://unpkg.com/thing@1.0.0/a.css", "style"))
    assert outcome.state == "mirrored"


def test_what_is_there_is_not_collected_again(store: Store) -> None:
    _build(store, _thing(), WantedAddress(SCRIPT, "script"))
    packages = _thing()
    (outcome,) = _build(store, packages, WantedAddress(SCRIPT, "script"))
    assert (outcome.state, packages.asked) == ("kept", [])


def test_what_a_new_template_asks_for_in_other_bytes_is_collected_again(store: Store) -> None:
    _build(store, _thing(), WantedAddress(SCRIPT, "script"))
    assert [
        each.state for each in _build(store, _thing(), WantedAddress(SCRIPT, "script", frozenset({_sri(b"x")})))
    ] == ["refused"]
    good = WantedAddress(SCRIPT, "script", frozenset({_sri(b"thing()", "sha256")}))
    assert [each.state for each in _build(store, _thing(), good)] == ["kept"]


def test_a_file_that_was_lost_is_collected_again(store: Store) -> None:
    (outcome,) = _build(store, _thing(), WantedAddress(STYLE, "style"))
    assert outcome.record
    store.file(outcome.record.parts[0]).unlink()
    assert store.verify() == {outcome.record.parts[0]: "missing"}
    assert [each.state for each in _build(store, _thing(), WantedAddress(STYLE, "style"))] == ["mirrored"]
    assert store.verify() == {}


def test_a_file_that_was_changed_is_named(store: Store) -> None:
    (outcome,) = _build(store, _thing(), WantedAddress(SCRIPT, "script"))
    assert outcome.record
    store.file(outcome.record.sha256).write_bytes(b"x")
    assert store.verify() == {outcome.record.sha256: "changed"}


def test_a_build_that_is_interrupted_keeps_what_it_had_and_goes_on_there(store: Store) -> None:
    class Interrupted(FakePackages):
        def get(self, registry: str, name: str, version: str):
            if name == "other":
                raise KeyboardInterrupt
            return super().get(registry, name, version)

    other = WantedAddress("https://unpkg.com/zother@1.0.0/other.js", "script")
    both = [WantedAddress(SCRIPT, "script"), WantedAddress("https://unpkg.com/other@1.0.0/other.js", "script"), other]
    packages = {"npm:thing@1.0.0": THING, "npm:other@1.0.0": {"other.js": b"1"}, "npm:zother@1.0.0": {"other.js": b"2"}}
    (store.folder / "files").mkdir(parents=True)
    (store.folder / "files" / ".0123.part").write_bytes(b"half")
    with pytest.raises(KeyboardInterrupt):
        Builder(store, Interrupted(packages), FakeWeb(), lambda _: None).build([both[2], both[0], both[1]])
    before = {record.url for record in store.read().assets.values()}
    states = {each.wanted.url: each.state for each in _build(store, FakePackages(packages), *both)}
    assert states == {each.url: "kept" if each.url in before else "mirrored" for each in both}
    assert store.verify() == {}
    assert not list(store.folder.rglob("*.part"))


def test_two_builds_at_once_do_not_mix(store: Store) -> None:
    with store.alone(), pytest.raises(MirrorError, match="another process"):
        _build(store, _thing(), WantedAddress(SCRIPT, "script"))


def test_an_index_that_cannot_be_read_says_what_to_do(store: Store) -> None:
    store.folder.mkdir(parents=True)
    store.index_file.write_text("{")
    with pytest.raises(MirrorError, match=r"Remove .*index\.json and run: .*python -m harness setup mirror build"):
        Mirror.load()


def test_the_same_file_under_another_address_is_served_without_a_build(store: Store) -> None:
    _build(store, _thing(), WantedAddress("https://unpkg.com/thing@1.0.0/dist/thing.js", "script"))
    mirror = Mirror.load()
    assert mirror.lookup(SCRIPT) == mirror.lookup("https://cdn.jsdelivr.net/npm/thing@1.0.0/dist/thing.js")
    assert mirror.lookup(SCRIPT)
    assert mirror.lookup("https://cdn.jsdelivr.net/npm/thing@1.0.1/dist/thing.js") is None


def test_a_mirror_that_was_built_anew_is_noticed(store: Store) -> None:
    empty = Mirror.load()
    assert not empty.built
    assert empty.lookup(SCRIPT) is None
    _build(store, _thing(), WantedAddress(SCRIPT, "script"))
    assert Mirror.load().lookup(SCRIPT)
    assert Mirror.load().built
    assert Mirror.load().fingerprint() != empty.fingerprint()


@pytest.mark.parametrize(
    ("integrity", "passes"),
    [
        (_sri(b"a"), True),
        (_sri(b"a", "sha256"), True),
        (_sri(b"b"), False),
        (f"{_sri(b'b')} {_sri(b'a')}", True),
        (f"{_sri(b'a', 'sha256')} {_sri(b'b', 'sha512')}", False),
        (f"{_sri(b'a')}?option", True),
        ("", True),
        ("md5-abc", True),
    ],
)
def test_an_integrity_attribute_is_read_as_browsers_read_it(integrity: str, passes: bool) -> None:
    assert matches(integrity, integrity_of(b"a")) is passes


def test_every_listed_asset_says_where_it_is_from_and_how_sure_that_is() -> None:
    for entry in entries().values():
        assert entry.basis
        assert (entry.source is None) == (not entry.sha256)
        assert entry.source is None or (entry.licence and entry.source.status in {"exact", "same-release", "near"})
    proprietary = {entry.source.package for entry in entries().values() if entry.proprietary and entry.source}
    assert proprietary == {"anychart", "gojs"}


def test_templates_ask_for_scripts_styles_and_pictures_of_packages() -> None:
    template = """<link rel=stylesheet href=//x.org/a.css><img src="https://unpkg.com/p@1.0.0/a.png">
    <img src=//x.org/b.png>
    <script src="//x.org/${name}.js"></script><script src="//x.org/a.js" integrity="sha384-a"></script>
    <script>$.getScript("https://x.org/b.js")</script>"""
    assert set(wanted_of(template)) == {
        WantedAddress("https://x.org/a.css", "style"),
        WantedAddress("https://unpkg.com/p@1.0.0/a.png", "image"),
        WantedAddress("https://x.org/a.js", "script", frozenset({"sha384-a"})),
        WantedAddress("https://x.org/b.js", "script", sure=False),
    }


def test_each_address_is_wanted_once_however_many_templates_ask_for_it(tmp_path: Path) -> None:
    for name, integrity in (("one", "sha384-a"), ("two", "sha384-b")):
        make_task(tmp_path, name, template=f'<script src="//x.org/a.js" integrity="{integrity}"></script>')
    listed = len(entries())
    wanted = wanted_by([tmp_path])
    assert len(wanted) == listed + 1
    assert wanted[-1].integrity == {"sha384-a", "sha384-b"}
