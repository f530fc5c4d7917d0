"""Mind2Web (Deng et al. 2023) among the papers."""

from __future__ import annotations

from harness.papers.paper import Paper

PAPER = Paper(
    "Mind2Web",
    "Deng et al., Mind2Web: Towards a Generalist Agent for the Web, NeurIPS 2023, arXiv 2306.06070",
    "https://arxiv.org/abs/2306.06070",
    __package__,
)
