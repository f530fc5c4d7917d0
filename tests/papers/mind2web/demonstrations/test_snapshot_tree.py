"""Snapshots of pages in a real browser."""

import pytest

from harness.browser.page_inspection import as_mhtml, dom_snapshot, node_of
from harness.papers.mind2web.demonstrations.asking import ID_ATTRIBUTE as ID
from harness.papers.mind2web.demonstrations.page_tree import box_of, page_tree, seen_elements, serialised
from harness.papers.mind2web.demonstrations.snapshot_tree import SnapshotTree
from tests.walks import walking

PAGE = """<style>.gone{display:none} .blank{visibility:hidden}</style><script>var code = "<p>";</script><!-- hidden -->
<div id=gone class=gone>gone</div><div id=blank class=blank>blank<b id=back style="visibility:visible">back</b></div>
<p id=first backend_node_id=1 bounding_box_rect=1,1,1,1 @click=x>Grüße <b>in</b> 東京</p>
<input id=typed value=old><input id=secret type=password value=hush><input id=ticked type=checkbox checked>
<select id=list><option>a<option id=chosen selected>b</select>
<div id=host></div><span id=listens>x</span><div style="cursor:pointer" id=hand><i id=inner>y</i></div>
<iframe id=frame src=/inner style="margin:40px;border:0"></iframe>
<script>
  host.attachShadow({mode: "closed"}).innerHTML = "<em id=shadow>in the shadow</em>";
  listens.addEventListener("click", () => 1); typed.value = "new"; typed.focus(); scrollTo(0, 30);
</script>"""


@pytest.fixture(scope="module")
def shown():
    with walking() as walk:
        walk.put("<button id=framed>framed</button>", "/inner")
        walk.open(PAGE)
        page = walk.browser.page
        yield page, SnapshotTree(dom_snapshot(page)).root()


def element(shown, name):
    return shown[1].xpath(f"//*[@id='{name}']")[0]


def test_it_is_written_and_read_again_as_it_is(shown):
    assert serialised(page_tree(serialised(shown[1]))) == serialised(shown[1])


def test_each_element_has_a_name_of_its_own_which_the_page_does_not_choose(shown):
    names = [each.get(ID) for each in shown[1].iter("*")]
    assert len(set(names)) == len(names)
    assert element(shown, "first").get(ID) != "1"
    assert element(shown, "first").get("bounding_box_rect") != "1,1,1,1"


def test_what_is_not_shown_has_no_box(shown):
    assert [box_of(element(shown, name)) is None for name in ("gone", "blank", "back", "first")] == [
        True,
        True,
        False,
        False,
    ]
    assert element(shown, "chosen") in seen_elements(shown[1])


def test_text_is_there_and_scripts_and_comments_say_nothing(shown):
    assert "".join(element(shown, "first").itertext()) == "Grüße in 東京"
    assert "var code" not in serialised(shown[1])
    assert "hidden -->" not in serialised(shown[1])


def test_what_controls_hold_is_there_but_for_passwords(shown):
    assert element(shown, "typed").get("input_value") == "new"
    assert element(shown, "secret").get("input_value") is None
    assert element(shown, "ticked").get("input_checked") == "true"
    assert element(shown, "chosen").get("option_selected") == "true"


def test_what_takes_presses_is_marked(shown):
    marked = [element(shown, name).get("is_clickable") for name in ("listens", "hand", "inner", "first")]
    assert marked == ["true", "true", None, None]


def test_shadow_roots_and_frames_stand_in_their_elements(shown):
    assert element(shown, "shadow").getparent() is element(shown, "host")
    assert element(shown, "framed").getroottree().getroot() is shown[1]
    frame, framed = box_of(element(shown, "frame")), box_of(element(shown, "framed"))
    assert framed[0] > frame[0]
    assert framed[1] > frame[1]


def test_an_element_of_an_observation_and_what_has_the_focus_are_found(shown):
    page, _ = shown
    number = page.remote("harness.pressables.refOf(document.getElementById('list'))")["value"]
    assert str(node_of(page, number)) == element(shown, "list").get(ID)
    assert str(node_of(page, None)) == element(shown, "typed").get(ID)
    assert node_of(page, 99_999) == 0


def test_a_page_as_one_file(shown):
    assert b"multipart/related" in as_mhtml(shown[0])
