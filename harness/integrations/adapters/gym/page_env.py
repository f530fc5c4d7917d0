"""A page as an environment of Gymnasium: an episode is one instance, from the open page to the submitted form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from harness.catalog.kinds import KindName
from harness.integrations.adapters.gym.spaces import LONGEST_ACTION, LONGEST_PAGE, PICTURE, AnyText, Choices, pixels
from harness.integrations.adapters.stage.messages import Acted, Opened
from harness.integrations.adapters.stage.stage import Stage
from harness.integrations.adapters.stage.stage_config import stage_config
from harness.kit.files.codec import plain
from harness.kit.text import shorten

Shown = Literal["text", "picture", "choices"]
Reward = Literal["submission", "field"]
NO_CHOICE = "There is no such option on the page now."
MORE_STEPS = 1_000
"""Actions that the episode itself allows beyond the environment's steps, which end it first."""


class PageEnv(gymnasium.Env):
    """One task's pages, or those of all tasks of a split. docs/how-to/other-frameworks.md tells spaces, rewards."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 1}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        kind: KindName = "form",
        task: str | None = None,
        split: str | None = None,
        *,
        observation: Sequence[Shown] = ("text",),
        encoding: str = "simplified",
        actions: Literal["text", "choices"] = "text",
        reward: Reward = "submission",
        max_steps: int = 100,
        max_fields: int = 16,
        max_options: int = 16,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        """Prepare; browser and server start at the first ``reset``.

        Args:
            kind: Of the tasks.
            task: Only this task; None for all.
            split: Only tasks of this split; None for all.
            observation: What is observed: the page's text, what the screen shows, fields and options by number.
            encoding: How the text is written (docs/reference/encodings.md).
            actions: How actions are given: as text, or as field and option by number.
            reward: ``submission``: the score, with the last step. ``field``: by how much each step has changed what
                the form as it stands would score, and the rest with the last step; both add up to the score.
            max_steps: After so many the form is submitted as it stands, and the episode is truncated.
            max_fields: As of ``Choices``.
            max_options: As of ``Choices``.
            render_mode: ``rgb_array``: ``render`` gives what the screen shows.
            settings: Further arguments of ``harness.integrations.adapters.stage.stage_config.stage_config``, such as
                ``headed``.

        Raises:
            ValueError: what was asked for does not go together.
        """
        if kind == "site" and ("choices" in (*observation, actions) or reward == "field"):
            raise ValueError("choices and a reward by field are of forms: a website has actions as text, and one score")
        self.render_mode = render_mode
        self._observation = tuple(observation)
        self._encoding = encoding
        self._is_text = actions == "text"
        self._by_field = reward == "field"
        self._max_steps = max_steps
        self._choices = Choices(max_fields, max_options)
        config = stage_config("gymnasium", kind, task=task, split=split, max_steps=max_steps + MORE_STEPS, **settings)
        self._stage = Stage(config, tell_worth=self._by_field)
        self._instances: list[tuple[str, int]] | None = None
        self._page: Opened | None = None
        known: dict[Shown, spaces.Space[Any]] = {
            "text": AnyText(LONGEST_PAGE),
            "picture": PICTURE,
            "choices": self._choices.observation_space,
        }
        self.observation_space = spaces.Dict({name: known[name] for name in self._observation})
        self.action_space = AnyText(LONGEST_ACTION) if self._is_text else self._choices.action_space

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Open an instance: one that is drawn by the seed, or that of ``options={"task": ..., "row": ...}``.

        Raises:
            NotStaged, StageGone: it cannot be opened.
        """
        super().reset(seed=seed)
        if self._instances is None:
            self._instances = [(task, row) for task, rows in self._stage.instances().items() for row in rows]
        task, row = self._instances[self.np_random.integers(len(self._instances))]
        task, row = (options or {}).get("task", task), (options or {}).get("row", row)
        self._instance = {"task": task, "row": row}
        self._page = self._stage.open(task, row)
        self._steps = 0
        self._seen = self._stage.look()
        self._worth = self._seen.worth or 0.0
        self._rewarded = 0.0
        return self._observed(), self._told()

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Act on the page.

        Args:
            action: Of the action space. One that cannot be done changes nothing, and ``info["message"]`` says why.

        Raises:
            NotStaged, StageGone: the browser was lost; ``reset`` begins anew.
        """
        acted = self._act(action)
        self._steps += 1
        truncated = acted.ended is None and self._steps >= self._max_steps
        if truncated:
            acted = replace(acted, ended=self._stage.submit().ended)
        if acted.ended:
            truncated = truncated or bool(acted.ended.limit)
            score = np.nan if acted.ended.score is None else acted.ended.score
            info = {**self._told(), "message": acted.text, "ok": acted.ok, **_outcome(acted)}
            self._page = None
            return self._at_the_end(), float(score - self._rewarded), not truncated, truncated, info
        self._seen = acted
        reward = 0.0
        if self._by_field and acted.worth is not None:
            reward, self._worth = acted.worth - self._worth, acted.worth
            self._rewarded += reward
        return self._observed(), float(reward), False, False, {**self._told(), "message": acted.text, "ok": acted.ok}

    def render(self) -> NDArray[np.uint8] | None:
        """What the screen shows, in the mode ``rgb_array``; black when no page is open."""
        return self._picture() if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """End browser and server."""
        self._page = None
        self._stage.close()

    def _act(self, action: Any) -> Acted:
        if self._is_text:
            return self._stage.write(action)
        assert self._page  # noqa: S101 - Gymnasium holds the order of reset and step
        call = self._choices.call(action, self._page.names, self._seen.fields)
        if call is None:
            return replace(self._seen, text=NO_CHOICE, ok=False)
        return self._stage.call(call.name, call.args)

    def _observed(self) -> dict[str, Any]:
        return {name: self._look(name) for name in self._observation}

    def _look(self, name: Shown) -> Any:
        match name:
            case "text":
                return shorten(self._stage.call("observe", {"encoding": self._encoding}).text, LONGEST_PAGE)
            case "picture":
                return self._picture()
        return self._choices.observe(self._page.names if self._page else (), self._seen.fields)

    def _picture(self) -> NDArray[np.uint8]:
        if self._page is None:
            return np.zeros(PICTURE.shape, np.uint8)
        shown = self._stage.call("observe", {"encoding": "none", "picture": "viewport"})
        return pixels(shown.images[0])

    def _at_the_end(self) -> dict[str, Any]:
        """An observation of no page: it is closed."""
        empty: dict[Shown, Any] = {
            "text": "",
            "picture": np.zeros(PICTURE.shape, np.uint8),
            "choices": self._choices.observe((), ()),
        }
        return {name: empty[name] for name in self._observation}

    def _told(self) -> dict[str, Any]:
        """What every agent is told of the instance, and its fields as they are now."""
        page = self._page
        assert page  # noqa: S101 - it is open
        now = {field.name: field for field in self._seen.fields}
        told = [plain(now[name]) for name in page.names if name in now]
        return {**self._instance, "goal": page.goal, "instructions": page.instructions, "fields": told}


def _outcome(acted: Acted) -> dict[str, Any]:
    """What is told of an episode that is over."""
    assert acted.ended  # noqa: S101 - it is
    known = ("outcome", "detail", "limit", "score", "ceiling", "do_nothing", "constant")
    return {**{name: getattr(acted.ended, name) for name in known}, "scores": dict(acted.ended.fields)}
