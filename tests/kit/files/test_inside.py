import pytest

from harness.kit.files.inside import ForeignFile, read_inside


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "outside").write_bytes(b"theirs")
    (tmp_path / "top" / "deep").mkdir(parents=True)
    (tmp_path / "top" / "deep" / "file").write_bytes(b"ours")
    return tmp_path / "top"


def test_a_file_is_read_however_deep_it_lies_and_through_links_that_stay_within(folder):
    (folder / "near").symlink_to("deep/file")
    (folder / "same").symlink_to("deep")
    assert {read_inside(folder, name) for name in ("deep/file", "near", "same/file", "deep/../deep/file")} == {b"ours"}


def test_a_name_that_leads_out_of_the_folder_is_refused(folder):
    (folder / "away").symlink_to(folder.parent)
    (folder / "deep" / "far").symlink_to("../../outside")
    for name in ("../outside", "away/outside", "deep/far"):
        with pytest.raises(ForeignFile, match="leads out"):
            read_inside(folder, name)


def test_a_file_may_have_as_many_bytes_as_are_allowed_and_no_more(folder):
    assert read_inside(folder, "deep/file", 4) == b"ours"
    with pytest.raises(ForeignFile, match="more than 3 bytes"):
        read_inside(folder, "deep/file", 3)
