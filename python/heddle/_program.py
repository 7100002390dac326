"""Finds the Heddle program and calls it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any, Sequence

__version__ = "0.1.0"

_plugins: list[str] = []


class HeddleError(Exception):
    """An error of the Heddle program, or of its installation. The text is the line that the program printed."""


class ResultsDiffer(HeddleError):
    """The timed run and the untimed reference computed different values."""


def plugin(file: str | os.PathLike[str]) -> None:
    """Loads a shared object with parts of your own in every later call of the program."""
    path = Path(file).resolve()
    if not path.is_file():
        raise HeddleError(f"{file}: there is no such plug-in")
    if str(path) not in _plugins:
        _plugins.append(str(path))


def _candidates() -> list[tuple[str, Path | None]]:
    here = Path(__file__).resolve()
    named = os.environ.get("HEDDLE")
    if named:
        return [("$HEDDLE", Path(named))]
    on_path = shutil.which("heddle")
    found: list[tuple[str, Path | None]] = [("heddle of PATH", Path(on_path) if on_path else None)]
    # An installation holds PREFIX/share/heddle/python/heddle, a source tree python/heddle.
    found += [(str(p), p) for p in (here.parents[4] / "bin/heddle" if len(here.parents) > 4 else None,
                                    here.parents[2] / "build/bin/heddle") if p is not None]
    return found


def program() -> Path:
    """Returns the path of the program: $HEDDLE, otherwise `heddle` of PATH, otherwise the program of this package's
    installation or source tree. Raises HeddleError if no program is found, or if the program and the
    package have different versions."""
    looked: list[str] = []
    for name, path in _candidates():
        looked.append(name if path is None or name == str(path) else f"{name} ({path})")
        if path is not None and path.is_file() and os.access(path, os.X_OK):
            _check_version(path)
            return path
    raise HeddleError(f"no Heddle program was found (looked for: {', '.join(looked)})")


_checked: set[Path] = set()


def _check_version(path: Path) -> None:
    if path in _checked:
        return
    try:
        answer = subprocess.run([path, "--version"], capture_output=True, text=True, errors="replace")
    except OSError as e:
        raise HeddleError(f"{path} cannot be started ({e.strerror}), and this package needs Heddle {__version__}") from e
    words = answer.stdout.split()
    version = words[-1] if words else "of no version"
    if answer.returncode != 0 or version != __version__:
        raise HeddleError(f"{path} is Heddle {version}, and this package needs {__version__}")
    _checked.add(path)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def call(arguments: Sequence[str], *, differ: str = "raise") -> str:
    """Runs the program and returns its standard output, as call_with_warnings() does."""
    return call_with_warnings(arguments, differ=differ)[0]


def call_with_warnings(arguments: Sequence[str], *, differ: str = "raise") -> tuple[str, list[str]]:
    """Runs the program and returns its standard output and the texts of its warnings.

    A status other than 0 raises HeddleError with the program's own line. Status 3 (results differ) raises
    ResultsDiffer unless `differ` is "ignore". Ctrl-C lets the program store what is complete; a second Ctrl-C
    ends it at once. The program also stores what is complete if this process ends."""
    if differ not in ("raise", "ignore"):
        raise HeddleError(f'differ is "{differ}" (allowed: raise, ignore)')
    command = [str(program())]
    for file in _plugins:
        command += ["--plugin", file]
    command += arguments
    # The program gets its own process group: Ctrl-C of a terminal then reaches only Python, which passes it on once.
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, errors="replace", process_group=0,
                               env={**os.environ, "HEDDLE_PARENT": str(os.getpid())})
    try:
        out, err = process.communicate()
    except BaseException:
        _end(process)
        raise
    if process.returncode == 0 or (process.returncode == 3 and differ == "ignore"):
        return out, [line[len("warning: "):] for line in err.splitlines() if line.startswith("warning: ")]
    if process.returncode < 0:
        raise HeddleError(f"heddle {arguments[0]} was ended by {_signal_name(-process.returncode)}")
    text = _error_line(err) or f"heddle {arguments[0]} ended with status {process.returncode}"
    if process.returncode == 3:
        raise ResultsDiffer(text)
    raise HeddleError(text)


def _end(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGINT)
    try:
        process.communicate()
    except BaseException:
        process.kill()
        process.communicate()
        raise


def _error_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    for line in lines:
        if line.startswith("error: "):
            return line[len("error: "):]
    return lines[-1] if lines else ""


def call_json(arguments: Sequence[str], *, differ: str = "raise") -> Any:
    """Runs a command that prints JSON as call() does, and returns the parsed JSON."""
    return json.loads(call(arguments, differ=differ))
