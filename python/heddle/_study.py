"""Many runs: your own sweeps, and published experiments."""

from __future__ import annotations

import itertools
import json
import os
from pathlib import Path
from typing import Any, Mapping, Sequence

import pandas as pd

from ._machine import Gpu, Value, as_gpu
from ._program import HeddleError, call


class Figure:
    """A figure of an experiment: all values that it shows."""

    def __init__(self, name: str, frame: pd.DataFrame):
        self.name = name
        self.frame = frame

    def __repr__(self) -> str:
        return f"<heddle.Figure {self.name}: {len(self.frame)} values>"


class Study:
    """The folder of an experiment. Rows of frame() are runs."""

    def __init__(self, folder: str | os.PathLike[str], variants: Mapping[str, Mapping[str, Any]] | None = None):
        self.folder = Path(folder)
        self._variants = variants

    def frame(self, *metrics: str) -> pd.DataFrame:
        """One row for each run: kernel, variant, the settings that vary, state, and the metrics or counters asked for
        (cycles and ipc if none is named)."""
        path = self.folder / "results.csv"
        if not path.is_file():
            raise HeddleError(f"{path}: there is no such file; the experiment has not been run")
        wanted = list(metrics) or ["cycles", "ipc"]
        table = pd.read_csv(path)
        columns = {name: _column(name, table) for name in wanted}
        if self._variants is None:
            fixed = [c for c in ("kernel", "variant", "sweep", "value", "state") if c in table]
            return table[[*fixed]].join(pd.DataFrame({n: table[c] for n, c in columns.items()}))
        keys = pd.DataFrame([self._variants[v] for v in table["variant"]], index=table.index)
        values = pd.DataFrame({name: table[column] for name, column in columns.items()})
        return pd.concat([table[["kernel"]], keys, table[["state"]], values], axis=1)

    @property
    def figures(self) -> dict[str, Figure]:
        """Figures by name, with the values of figures/NAME.csv."""
        return {f.stem: Figure(f.stem, pd.read_csv(f)) for f in sorted((self.folder / "figures").glob("*.csv"))}

    @property
    def report(self) -> Path:
        return self.folder / "report.md"


#: Short names of columns that frames may use.
_SHORT = {"energy_nj": "energy.total.total_nj"}


def _column(name: str, table: pd.DataFrame) -> str:
    for candidate in (name, _SHORT.get(name, name)):
        if candidate in table:
            return candidate
    raise HeddleError(f'frame: unknown metric or counter "{name}" (results.csv has {len(table.columns)} columns)')


def _label(techniques: Sequence[str]) -> str:
    return " + ".join(techniques) if techniques else "plain"


def sweep(launches: Sequence[str | os.PathLike[str]], gpu: str | Gpu, *, out: str | os.PathLike[str],
          techniques: Sequence[Sequence[str]] = ((),), sets: Mapping[str, Sequence[Value]] | None = None,
          jobs: int | None = None, check: str | None = None) -> Study:
    """Runs every launch with every list of techniques and every combination of `sets`, and returns the table.

    The runs are an experiment in `out` (out/experiment.json): a repeated call continues where a stopped call ended."""
    machine = as_gpu(gpu)
    swept = dict(sets or {})
    variants: list[dict[str, Any]] = []
    columns: dict[str, dict[str, Any]] = {}
    for laid in techniques:
        for values in itertools.product(*swept.values()):
            chosen = dict(zip(swept, values))
            name = _label(laid) + "".join(f", {path}={json.dumps(value)}" for path, value in chosen.items())
            variant: dict[str, Any] = {"name": f"v{len(variants)}", "description": name}
            if laid:
                variant["with"] = list(laid)
            if chosen:
                variant["set"] = chosen
            columns[variant["name"]] = {"techniques": _label(laid), **chosen}
            variants.append(variant)
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    base: dict[str, Any] = {"gpu": {"preset": machine.preset}}
    experiment = {
        "name": "sweep",
        "description": "Runs of heddle.sweep.",
        "base": base,
        "sizes": {"quick": {"kernels": [_kernel(launch) for launch in launches], "launch": "small.json"}},
        "variants": [_with_machine(v, machine) for v in variants],
        "figures": [{"id": "cycles", "title": "Cycles", "kind": "bars", "metric": "cycles"}],
    }
    file = folder / "experiment.json"
    text = json.dumps(experiment, indent=2) + "\n"
    if not file.is_file() or file.read_text() != text:
        file.write_text(text)
    arguments = ["experiment", str(file), "--out", str(folder), "--quiet"]
    if jobs is not None:
        arguments += ["--jobs", str(jobs)]
    if check is not None:
        arguments += ["--check", check]
    call(arguments)
    return Study(folder, columns)


def _kernel(launch: str | os.PathLike[str]) -> str:
    text = os.fspath(launch)
    path = Path(text)
    if path.is_dir() and (path / "launch.json").is_file():
        path = path / "launch.json"
    if path.is_file():
        return str(path.resolve())
    return text.removesuffix("/small")


def _with_machine(variant: dict[str, Any], machine: Gpu) -> dict[str, Any]:
    sets = {**machine.sets, **variant.get("set", {})}
    return {**variant, "set": sets} if sets else variant


class Experiment:
    """A published experiment, or a file of your own, that has not been run yet."""

    def __init__(self, file: str, only: Sequence[str] = (), sets: Mapping[str, Value] | None = None):
        self.file, self._only, self._sets = file, tuple(only), dict(sets or {})

    def only(self, *figures: str) -> Experiment:
        """Only these figures, and the runs that they need."""
        return Experiment(self.file, (*self._only, *figures), self._sets)

    def with_sets(self, sets: Mapping[str, Value]) -> Experiment:
        """All runs with these parameters."""
        return Experiment(self.file, self._only, {**self._sets, **sets})

    def run(self, *, size: str = "quick", out: str | os.PathLike[str] | None = None, jobs: int | None = None) -> Study:
        folder = Path(out) if out is not None else Path("results") / f"{Path(self.file).stem}-{size}"
        arguments = ["experiment", self.file, "--size", size, "--out", str(folder), "--quiet"]
        for figure in self._only:
            arguments += ["--only", figure]
        for path, value in self._sets.items():
            arguments += ["--set", f"{path}={value if isinstance(value, str) else json.dumps(value)}"]
        if jobs is not None:
            arguments += ["--jobs", str(jobs)]
        call(arguments)
        return Study(folder)


def experiment(file: str) -> Experiment:
    """An experiment by name ("hybrid") or file."""
    return Experiment(file)
