"""The model that is trained: loaded with its tokenizer and, if wanted, an adapter; and saved as a whole."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import torch
from datasets import disable_progress_bars
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    AutoModelForSeq2SeqLM,
    AutoTokenizer,
    GgufConfig,
    set_seed,
)
from transformers.utils.logging import disable_progress_bar

disable_progress_bars()
disable_progress_bar()


def load(base: str, rank: int, seed: int = 0) -> tuple[Any, Any]:
    """A tokenizer and a model, one that goes on with a chat or one that turns a text into another (T5).

    Args:
        base: A folder with weights, or a GGUF file, whose weights are unpacked to full precision.
        rank: Of a LoRA adapter on all linear layers; 0 trains all weights, which are then kept in full precision.
        seed: Of the adapter's first weights.
    """
    set_seed(seed)
    place = Path(base)
    where = {"gguf_file": place.name} if place.suffix == ".gguf" else {}
    folder = str(place.parent if where else place)
    tokenizer = AutoTokenizer.from_pretrained(folder, **where)
    # Unless it is unpacked, what is in four bits cannot be trained.
    unpacked = {"quantization_config": GgufConfig(dequantize=True)} if where else {}
    # Half the bits hold weights that stay as they are; what a step of training adds to a weight is lost in them.
    kind = torch.bfloat16 if rank and torch.cuda.is_available() else torch.float32
    parted = not where and AutoConfig.from_pretrained(folder).is_encoder_decoder
    form = AutoModelForSeq2SeqLM if parted else AutoModelForCausalLM
    model = form.from_pretrained(folder, dtype=kind, **where, **unpacked)
    if rank:
        task = "SEQ_2_SEQ_LM" if parted else "CAUSAL_LM"
        adapter = LoraConfig(r=rank, lora_alpha=2 * rank, target_modules="all-linear", task_type=task)
        model = get_peft_model(model, adapter)
    return tokenizer, model


def as_one_text(messages: list[dict[str, str]]) -> str:
    """A chat as a sequence-to-sequence model is shown it, which knows no roles."""
    return "\n\n".join(each["content"] for each in messages)


def save(model: Any, tokenizer: Any, folder: str) -> None:
    """Write the model, with its adapter merged into it, so that whatever serves models serves it."""
    whole = model.merge_and_unload() if isinstance(model, PeftModel) else model
    whole.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    print(f"the model is in {folder}")


def usual(settings: dict[str, Any]) -> dict[str, Any]:
    """What all trainers are told."""
    card = torch.cuda.is_available()
    return {
        "output_dir": settings["out"],
        "max_steps": settings["steps"],
        "per_device_train_batch_size": settings["batch"],
        "gradient_accumulation_steps": settings["accumulate"],
        "learning_rate": settings["learning_rate"],
        "seed": settings["seed"],
        "max_length": settings["max_length"],
        "bf16": card,
        "gradient_checkpointing": card,
        "dataloader_pin_memory": card,
        "save_strategy": "no",
        "report_to": "none",
        "logging_steps": 5,
        "disable_tqdm": True,
    }


def fitting(rows: Any, tokenizer: Any, longest: int, *parts: str) -> Any:
    """Rows whose prompt and answers fit: what is cut off at its end would be the answer."""

    def fits(row: dict[str, Any]) -> bool:
        chats = [row["prompt"] + row[part] for part in parts]
        return all(len(tokenizer.apply_chat_template(chat, return_dict=False)) <= longest for chat in chats)

    kept = rows.filter(fits)
    print(f"{len(kept)} of {len(rows)} rows have no more than {longest} tokens")
    if not len(kept):
        sys.exit("nothing is left to learn from: raise max_length, or export with less --max-input-tokens")
    return kept
