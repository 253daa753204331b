"""Pages are limited as the tools are: by the token and by the served documents."""

from base64 import b64encode
from pathlib import Path

import pytest
from reader import Markup, Reader

from server.dataset.load import load_dataset
from server.http_guard import OneToken
from server.library.library import Library


def basic(password: str) -> str:
    return "Basic " + b64encode(f"anyone:{password}".encode()).decode()


@pytest.mark.parametrize("path", ["/?q=fire", "/documents", "/documents/srd-2014", "/spell/srd-2014/fireball"])
def test_browsers_are_asked_for_the_token_and_see_nothing_without_it(tiny_library: Library, path: str):
    reader = Reader(tiny_library, token="sécret: sauce")
    for wrong in (None, basic("wrong"), "Bearer wrong", "Basic ???", "Digest secret"):
        refused = reader.get(path, {"Authorization": wrong} if wrong else None)
        assert refused.status_code == 401
        assert refused.headers["www-authenticate"].startswith("Basic ")
        assert "Fireball" not in refused.text
    assert reader.get(path, {"Authorization": basic("sécret: sauce")}).status_code == 200


def test_a_wrong_address_reveals_nothing_without_the_token(tiny_library: Library):
    refused = Reader(tiny_library, token="secret").get("/spell")
    assert (refused.status_code, refused.text) == (404, "Not Found\n")


@pytest.mark.parametrize("header", ["Bearer secret", "bearer secret", basic("secret")])
def test_the_token_is_accepted_as_password_and_as_bearer(header: str):
    assert OneToken("secret").admits(header)


@pytest.mark.parametrize(
    "header", ["", "secret", "Basic", "Basic secret", basic("secret2"), basic("secret "), basic(""), "Bearer \udcff"]
)
def test_other_credentials_are_refused(header: str):
    assert not OneToken("secret").admits(header)


def test_excluded_documents_appear_nowhere(tiny_folder: Path):
    library = Library(load_dataset(tiny_folder), documents=["srd-2014"])
    try:
        reader = Reader(library)
        assert reader.get("/documents/hearth").status_code == 404
        assert reader.get("/?documents=hearth").status_code == 400
        hidden = reader.get("/rule/hearth/brawls")
        assert hidden.status_code == 404
        assert "Chairs fly" not in hidden.text
        for path in ("/", "/documents", "/?q=fire", "/?in=rule", "/rule/srd-2014/opportunity-attacks"):
            page = Markup(reader.get(path).text)
            assert "Hearth" not in page.text, path
            assert not [link for link in page.links if "hearth" in link], path
    finally:
        library.close()


def test_an_unchanged_page_is_not_sent_again(tiny_library: Library):
    reader = Reader(tiny_library, token="secret")
    admitted = {"Authorization": basic("secret")}
    first, other = (reader.get(path, admitted) for path in ("/spell/srd-2014/fireball", "/documents"))
    tag = first.headers["etag"]
    assert tag != other.headers["etag"]
    for known in (tag, f'"other", {tag.removeprefix("W/")}'):
        again = reader.get("/spell/srd-2014/fireball", admitted | {"If-None-Match": known})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
        assert again.headers["content-security-policy"] == first.headers["content-security-policy"]
    assert reader.get("/documents", admitted | {"If-None-Match": tag}).status_code == 200
    assert reader.get("/spell/srd-2014/fireball", {"If-None-Match": tag}).status_code == 401
    assert "etag" not in reader.get("/?in=spells", admitted).headers
