from __future__ import annotations

import pytest

from harness.records.agent_name import WORDS, is_open, shut_in


@pytest.mark.parametrize("isolation", WORDS)
def test_how_a_program_was_shut_in_is_said_in_words(isolation):
    for option in ("command", "mcp_server"):
        assert shut_in({option: "agent"}, isolation) == WORDS[isolation]
    assert shut_in({"model": "gpt-4o"}, isolation) == ""


def test_what_is_not_known_to_be_shut_in_counts_as_open():
    options = {"command": "agent"}
    open_ones = [each for each in (*WORDS, "made up") if is_open(options, each)]
    assert open_ones == ["none", None, "made up"]
    assert not is_open({}, None)
