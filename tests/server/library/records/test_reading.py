"""From one entity to others: chapters, the same thing in other books, names of linked entities."""

from server.library.library import Library


def names(records) -> list[str]:
    return [record["name"] for record in records]


def test_next_and_previous_go_through_the_whole_book(library: Library):
    contents = [record["id"] for _, record in library.reading.contents("srd-2024")]
    read = [contents[0]]
    while following := library.reading.place(read[-1]).following:
        assert library.reading.place(following["id"]).previous["id"] == read[-1]
        read.append(following["id"])
    assert read == contents
    assert len(read) > 10


def test_a_rule_is_as_deep_in_the_contents_as_there_are_chapters_around_it(library: Library):
    depths = {record["id"]: depth for depth, record in library.reading.contents("srd-2024")}
    above = library.reading.place("rule/srd-2024/marching-order").above
    assert names(above) == ["Playing the Game", "Exploration", "Travel", "Travel Pace"]
    assert depths["rule/srd-2024/marching-order"] == len(above)


def test_an_entity_outside_books_has_no_neighbours(library: Library):
    place = library.reading.place("spell/srd-2014/fire-bolt")
    assert (place.above, place.previous, place.following) == ([], None, None)


def test_the_same_thing_is_found_in_other_books(library: Library):
    (other,) = library.reading.elsewhere("spell/srd-2014/fire-bolt")
    assert other["id"] == "spell/srd-2024/fire-bolt"
    assert library.reading.elsewhere("creature/srd-2014/aboleth") == []


def test_names_of_ids_keep_their_order_and_unknown_ids_are_left_out(library: Library):
    ids = ["spell/srd-2014/fire-bolt", "spell/srd-2014/none", "creature/srd-2014/aboleth", "spell/srd-2014/fire-bolt"]
    assert names(library.reading.named(ids)) == ["Fire Bolt", "Aboleth"]


def test_documents_have_titles_and_unknown_ones_are_named(library: Library):
    assert library.reading.title("srd-2024") == "SRD 5.2 (starter retelling)"
    assert library.reading.unknown(["2014", "srd-2024", "srd-2015"]).keys() == {"srd-2015"}
