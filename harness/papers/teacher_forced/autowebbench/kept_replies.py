"""What was written about one recorded step, and what it is worth, as a line of ``predictions.jsonl``."""

from __future__ import annotations

from dataclasses import dataclass

from harness.kit.files.codec import Count
from harness.papers.teacher_forced.autowebbench.command_score import CommandScore, ScriptScore


@dataclass(frozen=True, kw_only=True)
class KeptReply:
    """A reply with its scores.

    Attributes:
        split: The split of the step.
        step: Which of all steps that are asked, from 0.
        order: Which of the seeds, from 0.
        type: The function of the first label: ``click``.
        reply: What was written, whole.
        problem: Why there is no command in it; empty if there is one. What stands before the colon is the kind.
        score: By the paper's measures.
        script: As the public script reckons.
    """

    split: str
    step: Count
    order: Count
    type: str
    reply: str
    problem: str = ""
    score: CommandScore
    script: ScriptScore

    @property
    def place(self) -> tuple[str, int, int]:
        """Split, step and order."""
        return self.split, self.step, self.order

    @property
    def success(self) -> bool:
        """Whether the step succeeds by the paper's measures."""
        return self.score.success
