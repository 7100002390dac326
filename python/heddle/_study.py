"""Many runs: your own sweeps, and published experiments."""

from __future__ import annotations

import dataclasses
import difflib
import itertools
import json
import os
import re
import sqlite3
from pathlib import Path
from typing import Any, Mapping, Sequence

import pandas as pd

from ._machine import Gpu, Value, as_gpu, option_value
from ._program import HeddleError, call
from ._result import pack


class Figure:
    """A figure of an experiment: all values that it shows."""

    def __init__(self, name: str, frame: pd.DataFrame, published: pd.DataFrame):
        self.name = name
        self.frame = frame  #: kernel, variant, sweep_value, metric, value; title and unit in .attrs
        self.published = published  #: published values next to measured ones

    def __repr__(self) -> str:
        return f"<heddle.Figure {self.name}: {len(self.frame)} values>"


class Study:
    """The folder of an experiment. Rows of frame() are runs."""

    def __init__(self, folder: str | os.PathLike[str], variants: Mapping[str, Mapping[str, Any]] | None = None):
        self.folder = Path(folder)
        self._variants = variants

    @property
    def database(self) -> Path:
        """results.sqlite, with the tables that docs/experiments.md lists."""
        return self.folder / "results.sqlite"

    def query(self, sql: str, parameters: Sequence[Any] = ()) -> pd.DataFrame:
        """The result of a query of results.sqlite."""
        if not self.database.is_file():
            raise HeddleError(f"{self.database}: there is no such file; the experiment has not been run")
        connection = sqlite3.connect(f"{self.database.resolve().as_uri()}?mode=ro", uri=True)
        try:
            return pd.read_sql_query(sql, connection, params=list(parameters))
        except (sqlite3.Error, pd.errors.DatabaseError) as e:
            raise HeddleError(f"{self.database}: {e}") from e
        finally:
            connection.close()

    def frame(self, *metrics: str) -> pd.DataFrame:
        """One row for each run: kernel, variant, sweep and its value, the settings that vary, state, and the metrics
        or counters asked for (cycles and ipc if none is named). After heddle.sweep, techniques and `sets` stand in
        place of the variant."""
        wanted = list(metrics) or ["cycles", "ipc"]
        runs = self.query("select id, kernel, variant, sweep, sweep_value, state from runs order by id").set_index("id")
        values = pd.DataFrame({name: self._values(name) for name in wanted}, index=runs.index)
        if self._variants is None:
            keys = runs[["variant", "sweep", "sweep_value"]].join(self._settings())
        else:
            keys = pd.DataFrame([self._variants[v] for v in runs["variant"]], index=runs.index)
        return pd.concat([runs[["kernel"]], keys, runs[["state"]], values], axis=1).reset_index(drop=True)

    def _values(self, name: str) -> pd.Series:
        for table in ("metrics", "counters"):
            found = self.query(f"select run, value from {table} where name = ?", [name])
            if len(found):
                return found.set_index("run")["value"]
        known = self.query("select name from names where kind in ('metric', 'counter')")["name"]
        close = difflib.get_close_matches(name, known, n=3)
        raise HeddleError(f'frame: unknown metric or counter "{name}"'
                          + (f" (did you mean {', '.join(close)}?)" if close else ""))

    def _settings(self) -> pd.DataFrame:
        order = list(self.query("select * from results limit 0").columns)
        names = order[order.index("sweep_value") + 1:order.index("state")]
        long = self.query("select run, name, value from settings")
        table = long.pivot(index="run", columns="name", values="value")[names]
        return table.apply(_as_numbers)

    @property
    def figures(self) -> dict[str, Figure]:
        """Figures by id."""
        values, published = self.query("select * from figures"), self.query("select * from published")
        figures = {}
        for name, of in values.groupby("figure", sort=False):
            frame = of[["kernel", "variant", "sweep_value", "metric", "value"]].reset_index(drop=True)
            frame.attrs["title"], frame.attrs["unit"] = of["title"].iloc[0], of["unit"].iloc[0]
            beside = published[published["figure"] == name].drop(columns="figure").reset_index(drop=True)
            figures[str(name)] = Figure(str(name), frame, beside)
        return figures

    @property
    def report(self) -> Path:
        return self.folder / "report.md"

    def pack(self, file: str | os.PathLike[str], *, counters: bool = False) -> Path:
        """Writes tables, report and figures into one file, NAME.heddle, which open() reads anywhere. `counters`: also
        the raw counters of each run."""
        return pack(self.folder, file, counters=counters)

    def __repr__(self) -> str:
        return f"<heddle.Study {self.folder}>"


def _as_numbers(column: pd.Series) -> pd.Series:
    """Returns the column as numbers if all of its texts are numbers."""
    numbers = pd.to_numeric(column, errors="coerce")
    return numbers if numbers.notna().eq(column.notna() & (column != "")).all() else column


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
        "sizes": {"quick": {"kernels": _kernels(launches)}},
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


def _kernels(launches: Sequence[str | os.PathLike[str]]) -> list[dict[str, str]]:
    """Returns name and launch of each kernel of an experiment. The name is "saxpy" for "saxpy/small", otherwise that of
    the launch's file or folder. Launches whose short names are equal keep their whole names."""
    texts = [os.fspath(launch) for launch in launches]
    short = [_short_name(text) for text in texts]
    return [{"name": name if short.count(name) == 1 else text, "launch": str(Path(text).resolve()) if Path(text).exists() else text}
            for name, text in zip(short, texts)]


def _short_name(launch: str) -> str:
    path = Path(launch)
    if path.name in ("small", "small.json", "launch.json") and path.parent.name:
        return path.parent.name
    return path.stem if path.suffix == ".json" else path.name


def _with_machine(variant: dict[str, Any], machine: Gpu) -> dict[str, Any]:
    sets = {**machine.sets, **variant.get("set", {})}
    return {**variant, "set": sets} if sets else variant


@dataclasses.dataclass(frozen=True)
class Experiment:
    """A published experiment, or a file of your own, that has not been run yet. Each method returns a changed copy."""

    file: str
    _only: tuple[str, ...] = ()
    _kernels: tuple[str, ...] = ()
    _sweeps: Mapping[str, Sequence[Value]] = dataclasses.field(default_factory=dict)
    _sets: Mapping[str, Value] = dataclasses.field(default_factory=dict)

    def only(self, *figures: str) -> Experiment:
        """Returns a copy with only these figures, and the runs that they need."""
        return dataclasses.replace(self, _only=(*self._only, *figures))

    def with_kernels(self, *kernels: str) -> Experiment:
        """Returns a copy with only these kernels of the size, by name or pattern."""
        return dataclasses.replace(self, _kernels=(*self._kernels, *kernels))

    def with_sweep(self, name: str, values: Sequence[Value]) -> Experiment:
        """Returns a copy with a sweep at these values only: names of values of the file, new values if the sweep has
        "of", or objects as in the file, such as {"name": "9+3", "set": {"cache.entries": 18}}."""
        return dataclasses.replace(self, _sweeps={**self._sweeps, name: list(values)})

    def with_sets(self, sets: Mapping[str, Value]) -> Experiment:
        """Returns a copy in which all runs have these parameters."""
        return dataclasses.replace(self, _sets={**self._sets, **sets})

    def arguments(self) -> list[str]:
        """Returns the words of the command line that select the runs."""
        words = []
        for figure in self._only:
            words += ["--only", figure]
        if self._kernels:
            words += ["--kernels", ",".join(self._kernels)]
        for name, values in self._sweeps.items():
            words += ["--sweep", f"{name}={json.dumps(values)}"]
        for path, value in self._sets.items():
            words += ["--set", f"{path}={option_value(value)}"]
        return words

    def run(self, *, size: str = "quick", out: str | os.PathLike[str] | None = None, jobs: int | None = None) -> Study:
        """Executes the missing runs. Without `out`, the program chooses the folder: results/NAME-SIZE, or a folder of its
        own for a selection of the runs."""
        arguments = ["experiment", self.file, "--size", size, *self.arguments()]
        if out is not None:
            arguments += ["--out", os.fspath(out)]
        if jobs is not None:
            arguments += ["--jobs", str(jobs)]
        written = re.search(r" figures? in (.*)/report\.md$", call(arguments).rstrip())
        if written is None:
            raise HeddleError(f"heddle experiment {self.file}: its output names no folder")
        return Study(written.group(1))


def experiment(file: str) -> Experiment:
    """Returns an experiment by name ("hybrid") or file."""
    return Experiment(file)
