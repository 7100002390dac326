"""Calls that end early leave what is done, and a repeated call repeats nothing."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import heddle as hd
import pytest

MACHINE = hd.gpu("fermi-gtx480", sms=1)
SWEEP = """
import heddle as hd, sys
hd.sweep(["hotspot/small"], hd.gpu("fermi-gtx480", sms=1), out=sys.argv[1], jobs=1,
         sets={"gpu.sm.scheduler.active_warps": [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]})
"""
RUNS = 12


def points(folder: Path) -> dict[str, int]:
    """Times of the results of finished runs, by name."""
    return {f.name: f.stat().st_mtime_ns for f in (folder / "points").glob("*.json")}


def claims(folder: Path) -> list[str]:
    return [f.name for f in (folder / "points").iterdir() if "claim" in f.name]


def wait_for_points(folder: Path, count: int) -> None:
    for _ in range(3000):
        if len(points(folder)) >= count:
            return
        time.sleep(0.01)
    raise AssertionError("no run has ended")


def children(pid: int) -> list[int]:
    return [int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def wait_for_end(pid: int) -> None:
    for _ in range(3000):
        if not is_running(pid):
            return
        time.sleep(0.01)
    raise AssertionError(f"process {pid} still runs")


def complete(folder: Path, done: dict[str, int]) -> None:
    """Expects that the same call runs what is missing and repeats nothing."""
    subprocess.run([sys.executable, "-c", SWEEP, folder], check=True)
    after = points(folder)
    assert len(after) == RUNS
    assert done.items() <= after.items(), "no finished run is repeated"
    assert claims(folder) == []


def begin(folder: Path) -> tuple[subprocess.Popen[bytes], int]:
    """A process that sweeps, and its heddle process, after the first run has ended."""
    python = subprocess.Popen([sys.executable, "-c", SWEEP, folder], stderr=subprocess.PIPE, start_new_session=True)
    wait_for_points(folder, 1)
    return python, children(python.pid)[0]


def test_killed_program(tmp_path: Path) -> None:
    python, heddle = begin(tmp_path)
    os.kill(heddle, signal.SIGKILL)
    _, err = python.communicate()
    done = points(tmp_path)
    assert 0 < len(done) < RUNS
    assert "HeddleError: heddle experiment was ended by SIGKILL" in err.decode()
    complete(tmp_path, done)


def test_killed_python(tmp_path: Path) -> None:
    python, heddle = begin(tmp_path)
    python.kill()
    python.communicate()
    wait_for_end(heddle)
    done = points(tmp_path)
    assert 0 < len(done) < RUNS, "the program ends with the process that started it"
    assert (tmp_path / "results.csv").is_file(), "and stores what is done"
    complete(tmp_path, done)


def test_interrupted_python(tmp_path: Path) -> None:
    python, heddle = begin(tmp_path)
    os.killpg(python.pid, signal.SIGINT)  # Ctrl-C of a terminal
    _, err = python.communicate()
    assert not is_running(heddle)
    assert "KeyboardInterrupt" in err.decode()
    done = points(tmp_path)
    assert 0 < len(done) < RUNS
    assert (tmp_path / "results.csv").is_file()
    complete(tmp_path, done)


def test_programs_that_do_not_fit_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def program(text: str) -> Path:
        file = tmp_path / "heddle"
        file.write_text(text)
        file.chmod(0o755)
        monkeypatch.setenv("HEDDLE", str(file))
        return file
    file = program("#!/bin/sh\necho 0.0.9\n")
    with pytest.raises(hd.HeddleError, match=f"{file} is Heddle 0.0.9, and this package needs {hd.__version__}"):
        hd.parts()
    program("no program")
    with pytest.raises(hd.HeddleError, match=f"{file} cannot be started .*this package needs Heddle {hd.__version__}"):
        hd.parts()
    monkeypatch.delenv("HEDDLE")
    monkeypatch.setenv("PATH", str(tmp_path / "none"))
    monkeypatch.setattr("heddle._program.__file__", str(tmp_path / "share/heddle/python/heddle/_program.py"))
    with pytest.raises(hd.HeddleError, match=r"no Heddle program was found \(looked for: heddle of PATH, .*/bin/heddle, .*\)"):
        hd.parts()


def test_a_run_that_differs_raises_unless_asked_not_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Stands in for a program whose outputs differ: it ends with status 3.
    real = hd.program()
    file = tmp_path / "heddle"
    file.write_text(f'#!/bin/sh\n"{real}" "$@" || exit\n[ "$1" = --version ] || {{ echo "error: y differs" >&2; exit 3; }}\n')
    file.chmod(0o755)
    monkeypatch.setenv("HEDDLE", str(file))
    with pytest.raises(hd.ResultsDiffer, match="y differs"):
        hd.run("saxpy/small", MACHINE, interval=0)
    assert hd.run("saxpy/small", MACHINE, interval=0, differ="ignore").cycles > 0
    with pytest.raises(hd.HeddleError, match=r'differ is "no" \(allowed: raise, ignore\)'):
        hd.run("saxpy/small", MACHINE, differ="no")


def test_calls_of_several_threads(tmp_path: Path) -> None:
    results: list[int] = []
    threads = [threading.Thread(target=lambda: results.append(hd.run("saxpy/small", MACHINE, interval=0).cycles))
               for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 2 and results[0] == results[1]
