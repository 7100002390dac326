"""Opens stored results: runs, programs, experiments, and packs of them."""

from __future__ import annotations

import os
from pathlib import Path

from ._program import HeddleError
from ._result import Program, Result, unpack
from ._study import Study


class _PackedStudy(Study):
    """An experiment in a temporary folder, which lives as long as the object."""

    def __init__(self, folder: Path, keep: object):
        super().__init__(folder)
        self._keep = keep


def open_result(path: str | os.PathLike[str]) -> Result | Program | Study:
    """Opens a stored result: the folder of a run, a program or an experiment, a result.json, a program.json, or a
    pack (NAME.heddle), which may come from another machine. Packs are opened in a temporary folder."""
    given = Path(path)
    if given.suffix == ".heddle":
        kind, result, keep = unpack(given)
        if kind == "experiment":
            return _PackedStudy(result, keep)
        if kind == "program":
            return Program(result, keep)
        run = Result(result, keep)
        run.packed = given
        return run
    if given.name == "program.json" or (given / "program.json").is_file():
        return Program(given)
    if (given / "results.csv").is_file():
        return Study(given)
    if given.is_dir() and not (given / "result.json").is_file():
        raise HeddleError(f"{given}: this folder holds no result (allowed: that of a run, a program or an experiment)")
    return Result(given)
