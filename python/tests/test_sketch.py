"""The package's whole interface, line by line, as its pages show it."""

import shutil
from pathlib import Path

import heddle as hd
import pandas as pd
import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

KERNELS = Path(__file__).resolve().parents[2] / "testbench/kernels"


def test_two_runs() -> None:
    gpu = hd.gpu("fermi-gtx480", sms=1)
    plain = hd.run("hotspot/small", gpu)
    mine = hd.run("hotspot/small", gpu, techniques=["hybrid"], scheduler="gto")
    energy = mine.against(plain).energy
    assert isinstance(energy, pd.DataFrame) and "total" in energy.index
    assert list(energy.columns) == ["plain", "hybrid", "saved"]
    assert energy.attrs["scope"] == ["SM", "L1", "L2", "DRAM"]
    waits = mine.profile.by_line().sort_values("wait_dependence").tail(5)
    source = (KERNELS / "hotspot/kernel.cu").read_text().splitlines()
    for row in waits.itertuples():
        if row.file.endswith("kernel.cu"):
            assert row.text == source[row.line - 1].strip() != ""
    assert mine.intervals["cycles"].iloc[0] == 500
    assert mine.intervals.plot(y=["ipc", "power_mw"]) is not None


def test_a_sweep(tmp_path: Path) -> None:
    captured = tmp_path / "captured/0002-expand"
    captured.mkdir(parents=True)
    shutil.copy(KERNELS / "saxpy/small.json", captured / "launch.json")
    shutil.copy(KERNELS / "saxpy/kernel.ptx", captured)
    study = hd.sweep(
        launches=["saxpy/small", "scan/small", captured],
        gpu=hd.gpu("fermi-gtx480", sms=1), techniques=[[], ["hybrid"]],
        sets={"gpu.sm.scheduler.active_warps": [2, 8]},
        out=tmp_path / "mine", jobs=2)
    df = study.frame("ipc", "energy_nj")
    assert len(df) == 3 * 2 * 2 and (df["state"] == "done").all()
    assert set(df["techniques"]) == {"plain", "hybrid"}
    assert set(df["kernel"]) == {"saxpy", "scan", "0002-expand"}
    table = df.pivot_table("ipc", "gpu.sm.scheduler.active_warps", "techniques")
    assert table.shape == (2, 2) and table.notna().all(axis=None)
    assert table.plot() is not None
    assert not [f for f in (tmp_path / "mine/points").iterdir() if "claim" in f.name]


def test_a_figure_with_values_of_ones_own(tmp_path: Path) -> None:
    study = (hd.experiment("hybrid").with_sweep("split", values=["10+2", "6+6"]).with_kernels("nn", "bfs").only("8")
             .run(size="quick", out=tmp_path / "hybrid", jobs=2))
    figure = study.figures["8"]
    assert set(figure.frame["sweep_value"]) == {"10+2", "6+6"}
    assert set(figure.frame["kernel"]) == {"bfs", "nn", "mean"}
    assert list(figure.published["id"]) == ["hyb.best_split"]


def test_parameters_are_the_programs() -> None:
    rows = hd.parameters("gpu.sm")
    assert {"type", "default", "range", "text"} <= set(rows.columns)
    assert len(rows) > 100


def test_errors_are_the_programs(tmp_path: Path) -> None:
    gpu = hd.gpu("fermi-gtx480", sms=1)
    for call, text in (
        (lambda: hd.run("saxpi", gpu), r'unknown launch file "saxpi", did you mean "saxpy"'),
        (lambda: hd.run("saxpy/small", gpu, techniques=["hybird"]), r'unknown technique "hybird"'),
        (lambda: hd.run("saxpy/small", gpu, scheduler="gtp"), r'unknown warp scheduler policy "gtp"'),
        (lambda: hd.run("saxpy/small", hd.gpu("fermi-gtx480", sets={"gpu.sm.max_warp": 4})), r"max_warp"),
        (lambda: hd.experiment("hybrib").run(out=tmp_path / "x"), r'unknown experiment "hybrib"'),
        (lambda: hd.parts("presents"), r'unknown family "presents"'),
        (lambda: hd.plugin(tmp_path / "none.so"), r"none\.so: there is no such plug-in"),
        (lambda: hd.describe("ipx"), r"ipx"),
    ):
        with pytest.raises(hd.HeddleError, match=text) as raised:
            call()
        assert "\n" not in str(raised.value)


def test_launches_of_a_sweep_have_names_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("a/one", "b/one"):
        Path(folder).mkdir(parents=True)
        shutil.copy(KERNELS / "saxpy/small.json", Path(folder) / "launch.json")
        shutil.copy(KERNELS / "saxpy/kernel.ptx", folder)
    study = hd.sweep(["saxpy/small", "a/one", "b/one/launch.json"], hd.gpu("fermi-gtx480", sms=1), out="study", jobs=2)
    df = study.frame("cycles")
    assert list(df["kernel"]) == ["saxpy", "a/one", "b/one/launch.json"]
    assert df["cycles"].nunique() == 1
    with pytest.raises(hd.HeddleError, match='unknown launch file "saxpi", did you mean "saxpy"'):
        hd.sweep(["saxpi"], "fermi-gtx480", out="other")
