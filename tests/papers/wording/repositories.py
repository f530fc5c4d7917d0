"""Small repositories with words of the tests where the papers' have theirs, in programs that must not run."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path

import msgspec

from harness.papers.paper import PAPERS
from harness.papers.wording.wording import Wording, wording_in

_NEVER_RUN = 'raise SystemExit("this program was run")\n'
FILES = {
    "turkingbench": {
        "src/evaluation/prompts.py": '''
def text_oracle_instructions() -> str:
  return """
  TB text, for $5 {apiece}
  """

def text_vision_oracle_instructions() -> str:
  return """TB picture"""
''',
        "src/evaluation/text.py": '''
class GPT4Model:
    def get_text_baseline_action(self, input_name, html_code):
        new_message = {"role": "user", "content": f"""
            TB asks for {input_name} of {html_code}
            """}
        return None
''',
    },
    "webcanvas": {
        "agent/Prompt/base_prompts.py": "class BasePrompts:\n    planning_prompt_system = '''WC {tools}'''\n"
    },
    "autowebglm": {
        "webarena/agent/prompts/raw/new_action_prompt.py": 'prompt = {"template": """<html> {html} </html>\n'
        '\nAW {previous_action} in {tabs} at {position} for {objective}\n"""}\n',
    },
    "online-mind2web": {
        "src/methods/webjudge_online_mind2web.py": '''
async def identify_key_points(task, model):
    system_msg = """OM points"""
    prompt = """OM points of {task}"""

async def judge_image(task, image_path, key_points, model):
    system_msg = """OM picture"""
    prompt = """OM picture of {task}: {key_points}"""

async def WebJudge_Online_Mind2Web_eval(task, last_actions):
    system_msg = """OM verdict"""
    prompt = """OM verdict of {task}: {key_points}; {last_actions}; {thoughts}"""
    if not last_actions:
        prompt = """OM verdict alone of {task}: {key_points}; {last_actions}"""
''',
        "src/methods/automomous_eval.py": 'def Autonomous_eval():\n    system_msg = "OM last"\n'
        '    prompt = "OM last of {task}: {last_actions}"\n',
        "src/methods/agenttrek_eval.py": 'def AgentTrek_eval():\n    system_msg = "OM trek"\n'
        '    prompt = "OM trek of {task}: {thoughts_and_actions}"\n',
        "src/methods/webvoyager_eval.py": 'def WebVoyager_eval():\n    system_msg = "OM voyage"\n'
        '    prompt = "OM voyage of {task}: {response}, {num}"\n',
    },
    "mind2web": {
        "src/action_prediction/dataloader.py": """
def format_input_generation(sample):
    seq_input = f"MW generates {sample['confirmed_task']}"
    for action in sample:
        seq_input += f"{action}"
    else:
        seq_input += "None"
    seq_input += ("MW what" " next")

def format_input_multichoice(sample):
    seq_input = (
        "MW begins\\n"
        f"MW task {sample['confirmed_task']}\\n"
    )
    if sample:
        for action in sample:
            seq_input += f"{action}\\n"
    else:
        seq_input += "Nothing\\n"
    seq_input += "MW which?\\n\\nA. MW neither\\n"
""",
        "src/action_prediction/llm_prompt.json": json.dumps([{"role": "system", "content": "MW role"}]),
    },
}


def small_repository(paper: str, folder: Path) -> tuple[Path, Wording]:
    """A git repository with such words, and what of the paper's own file says where they stand in it."""
    repository = folder / paper
    for path, text in FILES[paper].items():
        (repository / path).parent.mkdir(parents=True, exist_ok=True)
        (repository / path).write_text(text + (_NEVER_RUN if path.endswith(".py") else ""), encoding="utf-8")
    _git(repository, "init", "--quiet")
    _git(repository, "add", "--all")
    _git(repository, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message", "words")
    commit = _git(repository, "rev-parse", "HEAD").strip()
    hashes = {path: hashlib.sha256((repository / path).read_bytes()).hexdigest() for path in FILES[paper]}
    known = wording_in(PAPERS[paper].package)
    assert known
    return repository, msgspec.structs.replace(known, commit=commit, files=hashes)


def _git(folder: Path, *words: str) -> str:
    return subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True, text=True).stdout
