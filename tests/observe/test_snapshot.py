from __future__ import annotations

import json

import pytest

from harness.observe import ENCODINGS, Encoded, encode
from harness.observe.html import write
from harness.observe.outline import with_outline
from harness.observe.snapshot import ELEMENT, TEXT, Control, Node, OutlineNode, Snapshot, take
from tests.conftest import Show
from tests.site import in_page

CONTROLS = """
<label><input type="radio" name="mood" value="good"> Good</label>
<label><input type="radio" name="mood" value="bad"> Bad</label>
<input type="checkbox" name="sure" id="sure"><label for="sure">I am sure</label>
<select name="country"><option value="NL">Netherlands</option><option value="BE" selected>Belgium</option></select>
<textarea name="why" disabled>because</textarea>
<input type="text" name="unseen" style="display:none">
<input type="password" name="secret" value="hush">
"""


def controls(snapshot: Snapshot, name: str) -> list[Node]:
    return [snapshot.nodes[place] for place in snapshot.controls[name]]


def every_encoding(snapshot: Snapshot) -> dict[str, str]:
    return {name: encode(name, snapshot, count=len).text for name in ENCODINGS}


def test_one_call_tells_values_states_and_numbers(show: Show) -> None:
    browser, actions = show(CONTROLS)
    actions.modify_radio("mood", "bad")
    before = browser.channel.messages
    snapshot = take(browser)
    assert browser.channel.messages == before + 1
    good, bad = controls(snapshot, "mood")
    assert good.control
    assert bad.control
    assert (good.control.value, good.control.states) == ("good", ())
    assert (bad.control.value, bad.control.states) == ("bad", ("checked",))
    assert [good.ref, bad.ref] == [1, 2]
    assert snapshot.nodes[bad.control.labels[0]].text == "label"
    [why] = controls(snapshot, "why")
    assert why.control
    assert (why.control.states, why.ref, why.shown) == (("disabled",), 0, True)
    assert snapshot.visible_fields == ("mood", "sure", "country", "why", "secret")


def test_passwords_are_not_told(show: Show) -> None:
    browser, _ = show('<input type="password" name="secret">')
    browser.run("aim.text", "secret")
    browser.run("aim.set", "hush-hush")
    snapshot = take(browser)
    assert "hush-hush" not in json.dumps(snapshot.to_json())


def test_labels_of_all_controls_that_can_be_operated_are_known_whatever_form_they_are_in(show: Show) -> None:
    browser, _ = show("<label for=one>One</label><input id=one name=one>")
    in_page(browser, "document.body.insertAdjacentHTML('beforeend', '<label>Two <input></label>')")
    snapshot = take(browser)
    held = [node.control for node in snapshot.nodes if node.control and node.text == "input"]
    said = [[snapshot.nodes[label].text for label in control.labels] for control in held if control.kind == "text"]
    assert said == [["label"], ["label"]]


def test_html_of_a_snapshot_is_the_pages_own(show: Show) -> None:
    body = """<p title='a "quote" & <angle>'>1 &lt; 2 &amp; 3&nbsp;4<br><!-- note --><script>if (1 < 2) { "&" }</script>
    <template><b>inside</b></template><svg viewBox="0 0 1 1"><path d="M0 0"/></svg><pre>
 x</pre></p><table><tr><td>cell</table>"""
    browser, _ = show(body)
    assert write(take(browser)).html == browser.run("page.html")


def test_a_snapshot_survives_json(show: Show) -> None:
    browser, _ = show(CONTROLS)
    snapshot = with_outline(browser, take(browser))
    assert Snapshot.from_json(json.loads(json.dumps(snapshot.to_json()))) == snapshot


def test_numbers_stay_with_their_elements(show: Show) -> None:
    shown = show('<button type="button" id="second">Two</button><input name="x">')
    first = take(shown.browser)
    shown.page(
        "document.getElementById('second').insertAdjacentHTML('beforebegin', '<button type=button>One</button>')"
    )
    later = take(shown.browser)
    names = {node.ref: node.get("id") or node.get("name") for node in first.nodes if node.ref}
    assert names == {1: "second", 2: "x", 3: "submitButton"}
    assert {node.ref: node.get("id") or node.get("name") for node in later.nodes if node.ref} == {**names, 4: None}


def test_the_digest_follows_answers_and_not_the_place(show: Show) -> None:
    shown = show('<div style="height:3000px"></div><input name="x">')
    before = shown.actions.observation.digest()
    shown.page("scrollTo(0, 500)")
    assert shown.actions.observation.digest() == before
    shown.actions.modify_text("x", "new")
    assert shown.actions.observation.digest() != before


def test_what_cannot_be_seen_is_read_by_nobody(show: Show) -> None:
    body = """<p hidden>gone</p><p style="opacity:0">clear</p><p style="visibility:hidden">veiled
    <b style="visibility:visible">unveiled</b></p><details><summary>More</summary>folded</details><p>there</p>"""
    browser, _ = show(body)
    text = encode("text", take(browser), count=len).text
    assert "unveiled" in text
    assert "there" in text
    assert not [word for word in ("gone", "clear", "folded") if word in text]


def holds(encoded: Encoded, field: str) -> bool:
    """Whether a page in an encoding has a field: by its name, or by letters where a text has no names."""
    return field in encoded.text or field in encoded.refs.values()


def test_pages_as_deep_as_the_browser_lays_out_are_encoded(show: Show) -> None:
    shown = show('<div id="root"></div>')
    shown.page(
        """(() => { let here = document.getElementById("root");
        for (let depth = 0; depth < 1500; depth += 1) { here = here.appendChild(document.createElement("div")); }
        here.innerHTML = '<p>down here</p><input name="deep">'; })()"""
    )
    snapshot = with_outline(shown.browser, take(shown.browser))
    for name in ENCODINGS:
        assert holds(encode(name, snapshot, count=len), "deep")
        assert holds(encode(name, snapshot, field="deep", budget=200, count=len), "deep")


@pytest.mark.slow
@pytest.mark.parametrize("tag", ["div", "span", "li", "td"])
def test_no_depth_is_too_deep_for_an_encoding(tag: str) -> None:
    depth = 5000
    display = {"span": "inline", "td": "cell"}.get(tag, "block")
    wrappers = [Node(ELEMENT, place, tag, (), display) for place in range(-1, depth - 1)]
    held = Control("deep", "text", "", ())
    nodes = (
        *wrappers,
        Node(TEXT, depth - 1, "before", (), "inline"),
        Node(ELEMENT, depth - 1, "input", (("name", "deep"),), "inline", 1, (0, 0, 9, 9), held),
    )
    outline = tuple(OutlineNode(place, "group", str(place)) for place in range(-1, depth - 1))
    last = OutlineNode(depth - 1, "textbox", "", node=len(nodes) - 1)
    snapshot = Snapshot("", (100, 100, 0, 0, 100, 100), nodes, outline=(*outline, last))
    for name in ENCODINGS:
        assert holds(encode(name, snapshot, count=len), "deep")
        assert holds(encode(name, snapshot, field="deep", budget=300, count=len), "deep")


def test_huge_texts_are_cut_and_told(show: Show) -> None:
    shown = show('<p id="long"></p><input name="after">')
    shown.page("document.getElementById('long').textContent = 'word '.repeat(600_000)")
    encoded = encode("text", take(shown.browser), field="after", budget=300, count=len)
    assert "after" in encoded.text
    assert encoded.tokens <= 300
    assert encoded.shrunk[0].startswith("left out 2,500,000 characters")


@pytest.mark.slow
def test_pages_with_more_nodes_than_the_bound_keep_their_fields(show: Show) -> None:
    shown = show('<div id="many"></div><input name="after">')
    shown.page("document.getElementById('many').innerHTML = '<i></i>'.repeat(61_000)")
    snapshot = take(shown.browser)
    assert snapshot.left > 1000
    assert snapshot.visible_fields == ("after",)
    assert any("nodes" in note for note in encode("text", snapshot, count=len).shrunk)


@pytest.mark.parametrize("file", ["clobbering", "hostile/overwrites_everything", "broken-labels", "names"])
def test_pages_cannot_get_in_the_way(show: Show, file: str) -> None:
    browser, _ = show(file=file)
    visible = [field["name"] for field in browser.run("fields.list") if field["visible"]]
    snapshot = with_outline(browser, take(browser))
    assert list(snapshot.visible_fields) == visible
    for name, text in every_encoding(snapshot).items():
        assert text, name


def test_shadow_trees_and_frames_are_shown(show: Show) -> None:
    shown = show('<div id="host"></div><iframe srcdoc="<p>in the frame</p>"></iframe>')
    shown.page(
        """(async () => {
        const root = document.getElementById("host").attachShadow({ mode: "open" });
        root.innerHTML = '<p>in the shadow</p><button type="button">Press</button>';
        const frame = document.querySelector("iframe");
        while (!frame.contentDocument?.querySelector("p")) await new Promise((go) => setTimeout(go, 5));
        })()"""
    )
    texts = every_encoding(with_outline(shown.browser, take(shown.browser)))
    for name in ("full", "simplified", "text"):
        assert "in the shadow" in texts[name]
        assert "in the frame" in texts[name]
    assert 'button "Press"' in texts["axtree"]


def test_half_characters_do_not_reach_files(show: Show) -> None:
    shown = show("<p id='p'></p>")
    shown.page("document.getElementById('p').textContent = 'a\\ud800b'")
    assert "a\ufffdb" in encode("text", take(shown.browser), count=len).text.encode("utf-8").decode("utf-8")
