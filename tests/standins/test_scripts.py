"""AMT's helper functions, and the services that tell a page where its reader is."""

from __future__ import annotations

import json

import pytest

from harness.catalog.mirror.standins import PARTS, source
from harness.catalog.template.wrapping import wrap
from tests.conftest import Show
from tests.site import Shown

HIT = "<script src='/standin/externalHIT_v1.js'></script>"
NOWHERE = {"ip": "192.0.2.1", "country": "ZZ", "country_name": "Unknown", "city": "Unknown", "loc": "0,0"}


@pytest.mark.parametrize("name", sorted(PARTS))
def test_every_stand_in_has_a_text(name: str) -> None:
    assert source(name).strip()


# AMT's functions


def hit(show: Show, body: str) -> Shown:
    return show(whole=wrap(f"{HIT}<form action='/mturk/externalSubmit'>{body}</form>"))


def test_the_assignment_is_put_where_the_form_sends_it(show: Show) -> None:
    shown = hit(show, "<input name=a><input type=hidden name=assignmentId id=assignmentId value=''>")
    shown.page("void turkSetAssignmentID()")
    assert shown.sent()["assignmentId"] == ("",)
    shown = hit(show, "<input name=a>")
    shown.page("void turkSetAssignmentID()")
    assert shown.sent()["assignmentId"] == ("assignment",)
    shown = hit(show, "<input name=a>")
    shown.page("void turkSetAssignmentID('another')")
    assert shown.sent()["assignmentId"] == ("another",)


def test_the_form_keeps_its_address_and_its_button(show: Show) -> None:
    shown = hit(show, "<input name=a><input type=submit id=submitButton>")
    shown.page("void turkSetAssignmentID('ASSIGNMENT_ID_NOT_AVAILABLE')")
    assert shown.page("document.forms[0].getAttribute('action')") == "/mturk/externalSubmit"
    assert shown.page("document.getElementById('submitButton').disabled") is False


def test_parameters_come_from_the_address_else_from_the_page_else_are_the_default(show: Show) -> None:
    shown = hit(show, "<input name=a>")
    shown.page("void history.replaceState(null, '', '?x=a+b%20c&assignmentId=from-address')")
    asked = "['x', 'assignmentId', 'workerId', 'none'].map((name) => turkGetParam(name))"
    assert shown.page(asked) == ["a b c", "from-address", "worker", ""]
    assert shown.page("turkGetParam('none', 'default')") == "default"


def test_answers_go_to_the_host_of_the_page(show: Show) -> None:
    shown = hit(show, "<input name=a>")
    assert shown.page("turkGetSubmitToHost() === location.origin") is True


# Where the reader is


def test_a_service_that_sets_variables_says_nowhere(show: Show) -> None:
    shown = show(
        "<input name=country><input name=ip><script"
        " src='/standin/geolocation.js?after=-1&variables=GeobytesCountry'></script>"
        "<script>document.mturk_form.country.value = sGeobytesCountry; document.mturk_form.ip.value ="
        " sGeobytesIpAddress;</script>"
    )
    assert shown.sent() == {"country": ("Unknown",), "ip": ("192.0.2.1",)}


def test_a_service_with_functions_says_nowhere(show: Show) -> None:
    shown = show("<script src='/standin/geolocation.js'></script>")
    assert shown.page("[geoip_country_code(), geoplugin_countryName(), google.loader.ClientLocation.address.city]") == [
        "ZZ",
        "Unknown",
        "Unknown",
    ]


@pytest.mark.parametrize(("key", "function"), [("callback", "got"), ("jsonp", "got"), ("callback", "in.deep.got")])
def test_a_service_calls_the_function_that_its_address_names(show: Show, key: str, function: str) -> None:
    shown = show(
        "<script>window.got = (answer) => { heard = answer; }; window.in = { deep: { got } };</script>"
        f"<script src='/standin/geolocation.js?format=jsonp&{key}={function}'></script>"
    )
    heard = shown.page("heard")
    assert {name: heard[name] for name in NOWHERE} == NOWHERE
    assert shown.page("typeof sGeobytesCountry") == "undefined"


@pytest.mark.parametrize("function", ["missing", "missing.deep", "alert(1)//", ""])
def test_a_service_whose_function_is_not_there_calls_nothing(show: Show, function: str) -> None:
    shown = show(
        "<script>errors = []; addEventListener('error', (event) => errors.push(event.message));</script>"
        f"<script src='/standin/geolocation.js?callback={function}'></script><input name=a>"
    )
    assert shown.page("errors") == []
    assert shown.submit().dialogs == ()


def test_script_and_json_give_the_same_answer(show: Show) -> None:
    shown = show(
        "<script>got = (answer) => { heard = answer; };</script><script"
        " src='/standin/geolocation.js?callback=got'></script>"
    )
    assert shown.page("heard") == json.loads(source("geolocation.json"))
    assert source("geolocation.txt").decode().strip() == shown.page("heard.ip")
