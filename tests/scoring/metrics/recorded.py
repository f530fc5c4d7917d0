"""The runs that TurkingBench has recorded."""

from __future__ import annotations

from tests.checkout import TURKINGBENCH

DATA = TURKINGBENCH

FILES = sorted(DATA.glob("recorded/*.jsonl"))
