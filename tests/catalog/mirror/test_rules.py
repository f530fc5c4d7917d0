from __future__ import annotations

import pytest

from harness.catalog.mirror.rules import candidates, find_file


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://unpkg.com/d3@5.0.0/dist/d3.js", "npm:d3 5.0.0 dist/d3.js exact"),
        ("//unpkg.com/@scope/a@1.2.3", "npm:@scope/a 1.2.3  exact"),
        ("https://cdn.jsdelivr.net/npm/vue@2/dist/vue.js", "npm:vue 2 dist/vue.js near"),
        ("https://cdn.jsdelivr.net/npm/vue", "npm:vue   near"),
        ("https://cdn.jsdelivr.net/gh/who/thing@v1.2.0/dist/thing.js", "npm:thing 1.2.0 dist/thing.js same-release"),
        ("https://cdn.rawgit.com/who/thing/0a1b2c/thing.js", "npm:thing  thing.js near"),
        (
            "https://cdnjs.cloudflare.com/ajax/libs/lodash.js/4.17.1/lodash.min.js?v=1",
            "npm:lodash 4.17.1 lodash.min.js same-release",
        ),
        (
            "https://cdnjs.cloudflare.com/ajax/libs/font-awesome/4.7.0/css/font-awesome.css",
            "npm:font-awesome 4.7.0 css/font-awesome.css same-release",
        ),
        (
            "https://cdnjs.cloudflare.com/ajax/libs/font-awesome/5.1.0/css/all.css",
            "npm:@fortawesome/fontawesome-free 5.1.0 css/all.css same-release",
        ),
        ("http://ajax.googleapis.com/ajax/libs/jquery/2.1.0/jquery.js", "npm:jquery 2.1.0 jquery.js same-release"),
        (
            "http://ajax.googleapis.com/ajax/libs/jqueryui/1.12.0/jquery-ui.js",
            "npm:jquery-ui-dist 1.12.0 jquery-ui.js same-release",
        ),
        ("https://code.jquery.com/jquery-3.5.1.slim.min.js", "npm:jquery 3.5.1 dist/jquery.slim.min.js same-release"),
        ("https://code.jquery.com/jquery-latest.min.js", "npm:jquery 1.11.1 dist/jquery.min.js same-release"),
        ("https://code.jquery.com/jquery-migrate-1.4.1.js", "npm:jquery-migrate 1.4.1 jquery-migrate.js same-release"),
        (
            "https://code.jquery.com/ui/1.10.4/themes/smoothness/jquery-ui.css",
            "npm:jquery-ui-themes 1.10.4 themes/smoothness/jquery-ui.css same-release",
        ),
        (
            "//netdna.bootstrapcdn.com/bootstrap/3.1.1/css/bootstrap.css",
            "npm:bootstrap 3.1.1 css/bootstrap.css same-release",
        ),
        (
            "//netdna.bootstrapcdn.com/twitter-bootstrap/3.0.3/css/bootstrap.css",
            "pypi:Flask-Bootstrap 3.0.3.1 flask_bootstrap/static/css/bootstrap.css same-release",
        ),
        (
            "https://maxcdn.bootstrapcdn.com/font-awesome/4.5.0/css/font-awesome.min.css",
            "npm:font-awesome 4.5.0 css/font-awesome.min.css same-release",
        ),
        ("https://kit.fontawesome.com/0123abcdef.js", "npm:@fortawesome/fontawesome-free 5.15.4 js/all.min.js near"),
        (
            "https://use.fontawesome.com/releases/v5.0.8/js/all.js",
            "npm:@fortawesome/fontawesome-free 5.0.8 js/all.min.js same-release",
        ),
        ("https://d3js.org/d3.v4.min.js", "npm:d3 4 dist/d3.min.js same-release"),
        (
            "https://cdn.datatables.net/1.10.20/js/jquery.dataTables.js",
            "npm:datatables.net 1.10.20 js/jquery.dataTables.js same-release",
        ),
        ("https://someone.example/files/jquery-1.9.1.min.js", "npm:jquery 1.9.1 dist/jquery.min.js near"),
        ("https://someone.example/libs/bootstrap-4.3.1/js/bootstrap.js", "npm:bootstrap 4.3.1 js/bootstrap.js near"),
    ],
)
def test_an_address_that_nobody_listed_names_its_package(url: str, expected: str) -> None:
    source = candidates(url)[0][0]
    found = f"{source.registry}:{source.package} {source.version} {' '.join(source.files)} {source.status}"
    assert found == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("?family=Open+Sans:400,700i|Roboto", [("open-sans", ("400.css", "700-italic.css")), ("roboto", ("400.css",))]),
        ("?family=Open%20Sans%3A400%2C700&display=swap", [("open-sans", ("400.css", "700.css"))]),
        ("?family=Lato:bold,italic,regular", [("lato", ("700.css", "400-italic.css", "400.css"))]),
        (
            "2?family=Lato:ital,wght@0,400;1,700&family=Inter",
            [("lato", ("400.css", "700-italic.css")), ("inter", ("400.css",))],
        ),
        ("2?family=Inter:wght@400..600", [("inter", ("400.css", "500.css", "600.css"))]),
    ],
)
def test_the_families_and_weights_of_a_font_service_come_from_one_package_each(
    query: str, expected: list[tuple[str, tuple[str, ...]]]
) -> None:
    (sources,) = candidates(f"https://fonts.googleapis.com/css{query}")
    found = [(source.package, source.files) for source in sources]
    assert found == [(f"@fontsource/{name}", files) for name, files in expected]


@pytest.mark.parametrize(
    "url", ["https://someone.example/style.css", "style.css", "https://unpkg.com/", "https://fonts.googleapis.com/css"]
)
def test_an_address_that_says_nothing_has_no_package(url: str) -> None:
    assert candidates(url) == ()


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("css/a.min.css", ("dist/css/a.min.css", True)),
        ("umd/a.js", ("dist/umd/a.js", True)),
        ("other/b.js", ("lib/b.js", True)),
        ("c.min.js", ("c.js", False)),
        ("b.min.js", ("lib/b.js", False)),
        ("nothing.js", None),
        ("", None),
    ],
)
def test_a_file_is_found_wherever_its_package_keeps_it(wanted: str, expected: tuple[str, bool] | None) -> None:
    files = ["dist/css/a.min.css", "dist/umd/a.js", "lib/b.js", "lib/deeper/b.js", "c.js"]
    assert find_file(files, wanted) == expected
