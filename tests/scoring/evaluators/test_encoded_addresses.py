"""Addresses that a site encodes twice: the one that a node was recorded at meets the node."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qsl, quote, quote_plus, unquote, urlencode, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scoring.evaluators.made import Recording, ScriptedJudge, url

DISKS = "https://www.shop.test/b/Disks/9355?rt=nc&Storage%2520Capacity=128%2520GB&Features=Wi%252DFi%7CUSB%252DC"
WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12)


@pytest.mark.parametrize("key", ["Storage%2520Capacity", "Storage%20Capacity", "Storage Capacity"])
@pytest.mark.parametrize("reference", ["128%2520GB", "128%20GB", "128 GB"])
@pytest.mark.parametrize("match", ["exact", "include"])
def test_node_of_an_address_encoded_twice_is_met_by_it_however_its_texts_were_written_down(
    match: str, key: str, reference: str
) -> None:
    node = url(match, reference, key, url=DISKS)
    assert Recording().shows(DISKS).part(node).score == 1
    assert Recording().shows(DISKS.replace("128", "256")).part(node).score == 0


def test_node_of_an_address_encoded_twice_is_met_where_the_site_encodes_once_as_well() -> None:
    node = url("exact", "Wi-Fi|USB-C", "Features", url=DISKS)
    assert Recording().shows("https://www.shop.test/b/?Features=Wi-Fi%7CUSB-C").part(node).score == 1


def test_whole_address_encoded_twice_meets_the_node_that_was_made_of_it_decoded() -> None:
    node = url("exact", unquote(DISKS), url=DISKS)
    assert Recording().shows(DISKS).part(node).score == 1
    assert Recording().shows(f"{DISKS}&Color=red").part(node).score == 0


def test_judge_is_asked_about_the_value_whose_key_is_encoded_twice() -> None:
    judge = ScriptedJudge({"128 GB": 1.0})
    node = url("semantic", "Decide whether it is 128 GB", "Storage Capacity", url=DISKS)
    assert Recording().shows(DISKS).part(node, judge).score == 1


def test_node_of_an_address_encoded_once_is_not_met_by_one_that_is_encoded_twice() -> None:
    node = url("exact", "price|desc", "sort", url="https://shop.test/?sort=price%7Cdesc")
    assert Recording().shows("https://shop.test/?sort=price%257Cdesc").part(node).score == 0


@given(
    pair=st.tuples(WORDS, WORDS),
    encoded=st.tuples(st.integers(1, 3), st.sampled_from([quote, quote_plus])),
    decodings=st.tuples(st.integers(0, 3), st.integers(0, 3)),
    match=st.sampled_from(["exact", "include"]),
)
def test_any_recorded_address_meets_the_node_made_of_its_query(
    pair: tuple[str, str], encoded: tuple[int, Callable[[str], str]], decodings: tuple[int, int], match: str
) -> None:
    shown = "https://shop.test/list?" + "=".join(_encoded(each, *encoded) for each in pair)
    name, text = urlsplit(shown).query.split("=")
    node = url(match, _decoded(text, decodings[0]), _decoded(name, decodings[1]), url=shown)
    assert Recording().shows(shown).part(node).score == 1


@given(
    words=st.lists(WORDS, min_size=1, max_size=3),
    encodings=st.integers(1, 3),
    decodings=st.integers(0, 3),
    match=st.sampled_from(["exact", "include"]),
)
def test_any_recorded_address_meets_the_node_made_of_its_path(
    words: list[str], encodings: int, decodings: int, match: str
) -> None:
    path = "/" + "/".join(_encoded(word, encodings, lambda text: quote(text, safe="")) for word in words)
    shown = f"https://shop.test{path}"
    node = url(match, _decoded(path if match == "include" else shown, decodings), url=shown)
    assert Recording().shows(shown).part(node).score == 1


@given(pairs=st.dictionaries(WORDS, WORDS, min_size=1, max_size=4), data=st.data())
def test_node_made_by_reading_a_recorded_query_is_met_by_it(pairs: dict[str, str], data: st.DataObject) -> None:
    shown = f"https://shop.test/?{urlencode(pairs)}"
    key, value = data.draw(st.sampled_from(parse_qsl(urlsplit(shown).query)))
    assert Recording().shows(shown).part(url("exact", value, key, url=shown)).score == 1


def _encoded(text: str, times: int, quoted: Callable[[str], str]) -> str:
    for _ in range(times):
        text = quoted(text)
    return text


def _decoded(text: str, times: int) -> str:
    for _ in range(times):
        text = unquote(text)
    return text
