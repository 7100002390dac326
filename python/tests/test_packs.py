"""Results that travel: packs, stored folders and pages."""

import shutil
from pathlib import Path

import heddle as hd
import pytest

MACHINE = hd.gpu("fermi-gtx480", sms=1)
KERNELS = Path(__file__).resolve().parents[2] / "testbench/kernels"


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Packs of a launch of one's own, whose folder is deleted: plain.heddle and hybrid.heddle."""
    folder = tmp_path_factory.mktemp("packs")
    mine = folder / "mine"
    mine.mkdir()
    for name, source in (("launch.json", "small.json"), ("kernel.ptx", "kernel.ptx"), ("kernel.cu", "kernel.cu")):
        shutil.copy(KERNELS / "saxpy" / source, mine / name)
    hd.run(mine, MACHINE, out=folder / "plain").pack(folder / "plain.heddle")
    hybrid = hd.run(mine, MACHINE, techniques=["hybrid"])
    hd.pack(hybrid.folder, folder / "hybrid.heddle")
    for gone in (mine, folder / "plain"):
        shutil.rmtree(gone)
    return folder


def test_a_pack_is_a_result(packed: Path) -> None:
    plain, hybrid = hd.open(packed / "plain.heddle"), hd.open(packed / "hybrid.heddle")
    assert plain.equal and plain.cycles == plain.metrics.cycles
    assert list(hybrid.against(plain).energy.columns) == ["plain", "hybrid", "saved"]
    assert len(plain.intervals) > 10
    texts = plain.profile.by_line()["text"]
    assert any("alpha" in text or "[i]" in text for text in texts), "the sources of the profile are packed"
    plain.rerun()


def test_pages_are_made_anywhere(packed: Path, tmp_path: Path) -> None:
    plain = hd.open(packed / "plain.heddle")
    page = plain.report(tmp_path / "plain.md").read_text()
    assert "Every output equals that of the untimed reference." in page
    assert "<html" in plain.report(tmp_path / "plain.html").read_text()


def test_folders_are_opened_by_what_they_hold(tmp_path: Path) -> None:
    run = hd.run("saxpy/small", MACHINE, profile=False, interval=0, out=tmp_path / "run")
    assert hd.open(tmp_path / "run").cycles == hd.open(tmp_path / "run/result.json").cycles == run.cycles
    study = hd.sweep(["saxpy/small"], MACHINE, out=tmp_path / "study", jobs=1)
    assert len(hd.open(tmp_path / "study").frame("ipc")) == 1
    with pytest.warns(UserWarning, match="raw counters of each run"):
        study.pack(tmp_path / "study.heddle")
    shutil.rmtree(tmp_path / "study")
    assert len(hd.open(tmp_path / "study.heddle").frame("ipc")) == 1
    (tmp_path / "nothing").mkdir()
    with pytest.raises(hd.HeddleError, match="this folder holds no result"):
        hd.open(tmp_path / "nothing")


def test_programs_have_kernels_and_launches(tmp_path: Path) -> None:
    (tmp_path / "program.json").write_text("""{"command": ["./bfs"], "total": {"cycles": 3, "scope": ["SM"]},
        "kernels": [{"kernel": "k", "cycles": 3}], "launches": [{"launch": 0, "kernel": "k", "cycles": 3}]}""")
    program = hd.open(tmp_path)
    assert isinstance(program, hd.Program) and program.cycles == 3
    assert program.kernels["cycles"].sum() == program.launches["cycles"].sum() == 3


def test_what_is_no_pack_raises(tmp_path: Path) -> None:
    (tmp_path / "bad.heddle").write_text("hello")
    with pytest.raises(hd.HeddleError, match=r"bad\.heddle: this is no pack of Heddle \(allowed: a file of heddle pack\)"):
        hd.open(tmp_path / "bad.heddle")
    (tmp_path / "bad.json").write_text("hello")
    with pytest.raises(hd.HeddleError, match=r"bad\.json: this is no result\.json"):
        hd.open(tmp_path / "bad.json")
    (tmp_path / "list.json").write_text("[]")
    with pytest.raises(hd.HeddleError, match=r"list\.json: this is no result\.json"):
        hd.open(tmp_path / "list.json")
