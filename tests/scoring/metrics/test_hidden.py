"""Libraries are imported without what they do not need."""

from __future__ import annotations

import subprocess
import sys

import pytest

from harness.scoring.metrics.english import hidden

PROBE = """
import sys
import harness.scoring.metrics
print(sorted({"scipy", "sklearn", "pandas"} & set(sys.modules)))
"""


def test_the_metrics_draw_in_no_statistics():
    made = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, text=True, check=True)
    assert made.stdout.strip() == "[]"


def test_what_is_hidden_cannot_be_imported_and_is_back_afterwards(tmp_path, monkeypatch):
    (tmp_path / "spare_part.py").write_text("value = 1\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    with hidden("spare_part"), pytest.raises(ImportError):
        import spare_part  # noqa: F401
    import spare_part as found

    assert found.value == 1
    with hidden("spare_part"):
        import spare_part as again
    assert again is found
    with hidden("what_nobody_installed"):
        del sys.modules["what_nobody_installed"]
    del sys.modules["spare_part"]  # monkeypatch would put it back at the end of the test
