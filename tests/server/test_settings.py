"""Settings that are read from text."""

import pytest

from server.settings import SettingsError, read_public_url, read_token


@pytest.mark.parametrize(
    ("text", "url"),
    [
        (None, ""),
        ("  ", ""),
        ("https://lore.example/", "https://lore.example"),
        ("http://[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_a_public_url_is_that_of_a_whole_host(text, url):
    assert read_public_url(text) == url


@pytest.mark.parametrize(
    "text",
    ["lore.example", "ftp://lore.example", "https://", "https://a/b", "https://a?b", "https://me@a", "http://a:x"],
)
def test_any_other_is_refused(text):
    with pytest.raises(SettingsError, match="--public-url"):
        read_public_url(text)


@pytest.mark.parametrize(
    ("text", "token"),
    [
        (None, ""),
        (" \n", ""),
        ("sixteen letters.\n", "sixteen letters."),
        ("more than two words", "more than two words"),
    ],
)
def test_what_stands_around_a_token_is_not_part_of_it(text, token):
    assert read_token(text) == token


@pytest.mark.parametrize("text", ["x", "fifteen letters", f"secret{' ' * 20}"])
def test_a_token_that_can_be_guessed_is_refused(text):
    with pytest.raises(SettingsError, match=r"LOREKEEPER_TOKEN has \d+ characters; .* at least 16, .*openssl"):
        read_token(text)
