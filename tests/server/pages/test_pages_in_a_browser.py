"""The pages in headless Chromium, on phone and desktop, light and dark: accessibility and keyboard use."""

import pytest
import serving

pytestmark = pytest.mark.slow

KINDS = {
    "start": "/",
    "hits": "/?q=undead+that+drain+life",
    "refused": "/?in=spell&level=44",
    "creature of 2014": "/creature/srd-2014/aboleth",
    "creature of 2024": "/creature/srd-2024/goblin-warrior",
    "class": "/class/srd-2014/wizard",
    "rule with a table": "/rule/srd-2024/travel-pace",
    "item": "/magic-item/srd-2024/energy-bow",
    "books": "/documents",
    "book": "/documents/srd-2024",
    "missing": "/creature/srd-2024/goblin-warier",
}
REFUSED = "Failed to load resource: the server responded with a status of 40"


@pytest.fixture(scope="module")
def site(starter_dataset, tmp_path_factory):
    with serving.over_http(starter_dataset, tmp_path_factory.mktemp("pages") / "log") as endpoint:
        yield endpoint.removesuffix("/mcp")


@pytest.mark.parametrize("look", [{"width": 390, "dark": True}, {"width": 1280}], ids=["phone, dark", "desktop, light"])
@pytest.mark.parametrize("kind", KINDS)
def test_pages_are_accessible(page, axe, site, kind, look):
    page.go(site + KINDS[kind], **look)
    if kind == "hits":
        page.run("document.querySelector('details').open = true")
    assert page.accessibility_problems(axe) == []


@pytest.mark.parametrize("width", [320, 1280])
@pytest.mark.parametrize("kind", KINDS)
def test_pages_fit_their_window_and_load_nothing_from_elsewhere(page, site, kind, width):
    page.go(site + KINDS[kind], width=width)
    assert page.sideways() == 0
    assert [address for address in page.requested if not address.startswith(site)] == []
    assert [complaint for complaint in page.complaints if not complaint.startswith(REFUSED)] == []


def focused(page) -> str:
    return page.run("document.activeElement.name ?? document.activeElement.getAttribute('href') ?? ''")


def test_the_keyboard_goes_to_the_search_box_and_through_the_hits(page, site):
    page.go(f"{site}/?q=fire")
    hits = page.run("[...document.querySelectorAll('ol.hits > li > a')].map(link => link.getAttribute('href'))")
    page.press("/")
    assert focused(page) == "q"
    assert page.run("document.activeElement.value") == "fire"
    seen = []
    for _ in range(3):
        page.press("ArrowDown", 40)
        seen.append(page.run("document.activeElement.getAttribute('href')"))
    assert seen == hits[:3]
    page.press("ArrowUp", 38)
    assert page.run("document.activeElement.getAttribute('href')") == hits[1]
    page.press("Escape", 27)
    assert focused(page) == "q"


def test_without_scripts_a_form_searches_the_pressed_section(page, site):
    page.send("Emulation.setScriptExecutionDisabled", value=True)
    page.go(f"{site}/?q=fire&in=creature")
    page.send("Emulation.setScriptExecutionDisabled", value=False)
    pressed = "document.querySelector('button[name=in][value=spell]')"
    sent = page.run(f"[...new FormData(document.querySelector('form'), {pressed})].map(pair => pair.join('='))")
    page.go(f"{site}/?{'&'.join(sent)}")
    assert page.run("location.search") == "?q=fire&in=spell"
    assert page.run("document.querySelector('h1').textContent") == "“fire” in spells"
