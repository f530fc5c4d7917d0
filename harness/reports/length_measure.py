"""How long a page was as a model was shown it, read from the requests that a run kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from harness.analysis.length_effect import PageLengths
from harness.kit.options import view
from harness.models.asking_options import Asking
from harness.models.call_options import ModelChoice
from harness.models.tokens.counting import tokens_for
from harness.records.directory import RunDirectory
from harness.records.run_record import RunRecord
from harness.records.texts import REFERENCE, read_text
from harness.records.turn import Turn
from harness.scoring.scores import InstanceScore

MOST_REQUESTS = 5
"""Of an episode, that are looked at: where each field is asked about by itself, the first ones stand for all."""
ASKED_NONE = "asked no model"
NOT_KEPT = "the request was not kept"
NO_TEXT = "shown as a picture alone"


class LengthMeasure:
    """Looks at the episodes of a run, see ``harness.analysis.episode_pass.Visitor``, and counts what was sent of pages.

    The length of an instance is that of the last message of a request that opens a conversation: the page with what is
    asked about it, without rules and demonstrations. Of several such requests, as of protocol ``field``, it is the mean
    over the first ``MOST_REQUESTS``. Pictures do not count.
    """

    def __init__(self, run: RunDirectory, record: RunRecord) -> None:
        """Prepare.

        Args:
            run: The run.
            record: Its ``run.json``, which says how its model was asked.
        """
        options = record.config.options
        self._texts = run.texts
        self._tokens = tokens_for(str(view(ModelChoice, options).model or ""), str(record.solver.get("provider") or ""))
        asked = view(Asking, options)
        self._by_form = asked.protocol == "form"
        self._no_text = asked.encoding == "none"
        self._of_text: dict[str, int] = {}
        self._known: dict[tuple[str, str], float] = {}
        self._unknown: dict[tuple[str, str], str] = {}

    def see(self, score: InstanceScore) -> None:
        """Look at one."""
        episode = score.episode
        key = (episode.task, episode.id)
        if not episode.turns:
            self._unknown[key] = ASKED_NONE
        elif self._no_text:
            self._unknown[key] = NO_TEXT
        else:
            try:
                lengths = list(islice(self._lengths(episode.turns), MOST_REQUESTS))
            except (OSError, ValueError, LookupError, TypeError):  # other people's files
                lengths = []
            if lengths:
                self._known[key] = sum(lengths) / len(lengths)
            else:
                self._unknown[key] = NOT_KEPT

    def merge(self, other: LengthMeasure) -> None:
        """Take in what another has seen."""
        self._known |= other._known
        self._unknown |= other._unknown

    def found(self) -> PageLengths | None:
        """All lengths; None if not one is known."""
        return PageLengths(self._known, self._unknown, self._tokens.name) if self._known else None

    def _lengths(self, turns: Sequence[Turn]) -> Iterator[int]:
        before: list[Any] = []
        for turn in turns[:1] if self._by_form else turns:
            messages = read_text(self._texts, turn.sent)["messages"]
            # What goes on with the request before it says nothing new of the page.
            if (not before or messages[: len(before)] != before) and (length := self._length(messages)):
                yield length
            before = messages

    def _length(self, messages: Sequence[Any]) -> int:
        last = [message for message in messages if message["role"] == "user"][-1]
        return sum(self._count(part["text"]) for part in last["parts"] if part["type"] == "text")

    def _count(self, text: Any) -> int:
        if isinstance(text, str):
            return self._tokens.text(text)
        name = text[REFERENCE]
        if name not in self._of_text:
            self._of_text[name] = self._tokens.text(str(read_text(self._texts, name)))
        return self._of_text[name]
