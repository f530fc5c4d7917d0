"""The community board's pages: what can be done on them, what is refused, and that they are sound HTML."""

from __future__ import annotations

import re

import lxml.html
import pytest

from tests.sites.visits import visit
from turkle_app.sites.board.state import MOST_DEEDS
from turkle_app.sites.board.world import world

ALMOST = {"title": "A title for it", "kind": "notes", "tags": "One, two, one", "seen_by": "everyone"}
MODERATOR_1 = {"forum": "bread", "hours": "3", "times": ["evening"]}
EVENT_1 = {"title": "A bread day", "forum": "bread", "text": "We bake, we wait, we eat, all day long."}
EVENT_2 = {"day": "2031-08-02", "starts": "09:00", "ends": "11:00", "town": "Oxwick", "place": "Mill"}


@pytest.fixture
def board():
    with visit("board") as begun:
        yield begun


def tree(response):
    return lxml.html.fromstring(response.content.decode())


def words(response, selector):
    return [" ".join(one.text_content().split()) for one in tree(response).cssselect(selector)]


def authors_of_hits(board, **asked):
    return words(board.client.get("/search/", asked), ".hits .fine a[href^='/member/']")


def test_a_board_has_forty_members_and_a_hundred_and_fifty_threads_and_is_the_same_for_a_seed():
    one, other = world(1), world(2)
    assert len(one.members) >= 40
    assert len(one.threads) >= 150
    assert len({thread.title for thread in one.threads.values()}) > 150
    assert one == world.__wrapped__(1)
    assert one.threads[2001] != other.threads[2001]
    assert one.threads[1003].title == other.threads[1003].title


def test_what_is_written_is_shown_as_text(board):
    board.client.post("/thread/1003/reply/", {"text": "<script>alert(1)</script> & co"})
    page = board.client.get("/thread/1003/").content.decode()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; co" in page


def test_a_second_vote_takes_the_first_one_back_and_the_other_one_replaces_it(board):
    def vote(what):
        board.client.post("/post/100302/vote/", {"vote": what})
        return board.told["votes"], words(board.client.get("/thread/1003/"), "#p100302 .votes")

    assert vote("up") == ({"100302": 1}, ["15"])
    assert vote("up") == ({}, ["14"])
    assert vote("down") == ({"100302": -1}, ["13"])
    assert vote("up") == ({"100302": 1}, ["15"])


def test_nobody_votes_for_their_own_post_or_edits_that_of_others(board):
    assert board.client.post("/post/100902/vote/", {"vote": "up"}).status_code == 404
    assert board.client.get("/post/100901/edit/").status_code == 404
    assert board.client.post("/post/100901/edit/", {"text": "Not mine"}).status_code == 404
    assert (board.told["votes"], board.told["edited"]) == ({}, {})


def test_an_empty_reply_is_refused_and_keeps_the_quote(board):
    response = board.client.post("/thread/1003/reply/", {"text": "  ", "quote": "100302"})
    assert response.status_code == 422
    assert words(response, "#reply-error") == ["Please fill this in."]
    assert tree(response).cssselect("#reply-form input[name=quote][value='100302']")
    assert board.told["posts"] == []


def test_a_reply_on_a_later_page_is_shown_there(board):
    numbers = [one.id for one in world(0).threads.values() if len(one.posts) > 20]
    response = board.client.post(f"/thread/{numbers[0]}/reply/", {"text": "Late, but here."})
    assert re.search(r"\?page=[3-9]#p\d+$", response["Location"])
    assert b"Late, but here." in board.client.get(response["Location"]).content


def test_a_deleted_reply_is_gone_and_an_opening_stays(board):
    board.client.post("/post/100902/edit/", {"go": "delete"})
    assert board.client.get("/post/100902/").status_code == 404
    assert board.told["deleted"] == [100902]
    made = board.client.post("/forum/bread/new/", {"title": "An opening", "text": "That is long enough, surely."})
    assert made["Location"] == "/thread/9001/"
    board.client.post("/post/900101/edit/", {"go": "delete", "text": "Still here after all."})
    assert board.told["threads"][0]["text"] == "Still here after all."


def test_search_narrows_by_author_forum_and_age_and_sorts_by_votes_and_date(board):
    assert set(authors_of_hits(board, q="blight", author="marsh_wren")) == {"Marsh Wren"}
    assert set(authors_of_hits(board, author="Marsh Wren")) == {"Marsh Wren"}
    found = board.client.get("/search/", {"q": "blight", "forum": "vegetables", "sort": "votes"})
    votes = [int(re.search(r"(-?\d+) votes?$", line)[1]) for line in words(found, ".hits .fine")]
    assert votes[:2] == [38, 31]
    assert votes == sorted(votes, reverse=True)
    titles = words(board.client.get("/search/", {"q": "blight", "sort": "old"}), ".hits .row-title")
    newest = words(board.client.get("/search/", {"q": "blight", "sort": "new"}), ".hits .row-title")
    assert titles[0] != newest[0]
    recent = board.client.get("/search/", {"q": "blight", "age": "30", "in": "titles"})
    assert words(recent, ".hits .row-title") == ["Blight again, second year running"]


def test_search_tells_of_an_author_who_is_not_there_and_asks_for_words_when_there_are_none(board):
    assert "nobody_here" in words(board.client.get("/search/", {"q": "x", "author": "nobody_here"}), "[role=alert]")[0]
    assert words(board.client.get("/search/"), ".hits li") == []


@pytest.mark.parametrize("number", ["0", "-1", "x", "99999999", "²"])
def test_a_page_number_that_is_none_is_not_found(board, number):
    assert board.client.get("/forum/bread/", {"page": number}).status_code == 404


def test_a_page_beyond_the_last_is_the_last(board):
    assert words(board.client.get("/forum/bread/?page=77"), ".pages [aria-current]") == ["2"]


def test_a_form_over_three_pages_goes_on_only_with_what_is_right(board):
    assert board.client.get("/apply/moderator/3/")["Location"] == "/apply/moderator/1/"
    wrong = board.client.post("/apply/moderator/1/", {**MODERATOR_1, "hours": "99", "go": "next"})
    assert wrong.status_code == 422
    assert words(wrong, ".error") == ["Please write a number from 1 to 20."]
    assert board.client.post("/apply/moderator/1/", {**MODERATOR_1, "go": "next"})["Location"] == "/apply/moderator/2/"
    short = board.client.post("/apply/moderator/2/", {"why": "Why not?", "first": "write", "go": "next"})
    assert "at least 60 characters" in words(short, ".error")[0]
    assert board.told["applications"] == []


def test_going_back_in_a_form_keeps_what_was_entered_though_it_is_wrong(board):
    board.client.post("/apply/moderator/1/", {**MODERATOR_1, "go": "next"})
    back = board.client.post("/apply/moderator/2/", {"why": "Why not?", "go": "back"})
    assert back["Location"] == "/apply/moderator/1/"
    page = tree(board.client.get("/apply/moderator/1/"))
    assert page.cssselect("#f-forum option[selected]")[0].get("value") == "bread"
    assert page.cssselect("#f-hours")[0].value == "3"
    assert [one.get("value") for one in page.cssselect("input[name=times][checked]")] == ["evening"]
    board.client.post("/apply/moderator/1/", {**MODERATOR_1, "go": "next"})
    assert tree(board.client.get("/apply/moderator/2/")).cssselect("#f-why")[0].text.strip() == "Why not?"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"day": "2031-02-30"}, "Please write a day as 2031-06-14."),
        ({"day": "14.6.2031"}, "Please write a day as 2031-06-14."),
        ({"day": "2031-03-31"}, "Please choose a day that is still to come."),
        ({"starts": "25:00"}, "Please write a time as 18:30."),
        ({"ends": "09:00"}, "It has to end after it begins."),
        ({"town": "Nowhere"}, "Please choose one of the list."),
        ({"place": ""}, "Please fill this in."),
    ],
)
def test_the_day_the_times_and_the_place_of_an_event_are_checked(board, change, said):
    board.client.post("/apply/event/1/", {**EVENT_1, "go": "next"})
    assert words(board.client.post("/apply/event/2/", {**EVENT_2, **change, "go": "next"}), ".error") == [said]


def test_an_event_that_is_sent_is_on_the_board(board):
    for page, answers in ((1, EVENT_1), (2, EVENT_2), (3, {"seats": "12", "open_to": "everyone"})):
        response = board.client.post(f"/apply/event/{page}/", {**answers, "go": "next"})
    assert response["Location"] == "/events/9001/"
    assert "A bread day" in words(board.client.get("/events/"), ".tiles a")
    assert board.told["drafts"] == {}


def test_a_text_is_published_from_its_preview_and_not_before(board):
    text = "First line\n  second, indented\n\nlast"
    shown = board.client.post("/texts/new/", {**ALMOST, "text": text, "go": "preview"})
    assert [one.text for one in tree(shown).cssselect(".lines li")] == [
        "First line",
        "  second, indented",
        None,
        "last",
    ]
    assert board.told["texts"] == []
    form = {
        one.get("name"): one.get("value") or one.text.lstrip("\n")
        for one in tree(shown).cssselect("form[method=post] [name]:not(button)")
    }
    edited = board.client.post("/texts/new/", {**form, "go": "edit"})
    assert tree(edited).cssselect("#paste-box")[0].value.strip("\n") == text
    assert board.client.post("/texts/new/", {**form, "go": "publish"})["Location"] == "/texts/9001/"
    assert board.told["texts"] == [
        {"title": "A title for it", "kind": "notes", "text": text, "seen_by": "everyone", "tags": ["one", "two"]}
    ]


def test_a_message_goes_only_to_a_member_who_is_there(board):
    letter = {"to": "nobody_here", "subject": "Hello", "text": "Are you there?"}
    assert words(board.client.post("/messages/new/", letter), ".error") == ["There is no member of that name."]
    assert words(board.client.post("/messages/new/", {**letter, "to": "hazel_reed"}), ".error") == ["That is you."]
    board.client.post("/messages/new/", {**letter, "to": "oak_gall"})
    assert [one["to"] for one in board.told["messages"]["sent"]] == ["oak_gall"]


def test_a_message_is_unread_until_it_is_opened_and_can_be_archived(board):
    assert len(words(board.client.get("/messages/"), ".unread a[href='/messages/501/']")) == 1
    board.client.get("/messages/501/")
    assert words(board.client.get("/messages/"), ".unread a[href='/messages/501/']") == []
    board.client.post("/messages/501/")
    assert words(board.client.get("/messages/"), "a[href='/messages/501/']") == []
    assert words(board.client.get("/messages/?folder=archive"), "a[href='/messages/501/']") == ["When does it start?"]
    assert board.told["messages"] == {"sent": [], "read": [501], "archived": [501]}


def test_messages_of_a_blocked_member_are_kept_away(board):
    board.client.post("/member/bargain_barrel/block/", {"wanted": "yes"})
    assert board.told["blocked"] == ["bargain_barrel"]
    assert board.client.get("/messages/502/").status_code == 404


def test_a_hidden_post_is_gone_and_comes_back_when_the_decision_is_undone(board):
    board.client.post("/moderation/71/", {"decision": "hide"})
    assert b"Chains! Cassettes!" not in board.client.get("/thread/1022/").content
    board.client.post("/moderation/71/", {"decision": "undo"})
    assert b"Chains! Cassettes!" in board.client.get("/thread/1022/").content
    assert board.told["moderation"] == {}


def test_a_warning_without_a_note_is_no_decision(board):
    response = board.client.post("/moderation/72/", {"decision": "warn"}, follow=True)
    assert "a warning says what for" in words(response, ".notice")[0]
    assert board.told["moderation"] == {}


def test_settings_that_are_wrong_are_refused_and_shown_again(board):
    response = board.client.post("/settings/profile/", {"shown": "HR", "about": "New words"})
    assert response.status_code == 422
    assert "at least 3 characters" in words(response, "#panel-profile .error")[0]
    assert words(response, "#f-about") == ["New words"]
    assert board.told["settings"]["profile"]["shown"] == "Hazel Reed"


def test_the_matrix_holds_just_what_is_ticked(board):
    board.client.post("/settings/notifications/", {"vote:digest": "yes", "nothing:board": "yes"})
    rows = board.told["settings"]["notifications"]
    assert [(row, channel) for row, cells in rows.items() for channel, on in cells.items() if on] == [
        ("vote", "digest")
    ]


def test_the_look_follows_the_settings(board):
    board.client.post("/settings/appearance/", {"theme": "dark", "per_page": "50"})
    page = tree(board.client.get("/thread/1003/"))
    assert page.get("data-theme") == "dark"
    assert page.cssselect(".signature") == []


@pytest.mark.parametrize("back", ["//elsewhere.test/", "/\\elsewhere.test/", "http://elsewhere.test/"])
def test_a_form_cannot_lead_to_another_site(board, back):
    assert board.client.post("/follow/forums/bread/", {"wanted": "yes", "back": back})["Location"] == "/"


def test_the_longest_thread_has_room_for_all_that_may_be_written():
    longest = max(len(thread.posts) for seed in range(20) for thread in world(seed).threads.values())
    assert longest + MOST_DEEDS < 100


def test_who_has_written_enough_is_told_so_and_keeps_what_was_there(board):
    for number in range(MOST_DEEDS):
        board.client.post("/thread/1003/reply/", {"text": f"Number {number}"})
    response = board.client.post("/thread/1003/reply/", {"text": "One more"})
    assert response.status_code == 403
    assert words(response, "h1") == ["Enough for today"]
    assert len(board.told["posts"]) == MOST_DEEDS
