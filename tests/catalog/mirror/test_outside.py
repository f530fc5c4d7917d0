import pytest

from harness.catalog import Catalog
from harness.catalog.mirror.outside import Outside
from harness.kit.files.installation import to_type
from tests.task_folders import make_task

SCRIPTED = '<script src="https://cdn.example.org/lib-1.0.js"></script><input name=a>'


@pytest.mark.usefixtures("own_cache")
def test_without_any_mirror_a_run_over_pages_that_need_one_says_what_to_do(tmp_path):
    make_task(tmp_path / "tasks", "scripted", template=SCRIPTED)
    make_task(tmp_path / "tasks", "plain")
    catalog = Catalog(tmp_path / "tasks")
    advice = Outside("mirror", None).advice(catalog.task("scripted"))
    assert "https://cdn.example.org/lib-1.0.js" in advice
    assert advice.endswith(to_type("setup mirror", "build", "--tasks-dir", tmp_path / "tasks"))
    assert not Outside("mirror", None).advice(catalog.task("plain"))


def test_a_run_that_wants_no_mirror_is_not_told_to_build_one(tmp_path):
    make_task(tmp_path, "scripted", template=SCRIPTED)
    assert not Outside("none", None).advice(Catalog(tmp_path).task("scripted"))


@pytest.mark.usefixtures("own_cache")
def test_files_of_a_page_with_another_base_are_missed_by_the_address_that_results(tmp_path):
    template = (
        '<base href="https://a.example/v2/"><link rel=stylesheet href=style.css><img src="img/logo.png"><input name=a>'
    )
    make_task(tmp_path, "based", template=template)
    task = Catalog(tmp_path).task("based")
    outside = Outside("mirror", None)
    assert outside.missing(task, task.instances[0]).assets == ("https://a.example/v2/style.css",)
    assert outside.fixed_media(task) == ("https://a.example/v2/img/logo.png",)
