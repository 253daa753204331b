"""HTTP: who may call, and how much they may send."""

import asyncio
from typing import Any

import httpx
import pytest

from server.app import create_server, http_app
from server.http_guard import MAX_BODY, BodyLimit, check_open
from server.library.library import Library
from server.settings import SettingsError
from server.swap import LibraryHolder

HEADERS = {"Accept": "application/json, text/event-stream"}


def asked(library: Library, requests: list[dict[str, Any]], token: str = "") -> list[httpx.Response]:
    app = http_app(create_server(LibraryHolder(library), token=token))

    async def ask() -> list[httpx.Response]:
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:8000") as client,
        ):
            return [
                await client.post("/mcp", **{**request, "headers": HEADERS | request.get("headers", {})})
                for request in requests
            ] + [await client.get("/health")]

    return asyncio.run(ask())


def call(name: str) -> dict[str, Any]:
    params = {"name": "lookup_spell", "arguments": {"name": name}}
    return {"json": {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}}


def bearer(secret: str) -> dict[str, Any]:
    return {"headers": {"Authorization": f"Bearer {secret}".encode()}}


def test_only_the_token_is_accepted(tiny_library: Library):
    wrong = [call("fireball"), call("fireball") | bearer("wrong"), call("fireball") | bearer("geheimniß")]
    *refused, answer, health = asked(tiny_library, [*wrong, call("fireball") | bearer("secret")], token="secret")
    assert [response.status_code for response in refused] == [401, 401, 401]
    assert answer.json()["result"]["structuredContent"]["results"][0]["name"] == "Fireball"
    assert health.status_code == 200


def test_a_caller_that_disconnects_amid_a_body_is_dropped():
    async def served(*_: Any) -> None:
        pytest.fail("half a request is nobody's business")

    arriving = iter([{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}])

    async def receive() -> Any:
        return next(arriving)

    async def send(_: Any) -> None:
        pytest.fail("nobody is there to be answered")

    asyncio.run(BodyLimit(served)({"type": "http"}, receive, send))
    assert next(arriving, None) is None


def test_a_chunked_body_is_assembled():
    pieces = [{"type": "http.request", "body": bytes([n]), "more_body": n < 99} for n in range(100)]
    arriving = iter([*pieces, {"type": "http.disconnect"}])

    async def receive() -> Any:
        return next(arriving)

    async def served(_scope: Any, receive: Any, _send: Any) -> None:
        assert await receive() == {"type": "http.request", "body": bytes(range(100)), "more_body": False}
        assert await receive() == {"type": "http.disconnect"}

    asyncio.run(BodyLimit(served)({"type": "http"}, receive, receive))
    assert next(arriving, None) is None


def test_long_requests_are_refused_unread(tiny_library: Library):
    sent = 0

    async def endless() -> Any:
        nonlocal sent
        while sent < 100 * MAX_BODY:
            sent += 65_536
            yield b" " * 65_536

    refused, answer, _ = asked(
        tiny_library, [{"content": endless(), "headers": {"Content-Type": "application/json"}}, call("fireball")]
    )
    assert refused.status_code == 413
    assert str(MAX_BODY) in refused.text
    assert sent <= 2 * MAX_BODY
    assert answer.status_code == 200


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "[::1]", "127.3.2.1"])
def test_loopback_needs_no_token(host: str):
    check_open(host, "", no_auth=False)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "lore.example"])  # noqa: S104 - refused
def test_other_addresses_need_a_token(host: str):
    with pytest.raises(SettingsError, match=r"LOREKEEPER_TOKEN.*--no-auth"):
        check_open(host, "", no_auth=False)
    check_open(host, "secret", no_auth=False)
    check_open(host, "", no_auth=True)


@pytest.mark.parametrize(
    ("host", "said"),
    [
        ("Lore.example:8000", """to the name "lore.example": start it with --public-url https://lore.example, """),
        ("lore.example", """FASTMCP_HTTP_ALLOWED_HOSTS='["lore.example"]'"""),
        ("<b>'; true", "not a plain host name"),
    ],
)
def test_another_host_name_is_refused_with_how_to_allow_it(
    tiny_library: Library, caplog: pytest.LogCaptureFixture, host: str, said: str
):
    app = http_app(create_server(LibraryHolder(tiny_library)))

    async def ask() -> list[httpx.Response]:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:8000") as client:
            return [await client.get(path, headers={"Host": host}) for path in ("/", "/health")]

    for answer in asyncio.run(ask()):
        assert answer.status_code == 421
        assert said in answer.text
        assert "<" not in answer.text
        assert answer.headers["content-type"].startswith("text/plain")
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert int(answer.headers["content-length"]) == len(answer.content)
    logged = [record.getMessage() for record in caplog.records if record.name == "lorekeeper"]
    assert len(logged) == ("<" not in host)
    assert all(said in line for line in logged)


def test_at_most_ten_host_names_are_logged_once_each(tiny_library: Library, caplog: pytest.LogCaptureFixture):
    """Callers choose the names; without a limit they could fill the log."""
    app = http_app(create_server(LibraryHolder(tiny_library)))
    hosts = [f"host-{number}.example" for number in range(12) for _ in range(2)]

    async def ask() -> list[str]:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:8000") as client:
            return [(await client.get("/", headers={"Host": host})).text for host in hosts]

    answers = asyncio.run(ask())
    assert all(f'the name "{host}"' in answer for host, answer in zip(hosts, answers, strict=True))
    logged = [record.getMessage() for record in caplog.records if record.name == "lorekeeper"]
    assert [f"host-{number}.example" in line for number, line in enumerate(logged)] == [True] * 10


def test_only_the_public_host_name_is_allowed(tiny_library: Library):
    app = http_app(create_server(LibraryHolder(tiny_library)), "https://lore.example")

    async def ask() -> list[int]:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:8000") as client:
            hosts = (
                "lore.example",
                "lore.example.",
                "lore.example.:443",
                "127.0.0.1:8000",
                "evil.example",
                "lore.example..",
            )
            return [(await client.get("/documents", headers={"Host": host})).status_code for host in hosts]

    assert asyncio.run(ask()) == [200, 200, 200, 200, 421, 421]


@pytest.mark.parametrize(
    ("path", "address"),
    [
        ("/spell/srd-2014/fireball/", "/spell/srd-2014/fireball"),
        ("/documents//", "/documents"),
        ("/documents/?q=a%2Fb", "/documents?q=a%2Fb"),
        ("/what%3F/", "/what%3F"),
        ("//evil.example/", "/evil.example"),
        ("/%5Cevil.example/", "/%5Cevil.example"),
        ("//", "/"),
    ],
)
def test_a_slash_at_the_end_of_a_path_is_redirected_on_this_host(tiny_library: Library, path: str, address: str):
    app = http_app(create_server(LibraryHolder(tiny_library)))

    async def ask() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app)) as client:
            return await client.get(f"http://127.0.0.1:8000{path}")

    answer = asyncio.run(ask())
    assert (answer.status_code, answer.headers["location"]) == (308, address)


def test_a_client_finds_the_endpoint_with_a_slash_at_its_end(tiny_library: Library):
    app = http_app(create_server(LibraryHolder(tiny_library)))

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000", follow_redirects=True) as client,
        ):
            return await client.post("/mcp/", **call("fireball"), headers=HEADERS)

    assert asyncio.run(ask()).json()["result"]["structuredContent"]["results"][0]["name"] == "Fireball"
