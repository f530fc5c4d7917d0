from harness.kit.text import close_names, closest_name, did_you_mean


def test_close_names_are_found_by_spelling_whatever_the_case() -> None:
    assert close_names("gaol feasibility", ["Story", "Goal feasibility"]) == "'Goal feasibility'"


def test_close_names_are_found_by_a_part_of_the_name() -> None:
    assert close_names("reviews", ["Sentiment of customer reviews", "Story"]) == "'Sentiment of customer reviews'"


def test_nothing_is_suggested_where_nothing_is_close() -> None:
    assert close_names("xyz", ["Story"]) == ""
    assert close_names("", ["Story"]) == ""


def test_the_closest_name_is_asked_after() -> None:
    assert did_you_mean("oracel", ["constant", "oracle"]) == " Did you mean 'oracle'?"
    assert did_you_mean("xyz", ["constant", "oracle"]) == ""


def test_how_alike_a_name_must_be_can_be_chosen() -> None:
    assert closest_name("abcd", ["abxy"], cutoff=0.5) == "abxy"
    assert closest_name("abcd", ["abxy"], cutoff=0.6) is None
