"""Demonstrations made by hand for tests."""

from __future__ import annotations

import json
from typing import Any

from harness.papers.mind2web.demonstrations.demonstration import (
    Candidate,
    DemonstratedStep,
    Demonstration,
    DoneOperation,
)

PAGE = (
    '<html backend_node_id="1"><body backend_node_id="2"><button id="go" backend_node_id="3">Go</button>'
    '<a href="/x" backend_node_id="4">Elsewhere</a></body></html>'
)


def a_demonstration(
    number: int = 1, *, steps: int = 2, website: str = "shop", domain: str = "Shopping"
) -> Demonstration:
    """A demonstration of presses."""
    return Demonstration(
        annotation_id=f"task-{number}",
        website=website,
        domain=domain,
        subdomain="General",
        confirmed_task=f"Press {number} times",
        action_reprs=("[button]  Go -> CLICK",) * steps,
        steps=tuple(
            DemonstratedStep(
                action_uid=f"task-{number}-{step}",
                raw_html=PAGE,
                cleaned_html=PAGE,
                operation=DoneOperation(op="CLICK", original_op="CLICK"),
                positives=(
                    Candidate(
                        backend_node_id="3",
                        tag="button",
                        attributes={"id": "go", "backend_node_id": "3", "bounding_box_rect": "0,0,40,20"},
                        is_original_target=True,
                        is_top_level_target=True,
                    ),
                ),
                negatives=(Candidate(backend_node_id="4", tag="a", attributes={"href": "/x"}),),
            )
            for step in range(steps)
        ),
    )


def a_public_step(**other: Any) -> dict[str, Any]:
    """A step as the public files have it."""
    return {
        "action_uid": "3b1f",
        "raw_html": PAGE,
        "cleaned_html": PAGE,
        "operation": {"op": "CLICK", "original_op": "CLICK", "value": ""},
        "pos_candidates": [a_public_candidate()],
        "neg_candidates": [
            {"tag": "a", "attributes": json.dumps({"backend_node_id": "4", "class": "x"}), "backend_node_id": "4"}
        ],
        **other,
    }


def a_public_candidate(**other: Any) -> dict[str, Any]:
    """An acceptable element as the public files have it."""
    return {
        "tag": "button",
        "attributes": json.dumps({"backend_node_id": "3", "bounding_box_rect": "110,607.5,264,78", "id": "go"}),
        "is_original_target": True,
        "is_top_level_target": True,
        "backend_node_id": "3",
        **other,
    }


def a_public_demonstration(*steps: dict[str, Any], **other: Any) -> dict[str, Any]:
    """A demonstration as the public files have it."""
    return {
        "website": "exampleair",
        "domain": "Travel",
        "subdomain": "Airlines",
        "annotation_id": "0f5c",
        "confirmed_task": "Press it",
        "action_reprs": ["[button]  Go -> CLICK"] * len(steps),
        "actions": list(steps),
        **other,
    }


def oddities() -> dict[str, Any]:
    """Every field of the public format, and every oddity of its files."""
    steps = [
        a_public_step(),
        a_public_step(pos_candidates=[], neg_candidates=[]),
        a_public_step(operation={"op": "CLICK", "original_op": "HOVER", "value": ""}),
        a_public_step(operation={"op": "CLICK", "original_op": "ENTER", "value": ""}),
        a_public_step(operation={"op": "TYPE", "original_op": "TYPE", "value": "Zürich – 東京 🛫"}),
        a_public_step(
            operation={"op": "SELECT", "original_op": "SELECT", "value": "2"},
            pos_candidates=[
                a_public_candidate(),
                a_public_candidate(tag="span", backend_node_id="5", is_original_target=False),
            ],
        ),
        a_public_step(raw_html=f"<html>{'<p>Grüße, 世界</p>' * 100_000}</html>"),
        a_public_step(pos_candidates=[a_public_candidate(backend_node_id=3, score=0.5, attributes="{}", rank=None)]),
        a_public_step(screenshot="s1.png", operation={"op": "CLICK", "original_op": "CLICK", "value": "", "x": 1}),
    ]
    return a_public_demonstration(*steps, confirmed_task="Fliege nach 東京", extra={"kept": [1, None]})
