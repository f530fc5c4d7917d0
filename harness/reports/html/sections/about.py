"""The last sections: how to do it again, what the numbers rest on, how to cite."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

from harness.browser.browser_choice import BrowserPlace
from harness.browser.sandbox import Sandbox
from harness.kit.files.installation import without_caller
from harness.records.agent_name import shut_in
from harness.records.config import RunConfig
from harness.records.run_record import RunRecord
from harness.reports.html.blocks import Block, CodeBlock, FactsBlock, HeadingBlock, NoticeBlock, ParagraphBlock, Section
from harness.reports.reported import Reported
from harness.run.asked_run import words_of
from harness.run.task_kind import task_kind

PAPER = """@inproceedings{xu-etal-2025-turkingbench,
  title     = {Tur[k]ingBench: A Challenge Benchmark for Web Agents},
  author    = {Xu, Kevin and Kordi, Yeganeh and Nayak, Tanay and Asija, Adi and Wang, Yizhong and
               Sanders, Kate and Byerly, Adam and Zhang, Jingyu and Van Durme, Benjamin and Khashabi, Daniel},
  booktitle = {Proceedings of NAACL},
  year      = {2025},
  eprint    = {2403.11905},
  archiveprefix = {arXiv}
}"""


SANDBOX_WORDS: Mapping[Sandbox, str] = {
    "on": "on in every browser of the run",
    "off": "OFF: pages that break out of the browser had the rights of its user",
    "unknown": "unknown",
}

PLACE_WORDS: Mapping[BrowserPlace, str] = {
    "here": "",
    "attached": "a browser that somebody runs: NOT SHUT IN by turkbench but for the network of its pages",
    "grid": "on a Selenium Grid, with the flags and the list of addresses of turkbench",
}
"""What is said of where a browser ran; nothing of one that the harness has started."""


def again(results: Sequence[Reported]) -> Section:
    """The section with commands, versions and hashes."""
    blocks: list[Block] = []
    for place, each in enumerate(results, start=1):
        for number, record in enumerate(each.records, start=1):
            if len(results) > 1 or len(each.records) > 1:
                run = f", run {number} of {len(each.records)}" if len(each.records) > 1 else ""
                blocks.append(HeadingBlock(f"{each.name}{run}", f"again-{place}-{number}"))
            blocks += _again(record, each)
    return Section("again", "Doing it again", blocks)


def _again(record: RunRecord, result: Reported) -> list[Block]:
    git = record.provenance.git
    lines = [f"git checkout {git.revision}"] if git else []
    lines.append(command(record.config))
    blocks: list[Block] = [CodeBlock("These commands make this run again:", "\n".join(lines))]
    if git and git.changed_files:
        files = ", ".join(git.changed_files[:20])
        more = f" and {len(git.changed_files) - 20} more" if len(git.changed_files) > 20 else ""
        blocks.append(NoticeBlock("Changed files", f"The code was not that of the revision alone: {files}{more}."))
    return [*blocks, FactsBlock(_facts(record, result))]


def _facts(record: RunRecord, result: Reported) -> list[tuple[str, str]]:
    provenance = record.provenance
    packages = ", ".join(f"{name} {version}" for name, version in provenance.packages.items() if version)
    facts = [
        ("comparability id", result.comparability_id),
        *([("scoring profile", result.profile)] if task_kind(record.config.kind).has_profiles else []),
        ("task set", record.task_set),
        ("inventory of fields", record.inventory),
        ("sample", record.sample),
        ("protocol", record.protocol),
        ("started, ended", f"{record.started}, {record.ended or 'not ended'}"),
        ("code", provenance.git.revision if provenance.git else "not in a repository"),
        ("browser", provenance.browser or "none was at work"),
        *([("where it ran", place)] if (place := PLACE_WORDS[record.config.browser_place]) else []),
        ("its sandbox", SANDBOX_WORDS[record.sandbox]),
        ("Python, system", f"{provenance.python}, {provenance.system}"),
        ("packages", packages),
    ]
    if box := shut_in(record.config.options, record.isolation):
        facts.append(("the program's box", box))
    facts += [
        (f"solver's {name}", str(value)) for name, value in record.solver.items() if not isinstance(value, dict | list)
    ]
    return [(name, str(value)) for name, value in facts]


def command(config: RunConfig) -> str:
    """The command line of a run.

    Args:
        config: What was asked for. The number of workers is not in the command: no score depends on it.
    """
    return shlex.join(["python", *without_caller("evaluate"), *words_of(config)])


def citing(results: Sequence[Reported]) -> Section:
    """The section with what to cite."""
    revisions = sorted({git.revision for each in results for record in each.records if (git := record.provenance.git)})
    ids = sorted({each.comparability_id for each in results})
    note = ", ".join(
        [*(f"revision {revision}" for revision in revisions), *(f"comparability id {each}" for each in ids)]
    )
    harness = f"""@misc{{turkbench,
  title = {{A harness for crowdsourcing tasks as a benchmark of web agents}},
  note  = {{{note}}}
}}"""
    blocks: list[Block] = [
        ParagraphBlock("Tasks, action library and metrics follow the paper of the benchmark:"),
        CodeBlock("The paper", PAPER),
        CodeBlock("This harness: name the revision, and the comparability id beside every score", harness),
    ]
    return Section("citing", "How to cite", blocks)
