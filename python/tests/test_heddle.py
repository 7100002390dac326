"""The package against the program: every call is a run of it."""

import heddle as hd
import pandas as pd
import pytest

MACHINE = hd.gpu("fermi-gtx480", sms=1)


@pytest.fixture(scope="module")
def plain() -> hd.Result:
    return hd.run("saxpy/small", MACHINE)


@pytest.fixture(scope="module")
def hybrid() -> hd.Result:
    return hd.run("saxpy/small", MACHINE, techniques=["hybrid"], scheduler="gto")


def test_a_run_has_metrics_counters_and_energies(plain: hd.Result) -> None:
    assert plain.equal is True
    assert plain.label == "plain"
    assert plain.metrics.cycles == plain.cycles == plain.launches["cycles"].sum()
    assert plain.metrics.ipc == pytest.approx(plain.counters["sm0.issue.issued"] / plain.cycles)
    parts = plain.energy.loc["total"]
    assert parts["total_nj"] == pytest.approx(parts["dynamic_nj"] + parts["leakage_nj"] + parts["overhead_nj"])
    assert plain.energy.attrs["scope"] == ["SM", "L1", "L2", "DRAM"]


def test_a_comparison_is_the_programs(plain: hd.Result, hybrid: hd.Result) -> None:
    energy = hybrid.against(plain).energy
    assert list(energy.columns) == ["plain", "hybrid", "saved"]
    total = energy.loc["total"]
    assert total["saved"] == pytest.approx(1 - total["hybrid"] / total["plain"])
    assert total["plain"] == pytest.approx(plain.energy.loc["total", "total_nj"])


def test_the_profile_sums_to_the_run(plain: hd.Result) -> None:
    by_line = plain.profile.by_line()
    assert by_line["issues"].sum() == plain.counters["sm0.issue.issued"]
    assert plain.intervals["instructions"].sum() == plain.counters["sm0.issue.issued"]


def test_a_sweep_has_one_row_a_run(tmp_path) -> None:
    def study() -> hd.Study:
        return hd.sweep(["saxpy/small"], MACHINE, techniques=[[], ["hybrid"]],
                        sets={"gpu.sm.scheduler.active_warps": [2, 4]}, out=tmp_path / "mine", jobs=1)
    frame = study().frame("ipc", "energy_nj")
    assert list(frame.columns) == ["kernel", "techniques", "gpu.sm.scheduler.active_warps", "state", "ipc", "energy_nj"]
    assert len(frame) == 4
    table = frame.pivot_table("ipc", "gpu.sm.scheduler.active_warps", "techniques")
    assert table.shape == (2, 2)
    times = {f: f.stat().st_mtime_ns for f in (tmp_path / "mine/points").iterdir()}
    study()
    assert times == {f: f.stat().st_mtime_ns for f in (tmp_path / "mine/points").iterdir()}, "runs are not repeated"


def test_wrong_names_raise_with_the_programs_text(tmp_path) -> None:
    with pytest.raises(hd.HeddleError, match=r'unknown GPU preset "fermi"'):
        hd.run("saxpy/small", "fermi")
    with pytest.raises(hd.HeddleError, match=r"gpu\.sms: 0 is out of range"):
        hd.run("saxpy/small", hd.gpu("fermi-gtx480", sms=0))
    with pytest.raises(hd.HeddleError, match="unknown metric or counter"):
        hd.sweep(["saxpy/small"], MACHINE, out=tmp_path / "none", jobs=1).frame("ipx")


def test_a_missing_program_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEDDLE", "/nowhere/heddle")
    with pytest.raises(hd.HeddleError, match=r"no Heddle program was found \(looked for: \$HEDDLE \(/nowhere/heddle\)\)"):
        hd.program()


def test_parameters_come_from_the_program() -> None:
    rows = hd.parameters("gpu.sm")
    window = rows[(rows["part"] == "two-level") & (rows["parameter"] == "active_warps")]
    assert len(window) == 1 and window["type"].item() == "integer"
    assert window["path"].item() == "gpu.sm.scheduler.active_warps"
    assert "gpu.sm.max_warps" in set(rows["path"])


def test_metrics_and_counters_are_described() -> None:
    assert hd.describe("stall_no-warp") == "stall_no-warp [share of issue slots]: issue slots idle: the scheduler has no warp"
    assert hd.describe("sm.issue.issued").startswith("sm.issue.issued [warp-instructions]: ")
    with pytest.raises(hd.HeddleError, match='unknown metric or counter "ipx"'):
        hd.describe("ipx")


def test_an_experiment_is_a_table(tmp_path) -> None:
    study = hd.experiment("schedulers").only("speed-up").run(size="quick", out=tmp_path / "s", jobs=1)
    table = study.frame("ipc", "sm.issue.issued")
    plain = table[table["sweep"].isna()]
    assert plain.pivot(index="kernel", columns="variant", values="ipc").notna().any().any()
    results = pd.read_csv(tmp_path / "s/results.csv")
    assert results.pivot(index="kernel", columns="variant", values="ipc").notna().any().any()
    assert set(study.figures) == {"speed-up"}
    with pytest.raises(hd.HeddleError, match="no such table: absent"):
        study.query("select * from absent")


def test_a_published_figure_with_values_of_ones_own(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    mine = {"name": "9+3", "set": {"scratchpad.entries": 1, "allocation.entries": 1, "cache.entries": 18}}
    fig8 = (hd.experiment("hybrid").with_sweep("split", values=["10+2", mine]).with_kernels("hotspot").only("8")
            .run(size="quick", jobs=1))
    assert fig8.folder.parent.name == "results" and fig8.folder.name.startswith("hybrid-quick-")
    assert list(fig8.figures["8"].frame["sweep_value"].unique()) == ["10+2", "9+3"]
    assert fig8.figures["8"].published["id"].tolist() == ["hyb.best_split"]
    with pytest.raises(hd.HeddleError, match='unknown value of this sweep "9\\+9"'):
        hd.experiment("hybrid").with_sweep("split", values=["9+9"]).run()
