from __future__ import annotations

import pytest

from harness.catalog.mirror.references import addresses, rewrite


@pytest.mark.parametrize(
    ("css", "expected"),
    [
        ("a{background:url(x.png)}", [("x.png", False)]),
        ("a{background:URL( 'x y.png' )}", [("x y.png", False)]),
        ('@import "x.css";', [("x.css", True)]),
        (
            "@import 'x.css' screen;@import url(y.css);@import url( \"z.css\" ) print;",
            [("x.css", True), ("y.css", True), ("z.css", True)],
        ),
        ("/* url(a.png) */ b{src:url(b.woff)format('woff'),url(c.ttf#x)}", [("b.woff", False), ("c.ttf#x", False)]),
        ("a{background:url()}b{content:'url'}", []),
        ("/* never closed url(a)", []),
    ],
)
def test_addresses_are_found_however_they_are_written(css: str, expected: list[tuple[str, bool]]) -> None:
    assert [(address.url, address.imports) for address in addresses(css)] == expected


def test_only_addresses_that_get_another_change() -> None:
    css = "@import 'a.css';b{background:url(\"b.png\") , url(data:x)}"
    assert rewrite(css, lambda address: f"/{address.url}" if "." in address.url else None) == (
        "@import '/a.css';b{background:url(\"/b.png\") , url(data:x)}"
    )
