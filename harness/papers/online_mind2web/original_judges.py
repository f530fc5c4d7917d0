"""WebJudge and its rivals in the words of the paper's repository, which a user took from there."""

from __future__ import annotations

from dataclasses import replace

from harness.papers.wording.original_words import OriginalWords
from harness.scoring.judges.judge_requests import JUDGE_WORDS
from harness.scoring.judges.trajectory_judges import AGENTTREK, AUTONOMOUS, WEBVOYAGER, WebJudge

_ORIGINAL = OriginalWords("online-mind2web", JUDGE_WORDS)
WEBJUDGE_ORIGINAL = WebJudge("webjudge-original", words=_ORIGINAL)
AUTONOMOUS_ORIGINAL = replace(AUTONOMOUS, name="autonomous-original", words=_ORIGINAL)
AGENTTREK_ORIGINAL = replace(AGENTTREK, name="agenttrek-original", words=_ORIGINAL)
WEBVOYAGER_ORIGINAL = replace(WEBVOYAGER, name="webvoyager-original", words=_ORIGINAL)
