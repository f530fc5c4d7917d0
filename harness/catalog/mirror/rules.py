"""Which package holds the file of an address that nobody listed: rules for the networks that serve libraries.

A rule reads library, version and file off an address. The networks have their own names for libraries and their own
layout of folders, so that the file named here is what to look for in the package; see `files.find_file`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import lru_cache
from urllib.parse import parse_qs

from harness.catalog.mirror.addresses import key
from harness.catalog.mirror.manifest import PackageSource

# Where packages keep what is meant for browsers.
_FOLDERS = ("", "dist/", "build/", "lib/", "umd/", "dist/umd/", "release/", "min/", "js/", "css/", "media/")


def find_file(paths: Collection[str], wanted: str) -> tuple[str, bool] | None:
    """Find a file of a package.

    Args:
        paths: The files of the package.
        wanted: The path that an address names; packages have it in another folder, perhaps.

    Returns:
        The path, and whether it is the file of that name; else it is the same file with or without ".min". None if
        there is no such file.
    """
    wanted = posixpath.normpath(wanted.strip("/")) if wanted else wanted
    for name, same in ((wanted, True), (twin(wanted), False)):
        found = _find(paths, name)
        if found:
            return found, same
    return None


def _find(paths: Collection[str], wanted: str) -> str:
    for folder in _FOLDERS:
        if folder + wanted in paths:
            return folder + wanted
    parts = wanted.split("/")
    # The longest end of the path that some file has; of several, the one nearest to the top.
    for first in range(len(parts)):
        end = "/".join(parts[first:])
        matching = [path for path in paths if path == end or path.endswith(f"/{end}")]
        if matching:
            return min(matching, key=lambda path: (path.count("/"), len(path), path))
    return ""


def twin(path: str) -> str:
    """Return the path with ".min" if it has none, without it if it has."""
    stem, end = posixpath.splitext(path)
    return stem.removesuffix(".min") + end if stem.endswith(".min") else f"{stem}.min{end}"


_ITALIC = {"i", "italic", "ital"}
_NAMED = {"regular": "400", "normal": "400", "bold": "700", "b": "700", "light": "300", "medium": "500"}
# What is asked for as a range (100..900) comes in the weights that texts use.
_OF_RANGE = ("300", "400", "500", "600", "700")


def google_fonts(query: str) -> Iterator[PackageSource]:
    """Yield the packages for the query of an address, one for each family.

    Args:
        query: Without escapes, e.g. "family=Open Sans:400,700i|Lato&display=swap" or
            "family=Lato:ital,wght@0,400;1,700&family=Inter:wght@100..900".
    """
    # "+" is a space here, as in forms.
    for value in parse_qs(query, separator="&").get("family", []):
        for family in value.split("|"):
            name, _, styles = family.partition(":")
            slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
            if slug:
                files = tuple(dict.fromkeys(f"{style}.css" for style in _styles(styles)))
                yield PackageSource("npm", f"@fontsource/{slug}", "", files, "near")


def _styles(text: str) -> Iterator[str]:
    """Yield weights with "-italic" where asked for, in both spellings of the service."""
    axes, mark, values = text.partition("@")
    if not mark:
        for style in text.partition(":")[0].split(",") if text else ["400"]:
            found = re.fullmatch(r"(\d*)(\D*)", style.strip().lower())
            if found:
                weight = found[1] or _NAMED.get(found[2], "400")
                yield weight + ("-italic" if found[2] in _ITALIC or found[2].endswith("italic") else "")
        return
    names = axes.split(",")
    for tuple_ in values.split(";"):
        said = dict(zip(names, tuple_.split(","), strict=False))
        italic = "-italic" if said.get("ital") == "1" else ""
        weight = said.get("wght", "400")
        low, dots, high = weight.partition("..")
        weights = [each for each in _OF_RANGE if not dots or int(low or 1) <= int(each) <= int(high or 999)]
        yield from (f"{each}{italic}" for each in (weights if dots else [low]))


_FONT_AWESOME_KIT = "5.15.4"

# Libraries whose packages are not called as networks call them. With a number, from that major version on.
_PACKAGES = {
    "twitter-bootstrap": "bootstrap",
    "bootstrap-css": "bootstrap",
    "jqueryui": "jquery-ui-dist",
    "jquery.ui": "jquery-ui-dist",
    "jquery-cookie": "jquery.cookie",
    "jquery-validate": "jquery-validation",
    "jquery.validate": "jquery-validation",
    "jquery-easing": "jquery.easing",
    "jqueryui-touch-punch": "jquery-ui-touch-punch",
    "jquery.tablesorter": "tablesorter",
    "lodash.js": "lodash",
    "moment.js": "moment",
    "underscore.js": "underscore",
    "backbone.js": "backbone",
    "angular.js": "angular",
    "angularjs": "angular",
    "handlebars.js": "handlebars",
    "mustache.js": "mustache",
    "require.js": "requirejs",
    "three.js": "three",
    "threejs": "three",
    "fabric.js": "fabric",
    "paper.js": "paper",
    "p5.js": "p5",
    "d3js": "d3",
    "babel-standalone": "@babel/standalone",
    "highlight.js": "@highlightjs/cdn-assets",
    "semantic-ui": "semantic-ui-css",
    "materialize": "materialize-css",
    "foundation": "foundation-sites",
    "normalize": "normalize.css",
    "limonte-sweetalert2": "sweetalert2",
    "sortable": "sortablejs",
    "clipboard.js": "clipboard",
    "socket.io": "socket.io-client",
    "toastr.js": "toastr",
    "hammer.js": "hammerjs",
    "webfont": "webfontloader",
    "snap.svg": "snapsvg",
    "popper.js/2": "@popperjs/core",
    "svg.js/3": "@svgdotjs/svg.js",
    "font-awesome/5": "@fortawesome/fontawesome-free",
    "jquery-timeago": "timeago",
    "jquery-scrollto": "jquery.scrollto",
}


def _package(library: str, version: str) -> str:
    """Return the package of a library as networks call it."""
    name = library.lower()
    major = re.match(r"\d+", version)
    for number in range(int(major[0]) if major else 99, 1, -1):
        if f"{name}/{number}" in _PACKAGES:
            return _PACKAGES[f"{name}/{number}"]
    return _PACKAGES.get(name, name)


def _library(library: str, version: str, file: str, status: str = "same-release") -> Iterator[PackageSource]:
    """Yield where a file of a library may be, with what is most likely first."""
    version = version.removeprefix("v")
    if library.lower() in {"jqueryui", "jquery.ui", "ui"}:
        yield from _jquery_ui(version, file)
        return
    if library.lower() in {"bootstrap", "twitter-bootstrap"} and re.match(r"3\.0(?:\.|$)", version):
        yield PackageSource(
            "pypi", "Flask-Bootstrap", "3.0.3.1", (f"flask_bootstrap/static/{file}",), _if(version, "3.0.3")
        )
        return
    yield PackageSource("npm", _package(library, version), version, (file,), status)
    if library.lower().endswith((".js", "-js")) and _package(library, version) == library.lower():
        yield PackageSource("npm", library.lower()[:-3], version, (file,), status)


def _if(version: str, known: str) -> str:
    return "same-release" if version == known else "near"


def _jquery_ui(version: str, file: str) -> Iterator[PackageSource]:
    """JQuery UI as it is published: each release of old under a name of its own, later in one package."""
    name = file.rpartition("/")[2]
    if re.match(r"1\.[0-8](?:\.|$)", version):
        folder = "js/jqueryui/resources/"
        inner = f"{folder}ui/minified/{name}" if name.endswith(".min.js") else f"{folder}{file}"
        yield PackageSource("pypi", "js.jqueryui", "1.8.24", (inner,), "same-release" if version == "1.8" else "near")
        return
    themed = re.search(r"themes/(?!base/)[\w-]+/", file) is not None
    if themed:
        yield PackageSource("npm", "jquery-ui-themes", version, (file,), "same-release")
        yield PackageSource("npm", "jquery-ui-themes", "", (file,), "near")
    yield PackageSource("npm", "jquery-ui-dist", version, (name,), "near" if themed else "same-release")
    yield PackageSource(
        "npm", f"jquery-ui-{version.replace('.', '-')}", "", (name,), "near" if themed else "same-release"
    )
    yield PackageSource("npm", "jqueryui", version, (name,), "near" if themed else "same-release")
    yield PackageSource("npm", "jqueryui", "1.11.1", (name,), "near")


def _npm(found: re.Match[str]) -> Iterator[PackageSource]:
    """An address that names the package itself; without a whole version it serves the newest, whichever that was."""
    version = found["version"] or ""
    pinned = re.fullmatch(r"v?\d+\.\d+\.\d+(?:[-+].*)?", version)
    yield PackageSource("npm", found["name"], version, (found["file"] or "",), "exact" if pinned else "near")


def _repository(found: re.Match[str]) -> Iterator[PackageSource]:
    """A file of a public repository: perhaps it is published as a package of that name."""
    version = re.fullmatch(r"v?(\d+(?:\.\d+){1,2}(?:-[\w.]+)?)", found["version"] or "")
    status = "same-release" if version else "near"
    name = found["name"].lower()
    for package in dict.fromkeys((name, name.removesuffix(".js"))):
        yield PackageSource("npm", package, version[1] if version else "", (found["file"],), status)


def _layout(found: re.Match[str]) -> Iterator[PackageSource]:
    """Library, version and file, one after the other: most networks."""
    yield from _library(found["name"], found["version"], found["file"])


def _jquery(found: re.Match[str]) -> Iterator[PackageSource]:
    version = found["version"] or "1.11.1"  # what "latest" has meant since it was frozen
    yield PackageSource("npm", "jquery", version, (f"dist/jquery{found['rest']}",), "same-release")


def _jquery_copy(found: re.Match[str]) -> Iterator[PackageSource]:
    """A copy of jQuery on somebody's own host."""
    yield from map(_as_near, _jquery(found))


def _plugin(found: re.Match[str]) -> Iterator[PackageSource]:
    yield from _library(found["name"], found["version"], f"{found['name']}{found['rest']}")


def _bootstrap(found: re.Match[str]) -> Iterator[PackageSource]:
    yield from _library("bootstrap", found["version"], found["file"])


def _bootswatch(found: re.Match[str]) -> Iterator[PackageSource]:
    yield PackageSource("npm", "bootswatch", found["version"], (found["file"],), "same-release")


def _font_awesome(found: re.Match[str]) -> Iterator[PackageSource]:
    """Font Awesome's own network, which serves the shortened files under the names of the others."""
    status = "near" if found[0].startswith("pro.") else "same-release"
    for file in dict.fromkeys((twin(found["file"]), found["file"])):
        yield PackageSource("npm", "@fortawesome/fontawesome-free", found["version"], (file,), status)


def _font_awesome_kit(found: re.Match[str]) -> Iterator[PackageSource]:
    """A kit holds what its owner chose; all free icons stand for it."""
    file = "css/all.min.css" if found["end"] == "css" else "js/all.min.js"
    yield PackageSource("npm", "@fortawesome/fontawesome-free", _FONT_AWESOME_KIT, (file,), "near")


def _google_fonts(found: re.Match[str]) -> Iterator[PackageSource]:
    yield from google_fonts(found["query"])


def _material_icons(found: re.Match[str]) -> Iterator[PackageSource]:
    del found
    yield PackageSource("npm", "material-icons", "", ("iconfont/material-icons.css",), "near")


def _datatables(found: re.Match[str]) -> Iterator[PackageSource]:
    plain = re.fullmatch(r"(?:media/)?(?:js|css)/jquery\.dataTables(?:\.min)?\.(?:js|css)", found["file"])
    style = found["file"].endswith(".css")
    if plain:
        yield PackageSource(
            "npm",
            "datatables.net-dt" if style else "datatables.net",
            found["version"],
            (found["file"],),
            "same-release",
        )
        yield PackageSource("npm", "datatables", found["version"], (f"media/{found['file']}",), "same-release")
        yield PackageSource("npm", "datatables", "", (f"media/{found['file']}",), "near")
        return
    skin = re.search(r"dataTables\.(bootstrap\d?|foundation|jqueryui|semanticui|bulma)\b", found["file"])
    if skin:
        name = {"bootstrap": "bs", "jqueryui": "jqui", "semanticui": "se", "foundation": "zf", "bulma": "bm"}
        end = skin[1].rstrip("0123456789")
        package = f"datatables.net-{name[end]}{skin[1][len(end) :]}"
        yield PackageSource("npm", package, found["version"], (found["file"],), "same-release")


def _d3(found: re.Match[str]) -> Iterator[PackageSource]:
    yield PackageSource(
        "npm", found["name"], found["version"], (f"dist/{found['name']}{found['min']}.js",), "same-release"
    )


def _plotly(found: re.Match[str]) -> Iterator[PackageSource]:
    """Plotly; what is called the newest there is the last release of series 1."""
    version = "1.58.5" if found["version"] == "latest" else found["version"]
    yield PackageSource("npm", "plotly.js", version, (f"dist/{found['name']}{found['min']}.js",), "same-release")


def _anychart(found: re.Match[str]) -> Iterator[PackageSource]:
    yield PackageSource(
        "npm", "anychart", found["version"].removeprefix("v"), (f"dist/{found['file']}",), "same-release"
    )


def _numbered(found: re.Match[str]) -> Iterator[PackageSource]:
    """A copy on somebody's own host, whose name says what it is: ``jquery-1.9.1.min.js``."""
    yield from map(_as_near, _library(found["name"], found["version"], f"{found['name']}{found['rest']}"))


def _unpacked(found: re.Match[str]) -> Iterator[PackageSource]:
    """A copy on somebody's own host, in a folder whose name says what it is: ``DataTables-1.10.4/js/…``."""
    yield from map(_as_near, _library(found["name"], found["version"], found["file"]))


def _as_near(source: PackageSource) -> PackageSource:
    return replace(source, status="near")


_NAME = r"(?P<name>(?:@[\w.~-]+/)?[\w.~-]+)"
_RELEASE = r"(?P<version>v?\d[\w.-]*)"
_FILE = r"(?P<file>[^?]+)"
_PACKAGE = rf"{_NAME}(?:@(?P<version>[^/?]+))?(?:/(?P<file>[^?]*))?"
_LIBRARY = rf"{_NAME}/{_RELEASE}/{_FILE}"
_REPOSITORY = rf"[^/]+/(?P<name>[^/?]+)/(?P<version>[^/?]+)/{_FILE}"
_MIN = r"(?P<min>(?:\.min)?)"
_MIRRORS = (
    r"cdn\.bootcss\.com|cdn\.bootcdn\.net|lib\.baomitu\.com|cdn\.staticfile\.(?:org|net)|yastatic\.net|yandex\.st"
)

# What an address looks like without its scheme -> where its file is to be had. The first that matches counts.
_RULES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Iterator[PackageSource]]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), rule)
    for pattern, rule in (
        (rf"unpkg\.com/{_PACKAGE}", _npm),
        (rf"(?:cdn|fastly)\.jsdelivr\.net/npm/{_PACKAGE}", _npm),
        (rf"cdn\.jsdelivr\.net/gh/[^/]+/(?P<name>[^/@?]+)(?:@(?P<version>[^/?]+))?/{_FILE}", _repository),
        (rf"(?:cdn\.)?(?:rawgit|rawgithub|gitcdn)\.\w+/(?:repo/)?{_REPOSITORY}", _repository),
        (rf"raw\.githubusercontent\.com/{_REPOSITORY}", _repository),
        (rf"cdn\.jsdelivr\.net/{_LIBRARY}", _layout),
        (rf"[\w.-]+/ajax/libs/{_LIBRARY}", _layout),
        (rf"(?:{_MIRRORS})/{_LIBRARY}", _layout),
        (
            r"code\.jquery\.com/jquery(?:-latest|-(?P<version>\d[\d.]*\d(?:-\w+)?))?"
            r"(?P<rest>(?:\.slim)?(?:\.min)?\.js)",
            _jquery,
        ),
        (rf"code\.jquery\.com/(?P<name>ui)/{_RELEASE}/{_FILE}", _layout),
        (
            r"code\.jquery\.com/(?:[\w-]+/)?(?P<name>jquery[.-][a-z-]+?)-(?P<version>\d[\d.]*\d)"
            r"(?P<rest>(?:\.min)?\.(?:js|css))",
            _plugin,
        ),
        (rf"\w+\.bootstrapcdn\.com/(?:twitter-)?bootstrap/{_RELEASE}/{_FILE}", _bootstrap),
        (rf"\w+\.bootstrapcdn\.com/bootswatch/{_RELEASE}/{_FILE}", _bootswatch),
        (rf"\w+\.bootstrapcdn\.com/{_LIBRARY}", _layout),
        (rf"(?:v\d\.)?getbootstrap\.com/(?:docs/)?{_RELEASE}/(?:dist/)?{_FILE}", _bootstrap),
        (rf"(?:use|pro|kit-free)\.fontawesome\.com/releases/v(?P<version>[\d.]+)/{_FILE}", _font_awesome),
        (r"(?:use|kit)\.fontawesome\.com/[0-9a-f]+\.(?P<end>js|css)", _font_awesome_kit),
        (r"fonts\.(?:googleapis|loli|bunny)\.\w+/css2?\?(?P<query>.+)", _google_fonts),
        (r"fonts\.googleapis\.com/icon\?.*", _material_icons),
        (rf"cdn\.datatables\.net/(?:\w+/)?{_RELEASE}/{_FILE}", _datatables),
        (rf"d3js\.org/(?P<name>d3(?:-[a-z-]+?)?)\.v(?P<version>\d+){_MIN}\.js", _d3),
        (
            rf"cdn\.plot\.ly/(?P<name>plotly(?:-[a-z0-9]+)?)-(?P<version>latest|\d[\d.]*\d){_MIN}\.js",
            _plotly,
        ),
        (rf"cdn\.anychart\.com/releases/(?P<version>v?[\d.]+)/{_FILE}", _anychart),
        (rf"ajax\.aspnetcdn\.com/ajax/(?P<name>bootstrap|jquery\.ui)/{_RELEASE}/{_FILE}", _layout),
        (
            r"(?:.*/)?jquery-(?P<version>\d+\.\d+(?:\.\d+)?)(?P<rest>(?:\.slim)?(?:\.min)?\.js)",
            _jquery_copy,
        ),
        (
            r"[^?]*/(?P<name>[a-z][a-z0-9.]*?(?:-[a-z]+)*)-(?P<version>\d+\.\d+\.\d+)"
            r"(?P<rest>(?:\.min)?\.(?:js|css))",
            _numbered,
        ),
        (
            r"[^?]*/(?P<name>[a-z][\w.]*?)[-@/]v?(?P<version>\d+\.\d+\.\d+)/(?P<file>[^?]+\.(?:js|css))",
            _unpacked,
        ),
    )
)


@lru_cache(maxsize=4096)
def candidates(url: str) -> tuple[tuple[PackageSource, ...], ...]:
    """Return where the file of an address may be had.

    Returns:
        What is most likely first; each is one source, or several whose files are written one after the other. Nothing
        if no rule knows the address.
    """
    plain = key(url)
    for text in dict.fromkeys((plain.partition("?")[0], plain)):
        for pattern, rule in _RULES:
            found = pattern.fullmatch(text)
            if found:
                sources = tuple(rule(found))
                return (sources,) if rule is _google_fonts and sources else tuple((each,) for each in sources)
    return ()
