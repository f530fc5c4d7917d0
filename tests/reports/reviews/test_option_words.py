from __future__ import annotations

from harness.reports.reviews.option_words import option_words

PAGE = """<label><input type=radio name=a value=1> Very  <b>good</b></label>
<input type=radio name=a value=2 id=two><label for=two>Bad</label><input type=radio name=a value=3>
<input type=checkbox name=c><select name=s><option value=x>The x</option><option>y</option></select>
<input type=text name=t value=9><p name=a>no control</p>"""


def test_the_words_beside_options_are_those_of_their_labels():
    assert option_words(PAGE, "a") == {"1": "Very good", "2": "Bad", "3": ""}
    assert option_words(PAGE, "c") == {"on": ""}
    assert option_words(PAGE, "s") == {"x": "The x", "y": "y"}


def test_what_has_no_options_has_no_words():
    assert option_words(PAGE, "t") == option_words(PAGE, "none") == option_words("", "a") == {}
