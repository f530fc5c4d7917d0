"""What was collected into the user's cache: the mirror of outside files, and the vocabularies for token counts."""

from __future__ import annotations

from collections.abc import Iterator

from harness.catalog.mirror.building.collecting import wanted_by
from harness.catalog.mirror.mirror import Mirror
from harness.catalog.mirror.store import BUILD, MirrorError, Store
from harness.cli.diagnosis.checks import Look
from harness.datasets.tasksets import DATASETS
from harness.kit.files.installation import BUNDLED_TASKS
from harness.kit.text import counted
from harness.models.tokens.vocabulary import FETCH, VOCABULARIES, find


def check_mirror() -> Iterator[Look]:
    """Whether it was built, holds what templates ask for, and is whole."""
    store = Store.default()
    try:
        mirror, index = Mirror.load(), store.read()
        lost = [sha256 for sha256 in index.files if not store.file(sha256).is_file()]
    except (MirrorError, OSError) as error:
        yield Look("mirror", "problem", str(error), f"remove {store.folder}, then `{BUILD}`")
        return
    folders = [BUNDLED_TASKS, *(dataset.folder / "tasks" for dataset in DATASETS.values())]
    wanted = [each for each in wanted_by(folders) if each.sure]
    had = sum(mirror.lookup(each.url) is not None for each in wanted)
    words = f"{had} of the {counted(len(wanted), 'address', 'addresses')} that templates here ask for"
    if not mirror.built:
        yield Look("mirror", "warning", "nothing was collected yet: pages lack their outside scripts and styles",
                      f"`{BUILD}`")  # fmt: skip
    elif lost:
        yield Look("mirror", "warning", f"{counted(len(lost), 'file')} of it vanished from {store.folder}",
                      f"`{BUILD}`")  # fmt: skip
    elif had < len(wanted):
        remedy = f"`{BUILD}` tries again; what is gone from the web stays missing"
        yield Look("mirror", "warning", words, remedy)
    else:
        yield Look("mirror", "ok", words)


def check_vocabularies() -> Iterator[Look]:
    """Whether tokens can be counted as models count them."""
    missing = [each.name for each in VOCABULARIES if find(each) is None]
    if missing:
        words = f"{' and '.join(missing)} not there: tokens are estimated"
        yield Look("vocabularies", "warning", words, f"`{FETCH}`")
    else:
        yield Look("vocabularies", "ok", ", ".join(each.name for each in VOCABULARIES))
