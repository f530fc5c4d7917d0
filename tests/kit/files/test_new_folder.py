import pytest

from harness.kit.files.writing import is_free, new_folder


def test_a_new_folder_is_there_when_the_work_is_done(tmp_path):
    out = tmp_path / "deep" / "out"
    with new_folder(out) as part:
        (part / "a").write_text("x", encoding="utf-8")
        assert not out.exists()
    assert [each.name for each in out.iterdir()] == ["a"]
    assert [each.name for each in out.parent.iterdir()] == ["out"]


def test_an_empty_folder_may_be_there(tmp_path):
    (tmp_path / "out").mkdir()
    with new_folder(tmp_path / "out") as part:
        (part / "a").mkdir()
    assert (tmp_path / "out" / "a").is_dir()


def fill_and_fail(out):
    with new_folder(out) as part:
        (part / "a").mkdir()
        raise ValueError("broken")


def test_nothing_is_left_of_work_that_fails(tmp_path):
    with pytest.raises(ValueError, match="broken"):
        fill_and_fail(tmp_path / "out")
    assert not any(tmp_path.iterdir())


def fill_while_somebody_else_does(out):
    with new_folder(out):
        (out / "theirs").mkdir(parents=True)


def test_what_has_come_in_its_way_stays(tmp_path):
    with pytest.raises(OSError, match="not empty"):
        fill_while_somebody_else_does(tmp_path / "out")
    assert [each.name for each in tmp_path.iterdir()] == ["out"]


def test_what_is_in_the_way_of_a_new_folder(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    (tmp_path / "empty").mkdir()
    assert is_free(tmp_path / "none")
    assert is_free(tmp_path / "empty")
    assert not is_free(tmp_path / "file")
    assert not is_free(tmp_path)
