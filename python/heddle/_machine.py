"""A GPU configuration: a preset, techniques and parameters by path."""

from __future__ import annotations

import dataclasses
import json
from typing import Any, Mapping, Sequence

import pandas as pd

from ._program import call_json

Value = bool | int | float | str | Mapping[str, Any] | Sequence[Any]


@dataclasses.dataclass(frozen=True)
class Gpu:
    """A preset and the parameters that differ from it. Paths begin at the scenario's root: gpu.sm.max_warps."""

    preset: str
    sets: Mapping[str, Value] = dataclasses.field(default_factory=dict)

    def with_sets(self, sets: Mapping[str, Value]) -> Gpu:
        """Returns the same GPU with further parameters. A later value replaces an earlier one."""
        return Gpu(self.preset, {**self.sets, **sets})


def gpu(preset: str, *, sets: Mapping[str, Value] | None = None, **parameters: Value) -> Gpu:
    """Returns a GPU preset by name or file.

    Keyword arguments are keys of `gpu` (sms=1); `sets` holds parameters by whole path
    ({"gpu.sm.scheduler.active_warps": 4})."""
    by_key = {f"gpu.{key}": value for key, value in parameters.items()}
    return Gpu(preset, {**by_key, **(sets or {})})


def as_gpu(given: str | Gpu) -> Gpu:
    return given if isinstance(given, Gpu) else Gpu(given)


def option_value(value: Value) -> str:
    """Returns the text of a value for --set: strings unchanged, all other values as JSON."""
    return value if isinstance(value, str) else json.dumps(value)


def parameters(path: str = "") -> pd.DataFrame:
    """All parameters whose path begins with `path`, such as "gpu.sm": one row for each, with the path as `sets` takes
    it, family and part (empty for parameters of no part), type, default, range and text. A plug-in's parts are
    included."""
    rows = [{"path": p["path"], "family": p["family"], "part": p["part"], "parameter": p["name"], "type": p["type"],
             "default": p["default"], "range": p["range"], "text": p["doc"]}
            for p in call_json(["schema", "parameters", "--json"]) if p["path"].startswith(path)]
    columns = ["path", "family", "part", "parameter", "type", "default", "range", "text"]
    return pd.DataFrame(rows, columns=columns)


def parts(family: str = "") -> pd.DataFrame:
    """Returns the parts (such as schedulers) that configurations may name: one row for each, with family, place,
    name and text."""
    rows = [{"family": f["name"], "place": f["place"], "part": p["name"], "text": p["doc"]}
            for f in call_json(["list", "--json", *([family] if family else [])]) for p in f["parts"]]
    return pd.DataFrame(rows, columns=["family", "place", "part", "text"])
