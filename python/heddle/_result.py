"""One run and its results."""

from __future__ import annotations

import csv
import functools
import json
import os
import tempfile
import warnings
from pathlib import Path
from typing import Any, Mapping, Sequence

import pandas as pd

from ._machine import Gpu, Value, as_gpu, option_value
from ._program import HeddleError, call, call_json, call_with_warnings


class Profile:
    """Issues and waits of a run by instruction and by source line."""

    def __init__(self, frame: pd.DataFrame, folders: Sequence[Path] = ()):
        self.frame = frame  #: one row an instruction, as in profile.csv
        self._folders = tuple(folders)  # of the PTX files, to which their names of sources are relative

    def by_line(self) -> pd.DataFrame:
        """Returns sums by source line, with the line's text where the file is at hand. A program without line
        information gives lines of its PTX."""
        f = self.frame
        has_source = f["source_file"].notna() & (f["source_file"] != "")
        keyed = f.assign(file=f["source_file"].where(has_source, "PTX"),
                         line=f["source_line"].where(has_source, f["ptx_line"]).astype(int))
        numbers = [c for c in f.columns
                   if c not in ("kernel", "index", "address", "ptx_line", "source_file", "source_line", "instruction")]
        sums = keyed.groupby(["kernel", "file", "line"], as_index=False)[numbers].sum()
        sums["text"] = [self._source_line(file, line) for file, line in zip(sums["file"], sums["line"])]
        return sums

    def _source_line(self, file: str, line: int) -> str:
        for folder in self._folders:
            lines = _lines(str(folder / file))
            if lines:
                return lines[line - 1].strip() if 0 < line <= len(lines) else ""
        return ""


@functools.lru_cache(maxsize=64)
def _lines(file: str) -> list[str]:
    try:
        return Path(file).read_text(errors="replace").splitlines()
    except OSError:
        return []


class Comparison:
    """A comparison of runs, as `heddle compare` computes it."""

    def __init__(self, data: Mapping[str, Any], names: Sequence[str] | None = None):
        self.data = data
        self.names = list(names) if names else [v["name"] for v in data["variants"]]

    @property
    def metrics(self) -> pd.DataFrame:
        """Table of metrics (rows) by variant (columns)."""
        return pd.DataFrame.from_dict(self.data["metrics"], orient="index", columns=self.names)

    @property
    def energy(self) -> pd.DataFrame:
        """Returns one row for each structure: the variants' energies in nJ, and `saved`, the last variant's saving as
        a share of the first variant's energy. .attrs["scope"] names the hardware that the prices cover."""
        rows = {name: [*values["total_nj"], values["saved"][-1]] for name, values in self.data["energy"].items()}
        frame = pd.DataFrame.from_dict(rows, orient="index", columns=[*self.names, "saved"])
        frame.attrs["scope"] = self.data["variants"][0]["scope"]
        frame.attrs["unit"] = "nJ"
        return frame

    @property
    def parameters(self) -> pd.DataFrame:
        """Table of the parameters whose values differ (rows) by variant (columns)."""
        return pd.DataFrame.from_dict(self.data["parameters"], orient="index", columns=self.names)


class Stored:
    """A stored result file: what runs and programs have in common."""

    _file = "result.json"

    def __init__(self, folder: str | os.PathLike[str], keep: object = None):
        given = Path(folder)
        self.path = given if given.suffix == ".json" else given / self._file
        self._keep = keep  # the temporary folder lives as long as the result
        try:
            self.data: dict[str, Any] = json.loads(self.path.read_text())
        except OSError as e:
            raise HeddleError(f"{self.path}: {e.strerror}") from e
        except (json.JSONDecodeError, UnicodeDecodeError) as e:
            raise HeddleError(f"{self.path}: this is no {self._file} ({e})") from e
        if not isinstance(self.data, dict) or not self._fits():
            raise HeddleError(f"{self.path}: this is no {self._file}")

    def _fits(self) -> bool:
        return "configuration" in self.data and "total" in self.data and "command" not in self.data

    @property
    def folder(self) -> Path:
        return self.path.parent

    @property
    def techniques(self) -> list[str]:
        return list(self.data.get("techniques", []))

    @property
    def label(self) -> str:
        """Returns the techniques as one name, such as "hybrid + warped-gates"; "plain" without techniques."""
        return " + ".join(self.techniques) or "plain"

    @property
    def cycles(self) -> int:
        return int(self.data["total"]["cycles"])

    def _scope(self) -> list[str]:
        return list(self.data.get("scope", []))

    @property
    def energy(self) -> pd.DataFrame:
        """Returns one row for each structure: dynamic_nj, leakage_nj, overhead_nj, total_nj. .attrs["scope"] names the
        hardware that the prices cover."""
        energy = self.data["total"].get("energy")
        if not energy:
            raise HeddleError(f"{self.path}: the run has no energies (it names no technology)")
        rows = {"total": energy["total"], **energy["structures"]}
        columns = ["dynamic_nj", "leakage_nj", "overhead_nj", "total_nj"]
        frame = pd.DataFrame({name: [row[c] for c in columns] for name, row in rows.items()}, index=columns).T
        frame.attrs["scope"] = self._scope()
        frame.attrs["unit"] = "nJ"
        return frame

    def against(self, other: Stored) -> Comparison:
        """Compares this run with `other`, which is the base of speed-ups and savings."""
        text = call(["compare", str(other.path), str(self.path), "--json"], differ="ignore")
        names = [other.label, self.label]
        return Comparison(json.loads(text), names if names[0] != names[1] else ["first", "second"])

    def pack(self, file: str | os.PathLike[str]) -> Path:
        """Writes the result and all that its run read into one file, NAME.heddle, which open() reads anywhere.
        Warns of what the pack lacks."""
        return pack(self.path, file)

    def report(self, file: str | os.PathLike[str]) -> Path:
        """Writes a report page of this result, NAME.html or NAME.md."""
        call(["report", str(self.path), "--out", os.fspath(file)])
        return Path(file)


class Result(Stored):
    """A stored run: a folder with result.json."""

    packed: Path | None = None  #: the pack that was opened

    @property
    def equal(self) -> bool | None:
        """True if the run's outputs equal those of the reference; None if outputs were not compared."""
        check = self.data.get("check", {})
        return bool(check["equal"]) if check.get("checked") else None

    @property
    def metrics(self) -> pd.Series:
        """Metrics of the whole run, by name."""
        return pd.Series({"cycles": self.cycles, **self.data["total"]["metrics"]}, name="metrics")

    @property
    def counters(self) -> pd.Series:
        """Counters of the whole run, by name."""
        return pd.Series(self.data["total"]["counters"], name="counters")

    @property
    def launches(self) -> pd.DataFrame:
        """One row for each launch: index, kernel, grid, block, cycles and all metrics."""
        rows = []
        for launch in self.data["launches"]:
            row = {k: v for k, v in launch.items() if k not in ("metrics", "energy", "counters")}
            rows.append({**row, **launch.get("metrics", {})})
        return pd.DataFrame(rows)

    def _csv(self, name: str, option: str) -> pd.DataFrame:
        path = self.folder / name
        if not path.is_file():
            raise HeddleError(f"{path}: the run did not record this ({option})")
        return pd.read_csv(path, quoting=csv.QUOTE_MINIMAL)

    @functools.cached_property
    def profile(self) -> Profile:
        return Profile(self._csv("profile.csv", "profile=True"), self._ptx_folders())

    def _ptx_folders(self) -> list[Path]:
        files = [self.folder / i["file"] for i in self.data.get("inputs", []) if i["file"].endswith(".ptx")]
        return sorted({file.parent for file in files})

    @functools.cached_property
    def intervals(self) -> pd.DataFrame:
        """One row for each interval, as in intervals.csv; the index is the interval's first cycle."""
        return self._csv("intervals.csv", "interval=500").set_index("begin_cycle", drop=False)

    def rerun(self) -> None:
        """Repeats the run. Raises ResultsDiffer if any counter differs from the stored one."""
        call(["rerun", str(self.packed or self.path)])

    def __repr__(self) -> str:
        kernels = sorted({launch["kernel"] for launch in self.data["launches"]})
        return f"<heddle.Result {', '.join(kernels)}: {self.cycles} cycles>"


class Program(Stored):
    """A stored program run of `heddle exec`: a folder with program.json."""

    _file = "program.json"

    def _fits(self) -> bool:
        return "command" in self.data and "total" in self.data

    def _scope(self) -> list[str]:
        return list(self.data["total"].get("scope", []))

    @property
    def kernels(self) -> pd.DataFrame:
        """One row for each kernel: sums over its launches."""
        return pd.DataFrame(self.data["kernels"])

    @property
    def launches(self) -> pd.DataFrame:
        """One row for each launch, in the order of the program."""
        return pd.DataFrame(self.data["launches"])

    def __repr__(self) -> str:
        return f"<heddle.Program {' '.join(self.data['command'])}: {len(self.data['launches'])} launches>"


def run(launch: str | os.PathLike[str], gpu: str | Gpu, *, techniques: Sequence[str] = (), scheduler: str | None = None,
        sets: Mapping[str, Value] | None = None, technologies: Sequence[str] = (), account: str | None = None,
        profile: bool = True, interval: int = 500, check: str | None = None, sample_ctas: int | None = None,
        estimate: bool = False, threads: int | None = None, out: str | os.PathLike[str] | None = None,
        differ: str = "raise") -> Result:
    """Runs a launch file, or a kernel by name ("hotspot/small"), on a GPU.

    Without `out` the results lie in a folder that is removed with the last reference to the Result. `interval` is
    in cycles; 0 records no intervals. `differ="ignore"` returns a run whose values differ from the reference's."""
    machine = as_gpu(gpu)
    arguments = ["run", "--launch", os.fspath(launch), "--gpu", machine.preset, "--quiet"]
    for technique in techniques:
        arguments += ["--with", technique]
    if scheduler is not None:
        arguments += ["--scheduler", scheduler]
    for path, value in {**machine.sets, **(sets or {})}.items():
        arguments += ["--set", f"{path}={option_value(value)}"]
    for technology in technologies:
        arguments += ["--technology", technology]
    if account is not None:
        arguments += ["--account", account]
    if check is not None:
        arguments += ["--check", check]
    if sample_ctas is not None:
        arguments += ["--sample-ctas", str(sample_ctas)]
    if threads is not None:
        arguments += ["--threads", str(threads)]
    if estimate:
        arguments += ["--estimate"]
    if profile and not estimate:
        arguments += ["--profile"]
    if interval and not estimate:
        arguments += ["--interval", str(interval)]
    keep = tempfile.TemporaryDirectory(prefix="heddle-") if out is None else None
    folder = keep.name if keep else os.fspath(out)  # type: ignore[arg-type]
    call([*arguments, "--out", folder], differ=differ)
    return Result(folder, keep)


def pack(result: str | os.PathLike[str], file: str | os.PathLike[str], *, counters: bool = False) -> Path:
    """Packs a result.json, a program.json, or the folder of a run, a program or an experiment into one file,
    NAME.heddle. `counters`: the pack of an experiment also has the counters of each run. Warns of what the pack
    lacks."""
    arguments = ["pack", os.fspath(result), "--out", os.fspath(file), *(["--counters"] if counters else [])]
    _, warned = call_with_warnings(arguments)
    for line in warned:
        warnings.warn(line, stacklevel=2)
    return Path(file)


def unpack(file: str | os.PathLike[str]) -> tuple[str, Path, tempfile.TemporaryDirectory[str]]:
    """Unpacks a pack into a temporary folder. Returns its kind ("run", "program", "experiment"), the path of its
    result, and the folder, which is removed with the last reference to it."""
    keep = tempfile.TemporaryDirectory(prefix="heddle-")
    pack = call_json(["unpack", os.fspath(file), "--out", keep.name, "--json"])
    return str(pack["kind"]), Path(pack["result"]), keep


def describe(name: str) -> str:
    """Returns unit and meaning of a metric or counter. Raises HeddleError for an unknown name."""
    for family in ("metrics", "counters"):
        for group in call_json(["list", family, "--json"]):
            for part in group["parts"]:
                if part["name"] == name:
                    unit = f" [{part['unit']}]" if part.get("unit") else ""
                    return f"{name}{unit}: {part['doc']}"
    raise HeddleError(f'describe: unknown metric or counter "{name}"')
