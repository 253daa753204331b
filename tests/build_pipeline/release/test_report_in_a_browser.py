"""`report.html` in Chromium: accessibility, no requests, lists behind figures, and the map."""

from pathlib import Path

import pytest
from browser import Page

pytestmark = pytest.mark.slow


@pytest.fixture
def address(small_dataset: Path) -> str:
    return (small_dataset / "report.html").as_uri()


@pytest.mark.thorough
@pytest.mark.parametrize(("width", "dark"), [(360, True), (1280, False)])
def test_it_is_accessible(page: Page, axe: str, address: str, width: int, *, dark: bool) -> None:
    page.go(address, width=width, dark=dark)
    page.run("document.querySelectorAll('details').forEach(part => part.open = true)")

    assert page.accessibility_problems(axe) == []
    page.run("document.querySelector('a[data-list]').click()")
    assert page.accessibility_problems(axe) == []


@pytest.mark.parametrize("width", [320, 360, 768, 1280])
def test_it_fits_every_window_and_requests_nothing(page: Page, address: str, width: int) -> None:
    page.go(address, width=width)
    page.run("document.querySelectorAll('details').forEach(part => part.open = true)")

    assert page.sideways() <= 0
    assert page.requested == [address]
    assert page.complaints == []


def test_every_figure_opens_a_list_of_its_length(page: Page, address: str) -> None:
    page.go(address)

    wrong = page.run(
        """[...document.querySelectorAll('a[data-list]')].filter(link => !/%/.test(link.textContent)).map(link => {
          open(link.dataset.list);
          return [link.dataset.list, listed.length, Number(link.textContent.match(/[\\d,]+$/)[0].replaceAll(',', ''))];
        }).filter(([, listed, said]) => listed !== said)"""
    )

    assert wrong == []


def test_a_list_is_opened_narrowed_and_closed_by_keyboard(page: Page, address: str) -> None:
    page.go(address)
    page.run("document.querySelector('a[data-list=\"kind=spell\"]').focus()")
    page.press("Enter", 13)
    everything = page.run("document.getElementById('rows').children.length")
    assert page.run("location.hash") == "#list?kind=spell"
    assert page.run("document.getElementById('title').textContent") == "spell"

    page.run("document.getElementById('sought').focus()")
    for letter in "ball":
        page.press(letter)
    names = page.run("[...document.querySelectorAll('#rows span')].map(name => name.textContent)")
    assert 0 < len(names) < everything
    assert all("ball" in name.lower() for name in names)

    page.press("Escape", 27)
    page.press("Escape", 27)  # the first may only empty the field
    assert page.run("document.getElementById('list').open") is False
    assert page.run("document.activeElement.dataset.list") == "kind=spell"


def test_a_link_to_a_list_opens_it(page: Page, address: str) -> None:
    page.go(f"{address}#list?kind=condition")

    assert page.run("document.getElementById('list').open") is True


def test_the_map_names_points_and_hides_kinds(page: Page, address: str) -> None:
    page.go(address)
    page.run("document.getElementById('points').focus()")
    page.press("ArrowRight", 39)
    first = page.run("document.getElementById('name').textContent")
    page.press("ArrowRight", 39)
    assert first.strip() not in {"", page.run("document.getElementById('name').textContent").strip()}

    page.run("document.getElementById('none').click()")
    assert page.run(
        "[...document.querySelectorAll('.map path')].every(path => getComputedStyle(path).display === 'none')"
    )
    page.run("document.querySelector('.legend input[value=spell]').click()")
    page.run("document.getElementById('points').focus()")
    page.press("ArrowLeft", 37)
    assert ", spell, " in page.run("document.getElementById('name').textContent")

    page.press("Enter", 13)
    assert page.run("listed.length") > 1
    assert page.run("listed.every(number => kindOf[number] === 'spell')") is True
