from harness.kit.text import few, shorten


def test_what_fits_is_left_alone():
    assert shorten("four", 4) == "four"


def test_what_is_too_long_ends_in_an_ellipsis_and_has_the_length_that_was_asked_for():
    assert shorten("fives", 4) == "fiv…"


def test_a_long_list_keeps_its_first_words():
    assert few(["a", "b", "c"]) == "a, b, c"
    assert few(iter("abcd")) == "a, b, c and more"
    assert few([]) == ""
