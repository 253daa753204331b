"""deploy/: Compose and Kubernetes accept it, and it uses options and addresses that the server has."""

import asyncio
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import fastmcp
import httpx
import kubernetes_validate
import pytest
import yaml
from compose_spec import PyCompose

from server.app import create_server, http_app
from server.command_line import app
from server.library.library import Library
from server.swap import LibraryHolder

DEPLOY: Final = Path(__file__).parents[2] / "deploy"
KUBERNETES: Final = DEPLOY / "kubernetes"
OLDEST: Final = "1.30"
"""The version of Kubernetes."""

_VARIABLE: Final = re.compile(r"\$\{\w+:(?P<sign>[-?])(?P<text>[^}]*)\}")


def compose() -> str:
    """The Compose file with only its required variables set."""
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    return _VARIABLE.sub(lambda found: found["text"] if found["sign"] == "-" else "secret", text)


def manifests() -> dict[str, Any]:
    """Kind → manifest, for all manifests that the kustomization lists."""
    listed = yaml.safe_load((KUBERNETES / "kustomization.yaml").read_text(encoding="utf-8"))["resources"]
    read = [yaml.safe_load((KUBERNETES / name).read_text(encoding="utf-8")) for name in listed]
    return {manifest["kind"]: manifest for manifest in read}


def container() -> dict[str, Any]:
    (found,) = manifests()["Deployment"]["spec"]["template"]["spec"]["containers"]
    return found


def routes(library: Library) -> set[str]:
    return {getattr(route, "path", "") for route in http_app(create_server(LibraryHolder(library))).routes}


def test_compose_accepts_the_file() -> None:
    assert PyCompose.from_yaml(compose()).service_names() == ["lorekeeper", "proxy"]


def test_a_misspelt_key_would_be_refused() -> None:
    with pytest.raises(ValueError, match="red_only"):
        PyCompose.from_yaml(compose().replace("read_only", "red_only"))
    deployment = manifests()["Deployment"]
    deployment["spec"]["template"]["spec"]["securityContext"]["runAsNotRoot"] = True
    with pytest.raises(kubernetes_validate.ValidationError, match="runAsNotRoot"):
        kubernetes_validate.validate(deployment, OLDEST, strict=True)


def test_kubernetes_accepts_every_manifest() -> None:
    assert {path.name for path in KUBERNETES.glob("*.yaml")} == {"kustomization.yaml"} | set(
        yaml.safe_load((KUBERNETES / "kustomization.yaml").read_text(encoding="utf-8"))["resources"]
    )
    for manifest in manifests().values():
        for version in (OLDEST, kubernetes_validate.latest_version()):
            kubernetes_validate.validate(manifest, version, strict=True)


@pytest.mark.skipif(not shutil.which("kubectl"), reason="needs kubectl")
def test_kustomize_combines_the_manifests() -> None:
    done = subprocess.run(["kubectl", "kustomize", KUBERNETES], capture_output=True, text=True, check=True)
    made = list(yaml.safe_load_all(done.stdout))
    assert {manifest["kind"] for manifest in made} == set(manifests())
    assert {manifest["metadata"].get("namespace", "lorekeeper") for manifest in made} == {"lorekeeper"}


def test_both_use_options_that_the_server_has() -> None:
    for words in (yaml.safe_load(compose())["services"]["lorekeeper"]["command"], container()["args"]):
        command, bound, _ = app.parse_args([str(word) for word in words], exit_on_error=False)
        assert command.__name__ == "serve"
        assert bound.kwargs["transport"] == "http"


def test_probed_addresses_are_answered(tiny_library: Library) -> None:
    probes = [container()[name]["httpGet"]["path"] for name in ("startupProbe", "livenessProbe", "readinessProbe")]
    assert probes == ["/health", "/health", "/ready"]
    asked = re.findall(r"127\.0\.0\.1:8000(/\w+)", compose())
    assert asked == ["/ready"]
    assert {*probes, *asked} <= routes(tiny_library)


def test_every_name_of_the_service_is_allowed(tiny_library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    (allowed,) = (each["value"] for each in container()["env"] if each["name"] == "FASTMCP_HTTP_ALLOWED_HOSTS")
    service = manifests()["Service"]["metadata"]["name"]
    namespace = manifests()["Namespace"]["metadata"]["name"]
    names = [
        f"{service}{rest}" for rest in ("", f".{namespace}", f".{namespace}.svc", f".{namespace}.svc.cluster.local")
    ]
    monkeypatch.setattr(fastmcp.settings, "http_allowed_hosts", json.loads(allowed))
    served = http_app(create_server(LibraryHolder(tiny_library)), "https://lore.example")

    async def ask() -> list[int]:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(served), base_url="http://127.0.0.1") as client:
            return [(await client.get("/health", headers={"Host": f"{name}:8000"})).status_code for name in names]

    assert asyncio.run(ask()) == [200] * 4


def test_the_container_has_minimal_privileges() -> None:
    service = yaml.safe_load(compose())["services"]["lorekeeper"]
    assert service["read_only"]
    assert service["cap_drop"] == ["ALL"]
    assert yaml.safe_load(compose())["networks"]["inside"]["internal"]
    assert container()["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert manifests()["Deployment"]["spec"]["template"]["spec"]["securityContext"]["runAsNonRoot"]
    assert manifests()["NetworkPolicy"]["spec"]["egress"] == []
    dockerfile = (DEPLOY.parent / "Dockerfile").read_text(encoding="utf-8")
    assert f"USER {service['user']}" in dockerfile
