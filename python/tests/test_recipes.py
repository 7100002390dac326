"""Executes every block of recipes.md and README.md."""

import re
from pathlib import Path

import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

ROOM = Path(__file__).resolve().parents[1]


def blocks(page: str) -> list[tuple[str, str]]:
    """Headings and blocks of a page."""
    found: list[tuple[str, str]] = []
    heading = page
    for part in re.finditer(r"^#+ ([^\n]*)$|^```python\n(.*?)^```$", (ROOM / page).read_text(), re.MULTILINE | re.DOTALL):
        if part[1]:
            heading = part[1]
        else:
            found.append((heading, part[2]))
    return found


RECIPES = blocks("recipes.md") + blocks("README.md")


def test_there_are_ten_recipes() -> None:
    assert len(blocks("recipes.md")) == 10


@pytest.mark.parametrize("block", [b for _, b in RECIPES], ids=[h for h, _ in RECIPES])
def test_recipe(block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(block, "recipe", "exec"), {})
