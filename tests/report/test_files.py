from concurrent.futures import ThreadPoolExecutor

import pytest

from irtjax.report import write_whole


def test_a_file_is_replaced_and_keeps_its_permissions(tmp_path):
    path = tmp_path / "a.json"
    path.write_text("old and longer")
    path.chmod(0o640)
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_is_followed(tmp_path):
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    write_whole(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path, monkeypatch):
    path = tmp_path / "a.json"
    path.write_text("old")

    def fail(*_):
        raise OSError("no space left")

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(OSError, match="no space left"):
        write_whole(path, b"new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_threads_may_write_one_file_at_once(tmp_path):
    path = tmp_path / "a.json"
    contents = [bytes([65 + k]) * 1000 for k in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda content: write_whole(path, content), contents * 20))
    assert path.read_bytes() in contents
    assert list(tmp_path.iterdir()) == [path]
