"""A small server of one model that speaks OpenAI's protocol: one request at a time, text alone, no key.

python examples/training/serve.py model-sft --port 8000
"""

from __future__ import annotations

import argparse
import json
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import torch
from training_model import as_one_text, load


class Served:
    """A model that answers."""

    def __init__(self, folder: str) -> None:
        self.tokenizer, self.model = load(folder, 0)
        if torch.cuda.is_available():
            self.model.to("cuda", torch.bfloat16)
        self.model.eval()

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The answer to a request of the interface ``chat/completions``."""
        torch.manual_seed(asked.get("seed") or 0)
        chat = [{"role": each["role"], "content": text_of(each["content"])} for each in asked["messages"]]
        parted = self.model.config.is_encoder_decoder
        if parted:
            shown = self.tokenizer(as_one_text(chat), return_tensors="pt")
        else:
            shown = self.tokenizer.apply_chat_template(
                chat, add_generation_prompt=True, return_tensors="pt", return_dict=True
            )
        heat = asked.get("temperature") or 0.0
        sampling = {"do_sample": True, "temperature": heat} if heat else {"do_sample": False}
        most = asked.get("max_completion_tokens") or asked.get("max_tokens") or 256
        with torch.no_grad():
            made = self.model.generate(
                **shown.to(self.model.device),
                max_new_tokens=most,
                pad_token_id=self.tokenizer.eos_token_id,
                eos_token_id=self.tokenizer.eos_token_id,
                **sampling,
            )
        told = shown["input_ids"].shape[1]
        # The one begins with a token of its own, the other with all that it was shown.
        written = made[0, 1 if parted else told :]
        text = self.tokenizer.decode(written, skip_special_tokens=True)
        finish = "length" if len(written) >= most else "stop"
        message = {"role": "assistant", "content": text}
        return {
            "id": "chatcmpl-0",
            "object": "chat.completion",
            "created": 0,
            "model": asked.get("model", ""),
            "choices": [{"index": 0, "message": message, "finish_reason": finish}],
            "usage": {"prompt_tokens": told, "completion_tokens": len(written), "total_tokens": told + len(written)},
        }


def text_of(content: str | list[dict[str, str]]) -> str:
    """The text of a message, which may stand in parts."""
    return content if isinstance(content, str) else "\n\n".join(part["text"] for part in content)


def main() -> None:
    """Serve until it is ended."""
    parse = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parse.add_argument("model", help="a folder with weights, or a GGUF file")
    parse.add_argument("--port", type=int, default=8000, help="of the loopback interface; 0 takes a free one")
    arguments = parse.parse_args()
    served = Served(arguments.model)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            data = json.dumps(served.answer(asked)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Say nothing of each request."""

    with HTTPServer(("127.0.0.1", arguments.port), Handler) as server:
        print(f"http://127.0.0.1:{server.server_address[1]}/v1", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
