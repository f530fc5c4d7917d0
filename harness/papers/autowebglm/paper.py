"""AutoWebGLM (Lai et al. 2024) among the papers."""

from __future__ import annotations

from harness.papers.paper import Paper

PAPER = Paper(
    "AutoWebGLM",
    "Lai et al., AutoWebGLM: Bootstrap And Reinforce A Large Language Model-based Web Navigating Agent, KDD 2024, "
    "arXiv 2404.03648",
    "https://arxiv.org/abs/2404.03648",
    __package__,
)
