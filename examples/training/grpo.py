"""Group relative policy optimisation with a form's score as the reward (GRPO; Shao et al. 2024, section 4.1).

A model is shown a page and answers with an action a line. They are done on the page in a browser, the form is sent, and
its score is the reward of the answer. One answer is one episode: what its actions did is not seen before the next one.

    python examples/training/grpo.py examples/training/grpo.toml base=model-sft out=model-grpo
"""

from __future__ import annotations

import sys
from typing import Any

from datasets import Dataset
from training_model import load, save, settings_of, usual
from trl import GRPOConfig, GRPOTrainer
from turkbench.harness.integrations.adapters.stage.stage import Stage
from turkbench.harness.integrations.adapters.stage.stage_config import stage_config


def chats(stage: Stage, encoding: str) -> list[dict[str, Any]]:
    """What is asked of each instance: the rules, which actions there are, and the page."""
    rows = []
    for task, places in stage.instances().items():
        for row in places:
            page = stage.open(task, row)
            actions = [f"{tool['name']}({', '.join(tool['parameters']['properties'])})" for tool in page.tools]
            rules = f"{page.instructions}\n\nAnswer with an action a line. There are:\n" + "\n".join(actions)
            shown = stage.call("observe", {"encoding": encoding}).text
            asked = [{"role": "system", "content": rules}, {"role": "user", "content": shown}]
            rows.append({"prompt": asked, "of_task": task, "row": row})
    return rows


def play(stage: Stage, task: str, row: int, answer: str) -> float | None:
    """The score of an answer; None if it is not known, and then it is not learnt from."""
    stage.open(task, row)
    for line in filter(str.strip, answer.splitlines()):
        if ended := stage.write(line).ended:
            return ended.score
    ended = stage.submit().ended
    return ended.score if ended else None


def main() -> None:
    """Train."""
    settings = settings_of(sys.argv[1:])
    tokenizer, model = load(settings["base"], settings["lora_rank"])
    with Stage(stage_config("grpo", "form", task=settings["task"], split=settings["split"])) as stage:

        def score(completions: list[Any], of_task: list[str], row: list[int], **_: Any) -> list[float | None]:
            answers = [completion[0]["content"] for completion in completions]
            return [play(stage, *each) for each in zip(of_task, row, answers, strict=True)]

        known = usual(settings | {"max_length": None})
        del known["max_length"]  # of pairs and lessons; here the answer alone has a length
        group = {"num_generations": settings["group"], "max_completion_length": settings["max_answer"]}
        trainer = GRPOTrainer(
            model,
            reward_funcs=score,
            args=GRPOConfig(**known | {"logging_steps": 1}, **group),
            train_dataset=Dataset.from_list(chats(stage, settings["encoding"])),
            processing_class=tokenizer,
        )
        trainer.train()
    save(trainer.model, tokenizer, settings["out"])


if __name__ == "__main__":
    main()
