"""A program that uses the API with a token, and holds every answer against the description."""

from __future__ import annotations

import json
import re
from typing import Any

import jsonschema
from django.contrib.auth.models import User
from django.test import Client

from turkle_app.annotation.tokens import make_token


class Program:
    """One that acts for an account."""

    def __init__(self, user: User | None, scheme: str = "Bearer", token: str | None = None) -> None:
        self._client = Client(SERVER_NAME="localhost", raise_request_exception=False)
        self.token = token or (make_token(user, "a test") if user else "")
        self._headers = {"Authorization": f"{scheme} {self.token}"} if self.token else {}
        self._schema = json.loads(self._client.get("/api/openapi.json").content)

    def ask(self, method: str, path: str, body: object = None, status: int = 200) -> Any:
        """What an address answers, whose status and form are as described."""
        answer = self._client.generic(
            method,
            f"/api/{path}",
            b"" if body is None else json.dumps(body).encode(),
            content_type="application/json",
            headers=self._headers,
        )
        assert answer.status_code == status, answer.content[:500]
        described = self._described(method, path)["responses"][str(status)]
        if "content" not in described:
            return answer.content.decode()
        ((kind, form),) = described["content"].items()
        assert answer["Content-Type"].partition(";")[0] == kind
        if kind != "application/json":
            return answer.content.decode()
        found = json.loads(answer.content)
        jsonschema.validate(found, {**form["schema"], "components": self._schema["components"]})
        return found

    def _described(self, method: str, path: str) -> dict[str, Any]:
        wanted = f"/api/{path.partition('?')[0]}"
        for template, methods in sorted(self._schema["paths"].items(), key=lambda each: "{" in each[0]):
            if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), wanted) and method.lower() in methods:
                return methods[method.lower()]
        raise AssertionError(f"{method} {path} is not described")
