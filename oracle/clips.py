"""Clips that have to be played to their end before questions open, and questions that open by themselves."""

from __future__ import annotations

from harness.browser.launch import in_page_script
from oracle.form import Form

MAX_CLIPS = 20
"""Clips of one page that are played."""
LONGEST_CLIP_SECONDS = 240.0
"""A clip that is longer is not played: the time of the page would be over."""
PATIENCE_SECONDS = 30.0
"""How long a disabled question is waited for, if nothing that was tried has opened it."""


def hear(form: Form, *, only_playing: bool = False) -> None:
    """Play the page's clips one after the other, and fill in what that opens, until nothing is sought any more.

    Args:
        form: The open page.
        only_playing: Whether to wait only for what the page itself has started.
    """
    form.probe.load(in_page_script("content"))
    for place, clip in enumerate(form.probe.look("content.clips")[:MAX_CLIPS], 1):
        is_short = (clip["seconds"] or 0.0) - clip["at"] <= LONGEST_CLIP_SECONDS
        begins = clip["hasControls"] and not only_playing and not clip["hasEnded"]
        if (clip["isPlaying"] or begins) and is_short and not clip["repeats"] and form.act.play_clip(place).ok:
            form.fill_what_appears()
            if not form.sought():
                return


def await_opening(form: Form) -> bool:
    """Wait for a field that is sought and disabled; whether one opened."""
    closed = [field.name for field in form.fields if field.visible and field.disabled and field.name in form.sought()]
    if not closed or not form.act.wait_until_enabled(closed[0], PATIENCE_SECONDS).ok:
        return False
    form.fill_what_appears()
    return True
