"""The OpenAPI document and its pages."""

from typing import Any

import httpx
import msgspec
import pytest

from entrypoints.api.examples import ANSWERS, BODIES, PROBLEM_STATUSES


@pytest.fixture
async def document(client: httpx.AsyncClient) -> dict[str, Any]:
    answer = await client.get("/schema/openapi.json")
    body: dict[str, Any] = answer.json()
    return body


async def test_every_route_tells_what_it_takes_and_answers(document: dict[str, Any]) -> None:
    routes = {
        (method, path) for path, operations in document["paths"].items() for method in operations
    }

    assert document["openapi"].startswith("3.1")
    assert routes == PROBLEM_STATUSES.keys()
    assert {route for route in routes if route[0] == "post"} - BODIES.keys() == {
        ("post", "/jobs/{job_id}/cancel"),
        ("post", "/jobs/{job_id}/retry"),
    }
    assert routes - ANSWERS.keys() == {("delete", "/workers/{worker_id}")}


async def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    names = {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}

    assert set(_references(document)) <= names


@pytest.mark.parametrize("route", BODIES, ids=" ".join)
def test_the_examples_of_bodies_are_accepted(route: tuple[str, str]) -> None:
    shape, example = BODIES[route]

    assert msgspec.json.decode(msgspec.json.encode(example), type=shape)


@pytest.mark.parametrize("route", ANSWERS, ids=" ".join)
def test_the_examples_of_answers_have_the_shape_of_answers(route: tuple[str, str]) -> None:
    shape, example = ANSWERS[route]

    decoded: object = msgspec.json.decode(msgspec.json.encode(example), type=shape)
    assert msgspec.json.decode(msgspec.json.encode(decoded)) == example


async def test_the_pages_load_nothing_from_elsewhere(client: httpx.AsyncClient) -> None:
    page = await client.get("/schema")

    assert page.headers["content-type"].startswith("text/html")
    assert 'src="https:' not in page.text
    assert 'href="https:' not in page.text
    for asset in ("swagger-ui-bundle.js", "swagger-ui.css", "swagger-ui-standalone-preset.js"):
        assert f"/assets/{asset}" in page.text
        assert (await client.get(f"/assets/{asset}")).is_success


def _references(node: object) -> list[str]:
    if isinstance(node, dict):
        own = [node["$ref"]] if "$ref" in node else []
        return own + [found for value in node.values() for found in _references(value)]
    if isinstance(node, list):
        return [found for value in node for found in _references(value)]
    return []
