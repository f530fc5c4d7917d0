"""Task sets of others, fetched once into the user's cache: ``turkbench tasks``.

    list                                        the known task sets, and which of them are here
    fetch NAME [--from PATH] [--force]          get one, from where it is published or from a copy on this machine
    verify NAME                                 compare what is here with what was published, byte for byte
    path NAME                                   where its tasks are
    lint [NAME | --tasks-dir DIR] [--json]      what is odd about tasks and labels
    stats [NAME | --tasks-dir DIR] [--html FILE]  how much of what there is: tasks, instances, fields, lengths, topics
    gallery [NAME | --tasks-dir DIR] --out DIR  a page with a picture of every task
    collect RESULTS.csv --out DIR               a new task set, whose labels are people's answers
    import mind2web-live FILE.json OUT          a new task set of sites, from WebCanvas's public file
    import online-mind2web FILE.json OUT        the same from Online-Mind2Web's; judges judge it
    import webarena FILE.json OUT --origin ...  the same from WebArena's configuration files
    import mind2web TRACES OUT                  Mind2Web's demonstrations checked, one a file, with an index
    export mind2web-live TASKS FILE.json        such a task set as that file
    export webcanvas RUN OUT                    a run on sites, in the layout of WebCanvas's results
    export datasets [NAME | --tasks-dir DIR] --out DIR  a task set as tables for Hugging Face's datasets
    cleaning TRACES                             what cleaning leaves of the pages of demonstrations

A task set is pinned to one commit of its repository, or to one wheel of a package index, and each of its files is
checked against the hash that it has there. docs/how-to/datasets.md has the details.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from harness.catalog import Catalog
from harness.catalog.mirror.building.collecting import asked_by, collect, lacking, summary
from harness.catalog.mirror.store import BUILD, MirrorError
from harness.catalog.overlay import overlay_file
from harness.cli.boundary import COMPLETE, INCOMPLETE, error_boundary, naming_the_file, print_out, program
from harness.cli.command_line import CommandLine
from harness.cli.commands.tasks.set_exports import add_export, run_export
from harness.cli.task_sets import add_which, chosen_folder
from harness.datasets.dataset_files import LIST
from harness.datasets.fetching import fetch, findings, verify
from harness.datasets.lint import lint, lint_table
from harness.datasets.tasksets import DATASETS, DatasetError, Manifest, TaskSet, known, tasks_folder
from harness.datasets.webarena import LEFT_OUT, WEBARENA, import_webarena, read_origin
from harness.kit.arguments import add_some
from harness.kit.errors import UnfinishedWork
from harness.kit.files.installation import to_type
from harness.kit.files.writing import cache_folder
from harness.kit.text import counted
from harness.papers.mind2web.demonstration_set import MIND2WEB, import_demonstrations, told
from harness.papers.mind2web.demonstrations.mind2web_file import read_demonstrations
from harness.papers.online_mind2web.task_set import ONLINE_MIND2WEB, import_online_tasks
from harness.papers.webcanvas.mind2web_live import NAME as MIND2WEB_LIVE
from harness.papers.webcanvas.mind2web_live import import_tasks
from harness.records.config import RunConfig
from harness.run.progress import progress

EXIT_CODES = (
    "exit codes: 0 all is there and as published; 1 files are missing or changed, or interrupted; "
    "2 wrong use, or nothing could be fetched"
)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    about, _, _ = (__doc__ or "").partition("\n")
    parse = CommandLine(prog=program("tasks"), description=about, epilog=EXIT_CODES)
    commands = parse.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("list", help="list the known task sets, and which are here")
    get = commands.add_parser(
        "fetch", help="fetch a task set from where it is published, or from a copy", epilog=EXIT_CODES
    )
    get.add_argument("name", metavar="NAME", help=f"one of: {', '.join(DATASETS)}")
    get.add_argument(
        "--from",
        dest="source",
        type=Path,
        metavar="PATH",
        help=f"a local copy: a git repository, bare or not; a folder whose {LIST} has hashes of the commit's files; "
        "or the files alone, whose commit then is unknown unless all are the commit's; of a task set that comes in a "
        "package, its wheel or a folder that it was installed in",
    )
    get.add_argument("--force", action="store_true", help="fetch it again and replace the copy here")
    check = commands.add_parser("verify", help="compare the copy here with the published files", epilog=EXIT_CODES)
    check.add_argument("name", metavar="NAME")
    where = commands.add_parser("path", help="print where the tasks are")
    where.add_argument("name", metavar="NAME")
    look = commands.add_parser("lint", help="list what is odd about tasks and labels; findings are not errors")
    add_which(look)
    look.add_argument("--json", action="store_true", help="print one JSON object")
    count = commands.add_parser("stats", help="count tasks, instances, fields, lengths and topics")
    add_which(count)
    count.add_argument("--json", action="store_true", help="print one JSON object")
    count.add_argument("--html", type=Path, metavar="FILE", help="also write the numbers as an HTML page with plots")
    count.add_argument("--no-browser", action="store_true", help="leave out what needs a browser")
    _add_browser(count)
    show = commands.add_parser("gallery", help="write an HTML page with a picture of every task")
    add_which(show)
    show.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="DIR",
        help="folder of the page; pictures there that still fit are kept",
    )
    _add_browser(show)
    _add_collect(commands)
    _add_import(commands)
    add_export(commands)
    clean = commands.add_parser(
        "cleaning",
        help="say what cleaning leaves of the pages of demonstrations, by website",
        epilog="exit codes: 0 all are counted; 2 wrong use, or a file cannot be read",
    )
    clean.add_argument("traces", type=Path, metavar="TRACES", help="a file of demonstrations, or a folder of them")
    clean.add_argument("--json", action="store_true", help="print one JSON object")
    return parse


def _add_collect(commands: argparse._SubParsersAction[CommandLine]) -> None:
    make = commands.add_parser(
        "collect",
        help="make a new task set whose labels are people's answers",
        epilog="exit codes: 0 the task set is there; 2 wrong use, or an answer is of no instance: nothing is written",
    )
    make.add_argument(
        "results", type=Path, nargs="+", metavar="RESULTS.csv", help="results file of this server, of Turkle or of AMT"
    )
    make.add_argument("--dataset", metavar="NAME", dest="name", help="the fetched task set that people worked on")
    make.add_argument(
        "--tasks-dir",
        type=Path,
        metavar="DIR",
        help="the task folders that people worked on (default: the bundled tasks)",
    )
    make.add_argument("--task", metavar="NAME", help="the task of results files that name none, such as AMT's")
    make.add_argument(
        "--without",
        action="append",
        default=[],
        metavar="PERSON",
        help="leave out this person's answers; may be repeated",
    )
    make.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder of the new task set")


def _add_import(commands: argparse._SubParsersAction[CommandLine]) -> None:
    read = commands.add_parser(
        "import",
        help="make a new task set of websites, or a folder of demonstrations, from public files",
        epilog="exit codes: 0 all is there; 1 interrupted; 2 wrong use, or something is not understood: nothing is "
        "written",
    )
    read.add_argument("format", choices=[MIND2WEB_LIVE, ONLINE_MIND2WEB, WEBARENA, MIND2WEB])
    read.add_argument(
        "file", type=Path, metavar="FILE", help=f"as it is published; for {MIND2WEB} also a folder of such files"
    )
    read.add_argument("out", type=Path, metavar="OUT", help="folder that is made")
    read.add_argument(
        "--origin",
        action="append",
        default=[],
        metavar="NAME=URL",
        help=f"for {WEBARENA}: where a site is that the file calls by a name, e.g. shopping=http://arena.example:7770, "
        "or shopping=bundled:shop for a bundled site; again for each site",
    )
    read.add_argument(
        "--login",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help=f"for {WEBARENA}: the state of a browser that is logged in, as Playwright writes it; again for each",
    )


def _add_browser(parse: argparse.ArgumentParser) -> None:
    parse.add_argument(
        "--overlay",
        type=overlay_file,
        metavar="FILE",
        help="further facts about the tasks: a file, or the name of a known task set",
    )
    parse.add_argument("--media", type=Path, metavar="DIR", help="local copies of outside pictures, videos and sounds")
    add_some(parse, RunConfig, "require_sandbox")


@error_boundary(interrupted="interrupted; what was fetched before is as it was")
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    with naming_the_file(otherwise=cache_folder()):
        return _COMMANDS[arguments.command](arguments)


def _list(_: argparse.Namespace) -> int:
    for dataset in DATASETS.values():
        print(f"{dataset.name:<14} {_state(dataset)}")
        print(f"{'':<14} {dataset.about}; {dataset.licence}")
        print(f"{'':<14} {dataset.published_at}")
    return COMPLETE


def _state(dataset: TaskSet) -> str:
    if not dataset.folder.exists():
        return f"not fetched; get it with: {dataset.fetch_command}"
    manifest = Manifest.read(dataset)
    kept = len(manifest.files) - len(manifest.left_out)
    return f"fetched, {kept} of {counted(len(manifest.files), 'file')}, in {dataset.folder}"


def _fetch(arguments: argparse.Namespace) -> int:
    dataset = known(arguments.name)
    if dataset.folder.exists() and not arguments.force:
        code = _verify(arguments)
        print("it was here already; --force fetches it again")
        return code
    if arguments.source is None:
        print(f"fetching {dataset.published_at}; this may take minutes", file=sys.stderr)
    manifest = fetch(dataset, arguments.source)
    code = _say(dataset, manifest, manifest.left_out)
    _collect_outside(dataset)
    return code


def _collect_outside(dataset: TaskSet) -> None:
    """Collect what the pages of a fetched task set load from elsewhere; they can be used without."""
    wanted = asked_by([dataset.folder / "tasks"])
    if not wanted:
        return
    tell = progress()
    tell.start("collecting outside scripts and styles", len(wanted))
    try:
        outcomes = collect(wanted, lambda outcome: tell.advance(outcome.state, None))
    except MirrorError as error:
        print(f"Outside scripts and styles were not collected: {error}. Try again: {BUILD}", file=sys.stderr)
        return
    except KeyboardInterrupt:
        rest = f"go on with its outside scripts and styles: {BUILD}"
        raise UnfinishedWork(f"interrupted; {dataset.name} is there, {rest}") from None
    finally:
        tell.finish()
    print(f"mirror: {summary(outcomes)}")
    if gone := lacking(outcomes):
        example = f"{gone[0].wanted.url}: {gone[0].why}"
        what = f"{counted(len(gone), 'address', 'addresses')} could not be had, e.g. {example}"
        print(f"{what}. Try again: {BUILD}", file=sys.stderr)


def _verify(arguments: argparse.Namespace) -> int:
    dataset = known(arguments.name)
    return _say(dataset, Manifest.read(dataset), verify(dataset))


def _say(dataset: TaskSet, manifest: Manifest, wrong: Mapping[str, str]) -> int:
    found = findings(dataset, manifest, wrong)
    for line in found:
        print(line)
    good = len(manifest.files) - sum(path in manifest.files for path in wrong)
    where = f"as in {dataset.pin_words}" if manifest.pin else "as in the copy"
    print(f"{dataset.name}: {good} of {counted(len(manifest.files), 'file')} are {where}", end="; ")
    print(f"tasks in {dataset.folder / 'tasks'}")
    return INCOMPLETE if found else COMPLETE


def _path(arguments: argparse.Namespace) -> int:
    print(tasks_folder(arguments.name))
    return COMPLETE


def _lint(arguments: argparse.Namespace) -> int:
    report = lint(Catalog(chosen_folder(arguments)))
    print(json.dumps(report.to_json(), indent=1) if arguments.json else lint_table(report))
    return COMPLETE


def _stats(arguments: argparse.Namespace) -> int:
    # What is slow to import is imported for work, not for help.
    from harness.datasets.stats.set_stats import set_stats  # noqa: PLC0415
    from harness.datasets.stats.task_stats import rulers  # noqa: PLC0415
    from harness.datasets.stats.wording import stats_json, stats_text  # noqa: PLC0415
    from harness.datasets.visits.visitor import looks, not_looking, visitor_of  # noqa: PLC0415

    catalog = Catalog(chosen_folder(arguments), arguments.overlay)
    if arguments.no_browser:
        stats = set_stats(catalog, rulers(), not_looking)
    else:
        with (
            visitor_of(
                catalog, arguments.overlay, media=arguments.media, require_sandbox=arguments.require_sandbox
            ) as visitor,
            looks(catalog, visitor, progress()) as look,
        ):
            stats = set_stats(catalog, rulers(), look)
    print_out(json.dumps(stats_json(stats), indent=1) if arguments.json else stats_text(stats))
    if arguments.html:
        from harness.datasets.stats.stats_page import stats_page  # noqa: PLC0415
        from harness.reports.html.rendering import write  # noqa: PLC0415

        write(stats_page(stats), arguments.html)
        print(f"Page: {arguments.html}", file=sys.stderr)
    return COMPLETE


def _gallery(arguments: argparse.Namespace) -> int:
    from harness.datasets.gallery.gallery_files import make_gallery  # noqa: PLC0415 - as above
    from harness.datasets.visits.visitor import visitor_of  # noqa: PLC0415

    catalog = Catalog(chosen_folder(arguments), arguments.overlay)
    with visitor_of(
        catalog, arguments.overlay, media=arguments.media, require_sandbox=arguments.require_sandbox
    ) as visitor:
        made = make_gallery(catalog, arguments.out, visitor, progress())
    for task, why in made.without.items():
        print(f"no picture of {task!r}: {why}", file=sys.stderr)
    print_out(f"{made.page}: {counted(made.tasks, 'task')}, {counted(made.taken, 'picture')} taken now")
    return INCOMPLETE if made.without else COMPLETE


def _collect(arguments: argparse.Namespace) -> int:
    from harness.catalog.annotations.results_file import read_results  # noqa: PLC0415 - as above
    from harness.datasets.collecting import collect  # noqa: PLC0415

    if arguments.name and arguments.tasks_dir:
        raise DatasetError("--dataset and --tasks-dir name two task sets; give the one that was worked on")
    results = read_results(arguments.results, arguments.task)
    with naming_the_file(otherwise=arguments.out):
        collected = collect(results, Catalog(chosen_folder(arguments)), arguments.out, arguments.without)
    for each in collected:
        answers = f"{counted(each.rows, 'answer')} of {counted(each.workers, 'person', 'people')}"
        rest = f"; {counted(each.unanswered, 'instance')} that nobody answered left out" if each.unanswered else ""
        print_out(f"{each.task}: {answers} to {counted(each.instances, 'instance')}{rest}")
        if each.adjudicated:
            decided = f"{counted(each.adjudicated, 'instance')} the answer that was decided on is the label"
            print_out(f"{each.task}: of {decided}; {counted(each.replaced, 'answer')} of workers left out for it")
    if results.rejected:
        print_out(f"Left out: {counted(results.rejected, 'row')} that the requester had rejected")
    if results.repeated:
        again = counted(results.repeated, "row")
        print_out(f"Left out: {again} of assignments that a later row has again; the later one counts")
    scoring = to_type("evaluate", "--tasks-dir", arguments.out, "--solver", "oracle")
    print_out(f"Next, here with the solver that enters the labels: {scoring}")
    return COMPLETE


def _import(arguments: argparse.Namespace) -> int:
    if arguments.format == WEBARENA:
        return _import_webarena(arguments)
    if arguments.origin or arguments.login:
        raise DatasetError(
            f"--origin and --login are for {WEBARENA} only: files of {arguments.format} have addresses; leave them out"
        )
    if arguments.format == ONLINE_MIND2WEB:
        online = import_online_tasks(arguments.file, arguments.out)
        print_out(f"{arguments.out}: {counted(online.tasks, 'task')}, {counted(online.sites, 'site')}")
        return COMPLETE
    if arguments.format == MIND2WEB:
        return _import_demonstrations(arguments)
    made = import_tasks(arguments.file, arguments.out)
    print_out(
        f"{arguments.out}: {counted(made.tasks, 'task')}, {counted(made.nodes, 'key node')}, "
        f"{counted(made.origins, 'site')}"
    )
    return COMPLETE


def _import_webarena(arguments: argparse.Namespace) -> int:
    made = import_webarena(
        arguments.file, arguments.out, [read_origin(each) for each in arguments.origin], arguments.login
    )
    for why, count in made.left_out.items():
        print(f"left out: {counted(count, 'task')}: {why}", file=sys.stderr)
    print_out(
        f"{arguments.out}: {counted(made.tasks, 'task')}, {counted(made.checks, 'check')}, {made.judged} with a judge; "
        f"left out: {counted(sum(made.left_out.values()), 'task')}, named in {LEFT_OUT}"
    )
    if made.logged_out:
        without = counted(made.logged_out, "task")
        print_out(f"made for a browser that is logged in, for which no --login has a cookie: {without}")
    return COMPLETE


def _import_demonstrations(arguments: argparse.Namespace) -> int:
    read = import_demonstrations(arguments.file, arguments.out, progress())
    print_out(
        f"{arguments.out}: {counted(read.demonstrations, 'demonstration')}, {counted(read.steps, 'step')}, "
        f"{counted(len(read.websites), 'website')}, {counted(len(read.domains), 'domain')}"
    )
    if read.without_acceptable:
        print_out(f"without an acceptable element: {counted(read.without_acceptable, 'step')}")
    return COMPLETE


def _cleaning(arguments: argparse.Namespace) -> int:
    from harness.papers.mind2web.demonstrations.cleaning_recall import recall_by_website, recall_json, recall_table  # noqa: PLC0415

    recalls = recall_by_website(told(read_demonstrations(arguments.traces), progress()))
    print_out(json.dumps(recall_json(recalls), indent=1) if arguments.json else recall_table(recalls))
    return COMPLETE


_COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "list": _list,
    "fetch": _fetch,
    "verify": _verify,
    "path": _path,
    "lint": _lint,
    "stats": _stats,
    "gallery": _gallery,
    "collect": _collect,
    "import": _import,
    "export": run_export,
    "cleaning": _cleaning,
}
