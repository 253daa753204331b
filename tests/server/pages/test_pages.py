"""The pages of the starter dataset, read without JavaScript."""

import httpx
import pytest
import serving
from reader import Markup, Reader

from server.library.library import Library
from server.library.message import Call, Given, Message, Named, NamedTool, Offset, WhereDocumentsAre
from server.library.requests.filters import filters_of
from server.library.requests.request import Request
from server.pages.addresses import of_entity
from server.pages.advice import advice_html
from server.pages.asked import Asked
from server.pages.sections import SECTIONS, section_of
from server.tools import threads

KINDS = {
    "start": "/",
    "hits": "/?q=undead+that+drain+life",
    "list": "/?in=creature&cr_max=1%2F4",
    "creature of 2014": "/creature/srd-2014/aboleth",
    "creature of 2024": "/creature/srd-2024/goblin-warrior",
    "class": "/class/srd-2014/wizard",
    "rule": "/rule/srd-2024/travel-pace",
    "books": "/documents",
    "book": "/documents/srd-2024",
}


def own(markup: Markup) -> set[str]:
    """The server's addresses on a page, without anchors."""
    named = [*markup.links, *(str(link["href"]) for link in markup.all("link"))]
    return {link.partition("#")[0] for link in named if link.startswith("/")}


@pytest.mark.slow
def test_a_real_server_serves_every_kind_of_page_and_its_links(starter_dataset, tmp_path):
    with (
        serving.over_http(starter_dataset, tmp_path / "log") as endpoint,
        httpx.Client(base_url=endpoint.removesuffix("/mcp"), trust_env=False) as client,
    ):
        pages = {name: client.get(path) for name, path in KINDS.items()}
        assert {name: page.status_code for name, page in pages.items()} == dict.fromkeys(KINDS, 200)
        named = set().union(*(own(Markup(page.text)) for page in pages.values()))
        assert len(named) > 100
        assert {path for path in sorted(named)[::3] if client.get(path).status_code != 200} == set()
        assert client.get("/mcp").status_code == 405


@pytest.mark.parametrize("path", KINDS.values())
def test_no_two_elements_of_a_page_have_the_same_id(reader: Reader, path: str):
    ids = [attributes["id"] for _, attributes in reader.read(path).elements if "id" in attributes]
    assert sorted(ids) == sorted(set(ids))


@pytest.mark.parametrize("path", [*KINDS.values(), "/nothing", "/?in=spell&level=44"])
def test_pages_load_only_the_servers_files_and_run_no_inline_script(reader: Reader, path: str):
    answer = reader.get(path)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    page = Markup(answer.text)
    assert page.all("html") == [{"lang": "en"}]
    assert not page.all("style")
    for tag, attributes in page.elements:
        assert "style" not in attributes, tag
        assert not any(name.startswith("on") for name in attributes), tag
    for script in page.all("script"):
        assert script["src"].startswith("/assets/")
    assert [level for level, _ in page.elements if level == "h1"] == ["h1"]


def test_files_of_pages_are_cached_indefinitely(reader: Reader):
    for attributes in (e for tag, e in reader.read("/").elements if tag in ("link", "script")):
        loaded = reader.get(attributes.get("href") or attributes["src"])
        assert "immutable" in loaded.headers["cache-control"]
        assert loaded.headers["content-type"].partition(";")[0] in ("text/css", "text/javascript", "image/svg+xml")
    assert reader.get("/assets/style.0.css").status_code == 404


def test_every_entity_has_a_page_whose_links_work(library: Library, reader: Reader):
    ids = [
        f"{entity_type}/{row['document_key']}/{slug}"
        for row in library.list_documents()["results"]
        for entity_type in row["entity_types"]
        for slug in library.slugs(entity_type, row["document_key"])
    ]
    assert len(set(ids)) == library.size
    of_entities = {of_entity(entity_id) for entity_id in ids}
    for entity_id in ids[::20]:
        page = reader.read(of_entity(entity_id))
        named = {link for link in own(page) if link.count("/") == 3}
        assert named <= of_entities, entity_id
        anchors = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
        assert len(anchors) == len(set(anchors)), entity_id


def test_a_hit_has_key_facts_and_the_matching_sentence(reader: Reader):
    page = reader.read("/?q=slips+through+cracks+and+burns&in=creature")
    assert "CR 5 · Large elemental, neutral · AC 13 · HP 102" in page.text
    assert "It slips through narrow cracks" in page.text
    assert any(link.startswith("/creature/srd-2014/fire-elemental") for link in page.links)


def test_advice_in_a_message_is_a_link(reader: Reader):
    page = reader.read("/?q=undead+that+drain+life&in=creature&cr_max=5")
    assert "To require that, filter: Type: undead (leaves" in page.text
    assert "/?q=undead+that+drain+life&in=creature&cr_max=5&type=undead" in page.links
    page = reader.read("/?q=dragon&in=creature&type=dragon&cr_max=1")
    assert "Leaving out “CR up to” finds" in page.text
    assert "/?q=dragon&in=creature&type=dragon" in page.links


def test_advice_is_text_where_the_form_has_no_such_field():
    spells, feats = (Given("content_types", (each,)) for each in ("Spell", "Feat"))
    message = Message("Filter: ", Given("level", 3), ", ", spells, ", ", feats, ", <b>, level=3.")
    link = '<a href="/?q=fire&amp;in=spell">Spells</a>'
    said = f"Filter: level=3, {link}, content_types=[&quot;Feat&quot;], &lt;b&gt;, level=3."
    assert advice_html(message, Asked(words="fire")) == said


def test_advice_on_a_look_up_leads_to_a_search_for_the_name():
    asked = Asked(section_of("creature"), "sneak attack", {"type": ("undead",), "documents": ("srd-2024",)})
    part = Call("lookup_character_option", (Given("type", "class"), Given("part", "sneak attack")), lead=": ")
    advice = advice_html(Message("it is a part of Rogue", part, "."), asked)
    address = "/?q=sneak+attack&amp;in=character_option&amp;type=class&amp;documents=srd-2024"
    assert advice == f'it is a part of Rogue: <a href="{address}">Character options: sneak attack</a>.'
    spell = Call("lookup_spell", (Given("name", "fireball"),))
    said = advice_html(Message("but ", spell, " finds 3."), Asked(words="fireball"))
    assert ">Spells: fireball</a> finds 3." in said


def test_advice_on_another_tool_leads_to_its_section():
    grappling = Given("inflicts", "grappled", tool="search_spell")
    asked = Asked(words="foe", given={"documents": ("srd-2024",), "content_types": ("Spell",)})
    message = Message(NamedTool("search_spell"), " can require ", grappling, " (leaves 8).")
    link = '<a href="/?q=foe&amp;in=spell&amp;documents=srd-2024&amp;inflicts=grappled">Inflicts: grappled</a>'
    assert advice_html(message, asked) == f"Spells can require {link} (leaves 8)."


def test_messages_speak_of_fields_and_pages():
    asked = Asked(section_of("creature"), given={"cr_max": ("1",), "type": ("ooze",)})
    left_out = Message("Leaving out ", Named("cr_max", left_out=True), " or ", Named("part", left_out=True), ".")
    assert advice_html(left_out, asked) == ('Leaving out <a href="/?in=creature&amp;type=ooze">“CR up to”</a> or part.')
    said = advice_html(Message(Offset(90), " is past, ", Named("cr_max"), " has no ", Named("spell_level"), "."), asked)
    assert said == "That page is past, CR up to has no spell_level."
    assert advice_html(Message(WhereDocumentsAre()), asked) == '<a href="/documents">The books</a> have the valid keys.'
    query = Message(Call("query", (Given("sql", "SELECT 1"),)), ", ", NamedTool("fetch"))
    assert advice_html(query, asked) == "query(sql=&quot;SELECT 1&quot;), fetch"


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.key)
def test_each_section_has_a_labelled_field_for_every_filter(reader: Reader, section):
    page = reader.read(f"/?in={section.key}&q=fire")
    fields = {attributes["name"] for tag, attributes in page.elements if tag in ("input", "select")}
    assert {declared.parameter for declared in filters_of(section.key)} | {"q", "documents"} <= fields
    assert len(page.all("label")) >= len(fields) - 2  # the search box has its own label, the section is hidden


def test_facts_that_a_kind_lacks_are_left_out(reader: Reader):
    armor, weapons = (
        {attributes["name"] for attributes in reader.read(f"/?in=equipment&type={kind}").all("select")}
        for kind in ("armor", "weapon")
    )
    assert "mastery" in weapons
    assert "mastery" not in armor


def test_filters_can_be_removed_one_by_one(reader: Reader):
    page = reader.read("/?in=spell&level=1&school=evocation&documents=srd-2014")
    assert "of level 1" in page.text
    assert "/?in=spell&school=evocation&documents=srd-2014" in page.links
    assert "/?in=spell&level=1&school=evocation" in page.links
    hits = {link for link in page.links if link.startswith("/spell/")}
    assert hits
    assert all(link.startswith("/spell/srd-2014/") for link in hits)


def test_lists_have_next_and_previous_pages(reader: Reader):
    first = reader.read("/?in=creature")
    assert "1 to 20 of " in first.text
    second = reader.read("/?in=creature&offset=20")
    assert "/?in=creature&offset=20" in first.links
    assert "/?in=creature" in second.links
    hits = [[link for link in page.links if link.startswith("/creature/")] for page in (first, second)]
    assert not set(hits[0]) & set(hits[1])


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("in=spell&level=44", "level cannot be"),
        ("in=spells", "Did you mean"),
        ("q=fire&limit=1000", "there is no filter"),
        ("in=creature&cr=abc", "Valid values"),
        ("in=spell&school=evocatoin", "evocation"),
        ("documents=srd-2015", "There is no book or edition"),
        ("q=fire&offset=-1", "offset"),
        (f"q={'fire' * 600}", "characters"),
    ],
)
def test_an_invalid_search_is_refused_with_an_explanation(reader: Reader, asked: str, said: str):
    answer = reader.get(f"/?{asked}")
    assert answer.status_code == 400
    page = Markup(answer.text)
    assert [attributes["role"] for attributes in page.all("p") if "role" in attributes] == ["alert"]
    assert said in page.text


def test_an_offset_past_the_end_leads_to_the_first_page(reader: Reader):
    page = reader.read("/?in=creature&offset=99999")
    assert "/?in=creature" in page.links
    assert not [link for link in page.links if "offset=" in link]


def test_an_empty_result_says_what_to_change(reader: Reader):
    page = reader.read("/?in=spell&level=9&ritual=true")
    assert "Nothing found." in page.text
    assert "Leaving out" in page.text


@pytest.mark.parametrize(
    "path",
    ["/creature/srd-2024/goblin-warier", "/creature/srd-2024/Goblin-Warrior", "/goblin-warrior", "/x/goblin-warrior/"],
)
def test_a_wrong_address_suggests_similar_names(reader: Reader, path: str):
    answer = reader.get(path)
    assert answer.status_code == 404
    near = [link for link in Markup(answer.text).links if link.count("/") == 3]
    assert near[0] == "/creature/srd-2024/goblin-warrior"


@pytest.mark.parametrize(
    ("asked", "book"),
    [
        ("srd-2025", "/documents/srd-2024"),
        ("srd-5e", "/documents/srd-2014"),
        ("5e-2014", "/documents/srd-2014"),
        ("System%20Reference%20Document%205.1", "/documents/srd-2014"),
    ],
)
def test_a_wrong_book_suggests_books_by_alias_or_spelling(reader: Reader, asked: str, book: str):
    answer = reader.get(f"/documents/{asked}")
    assert answer.status_code == 404
    assert book in Markup(answer.text).links
    assert "Search for it above." in reader.get("/documents/xyzzy").text


def test_a_rule_links_to_its_neighbours_and_chapters(library: Library, reader: Reader):
    page = reader.read("/rule/srd-2024/travel-pace")
    ways = {link["rel"]: link["href"] for link in page.all("a") if "rel" in link}
    place = library.reading.place("rule/srd-2024/travel-pace")
    assert ways == {"prev": of_entity(place.previous["id"]), "next": of_entity(place.following["id"])}
    assert [of_entity(record["id"]) for record in place.above] == page.links[4:7]


def test_a_class_links_to_its_spells(reader: Reader):
    address = "/?in=spell&class_key=wizard&documents=srd-2014"
    assert address in reader.read("/class/srd-2014/wizard").links
    assert "/spell/srd-2014/fire-bolt" in reader.read(f"{address}&level=0").links
    assert not [link for link in reader.read("/class/srd-2014/fighter").links if "class_key" in link]


def test_a_book_shows_its_licence_credit_lists_and_contents(reader: Reader):
    page = reader.read("/documents/srd-2024")
    assert "Creative Commons Attribution 4.0" in page.text
    assert "/?in=rule&rule_type=condition&documents=srd-2024" in page.links
    assert "/rule/srd-2024/travel-pace" in page.links


def test_books_have_the_number_of_their_entries(library: Library, reader: Reader):
    listed = reader.read("/documents").text
    for key, size in library.reading.books().items():
        assert size == library.find(Request("all", documents=(key,), limit=1))["total"]
        assert f"{size:,} {'entry' if size == 1 else 'entries'}" in listed
        assert sum(library.reading.counts(key).values()) == size


def test_the_notice_of_retold_texts_stands_on_every_page(library: Library, reader: Reader):
    for path in KINDS.values():
        assert library.identity["notice"] in reader.read(path).text


def test_an_overloaded_server_says_so(reader: Reader, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(threads, "_MOST_WAITING", 0)
    answer = reader.get("/documents")
    assert answer.status_code == 503
    assert "busy" in answer.text
