"""All that the page of an episode says, ready to be put into its templates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from harness.episode.clock import FILMING, PHASES
from harness.kit.cut_texts import MOST_SHOWN, cut_texts
from harness.kit.text import UNKNOWN
from harness.records.episode import Episode
from harness.records.record_file import NotARun
from harness.reports.watch.episode_addresses import EpisodeAddresses, EpisodeLinks
from harness.reports.watch.episode_files import EpisodeFiles
from harness.reports.watch.episode_story import Story, story_of
from harness.reports.watch.explanation import EpisodeExplanation, explain
from harness.reports.watch.field_view import FieldView, field_view
from harness.reports.watch.judged_episode import JudgementView, judgements_of
from harness.reports.watch.request_view import RequestReader
from harness.reports.watch.scene_view import Facts, SceneView, SceneWriter, duration, tokens
from harness.reports.watch.site_marks import marks_of
from harness.reports.watch.site_view import SiteView, site_view
from harness.reports.wording import count, dollars, fraction
from harness.scoring.metrics import Profile
from harness.scoring.scored_kind import kind_of

_WORDS = {
    "scored": "scored",
    "limit": "ended by a limit",
    "agent_error": "the solver failed",
    "harness_error": "turkbench failed",
}
_LOOKS = {"limit": "warn", "agent_error": "bad", "harness_error": "bad"}


@dataclass(frozen=True)
class EpisodeView:
    """The page of an episode.

    Attributes:
        run: What the run is called.
        episode: The episode.
        outcome: How it ended, in words.
        look: How that is painted: ``warn``, ``bad`` or nothing.
        score: The score, and what the labels allow.
        floors: What others would have got.
        facts: What is known of the whole episode.
        remarks: What has to be known of it, in sentences.
        story: What happened.
        scenes: The same, as it is shown.
        scored: Fields with a score.
        unscored: Fields without one.
        sent: All that the form sent: name and values.
        judged: What judges of trajectories said of it.
        profile: The profile of the scores.
        links: Where the page leads.
        thumbnails: Whether small pictures may name addresses.
        site: What is said of a website; None of a form.
        markdown: Whether thoughts and replies are shown as their Markdown means them.
        cut: Whether a text is longer than what is shown of it.
        most_shown: Characters that are shown of a text.
    """

    run: str
    episode: Episode
    outcome: str
    look: str
    score: tuple[str, str]
    floors: Facts
    facts: Facts
    remarks: tuple[str, ...]
    story: Story
    scenes: tuple[SceneView, ...]
    scored: tuple[FieldView, ...]
    unscored: tuple[FieldView, ...]
    sent: tuple[tuple[str, tuple[str, ...]], ...]
    judged: tuple[JudgementView, ...]
    profile: str
    links: EpisodeLinks
    thumbnails: bool
    site: SiteView | None = None
    markdown: bool = False
    cut: bool = False
    most_shown: int = MOST_SHOWN


def episode_view(
    files: EpisodeFiles,
    episode: Episode,
    profile: Profile,
    *,
    run: str,
    addresses: EpisodeAddresses,
    links: EpisodeLinks,
    markdown: bool = False,
) -> EpisodeView:
    """Make the page of an episode. Scores are those of whole texts; what is shown of them has an end.

    Args:
        files: The run's.
        episode: The episode.
        profile: Of the scores.
        run: What the run is called.
        addresses: Of pictures and texts.
        links: Where the page leads.
        markdown: Whether thoughts and replies are shown as their Markdown means them.
    """
    story = _story(files, episode)
    writer = SceneWriter(addresses, RequestReader(files), marks_of(episode), markdown=markdown)
    explanation = explain(episode, profile)
    fields = [field_view(each) for each in explanation.fields]
    whole = EpisodeView(
        run=run,
        episode=episode,
        outcome=_outcome(episode),
        look=_LOOKS.get(episode.outcome, ""),
        score=(fraction(explanation.instance.score), fraction(explanation.instance.ceiling)),
        floors=_floors(explanation),
        facts=(*_facts(episode), *kind_of(episode).show(episode)),
        remarks=tuple(_remarks(episode)),
        story=story,
        scenes=tuple(map(writer.scene, story.scenes)),
        scored=tuple(field for field in fields if field.why.score),
        unscored=tuple(field for field in fields if not field.why.score),
        sent=tuple(episode.submission.values.items()) if episode.submission else (),
        judged=judgements_of(files.folder, episode.task, episode.index),
        profile=profile.name,
        links=links,
        thumbnails=addresses.thumbnails,
        site=site_view(episode),
        markdown=markdown,
    )
    cut = cut_texts(whole)
    return cut if cut is whole else replace(cut, cut=True)


def _outcome(episode: Episode) -> str:
    return kind_of(episode).unscored if episode.outcome == "unscored" else _WORDS[episode.outcome]


def _story(files: EpisodeFiles, episode: Episode) -> Story:
    try:
        return story_of(episode, files.film(episode))
    except NotARun as error:
        return story_of(episode, None, str(error))


def _floors(explanation: EpisodeExplanation) -> Facts:
    score = explanation.instance
    if score.score is None:
        return ()
    others = (("most frequent answers", score.constant), ("copying", score.copy))
    nothing = UNKNOWN if score.do_nothing is None else fraction(score.do_nothing)
    return ("doing nothing", nothing), *((name, fraction(value)) for name, value in others if value is not None)


def _facts(episode: Episode) -> Iterator[tuple[str, str]]:
    yield "id", episode.id
    if episode.answered_by == "workers":
        yield "answered by", "the workers themselves"
        return
    steps = episode.effort_in_steps
    yield "steps", UNKNOWN if steps is None else count(steps)
    if episode.turns or episode.lost_turns or episode.agent_report:
        yield "turns", count(len(episode.turns)) if not episode.agent_report else UNKNOWN
        yield "model", ", ".join(sorted(episode.served)) or UNKNOWN
        yield "tokens", tokens(episode.usage).removeprefix("tokens ")
        yield "cost", UNKNOWN if episode.cost is None else dollars(episode.cost)
    if episode.timing:
        yield "took", duration(sum(episode.timing.values()))
        phases = (
            f"{phase} {duration(episode.timing[phase])}" for phase in (*PHASES, FILMING) if phase in episode.timing
        )
        yield "of it", ", ".join(phases)
    if episode.attempts is not None and episode.attempts > 1:
        yield "attempts", count(episode.attempts)


def _remarks(episode: Episode) -> Iterator[str]:
    if episode.detail:
        yield episode.detail
    sent = episode.submission
    if sent and not sent.accepted and episode.answered_by == "solver":
        yield f"The page did not let the form through: {sent.blocked or 'it does not say why'}"
    if sent and sent.dialogs:
        yield f"The page said in dialogs: {' / '.join(sent.dialogs)}"
    if episode.unseen:
        yield "More was done on the page than the steps say."
    if episode.lost_turns is None:
        yield "What an attempt that came to nothing said to a model is not known."
    if episode.missing_media:
        yield f"A placeholder stood for media of the page: {', '.join(episode.missing_media)}"
    if episode.missing_assets:
        yield f"The page did not get: {', '.join(episode.missing_assets)}"
    if episode.script_errors:
        yield f"The page's own scripts failed: {' / '.join(episode.script_errors)}"
