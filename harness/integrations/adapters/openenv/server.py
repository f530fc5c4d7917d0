"""The server of OpenEnv: many sessions at once, each with a stage of its own."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from fastapi import FastAPI
from openenv.core.env_server.http_server import HTTPEnvServer
from openenv.core.env_server.types import ConcurrencyConfig, ServerMode
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from harness.integrations.adapters.openenv.page_environment import PageAction, PageEnvironment, PageObservation
from harness.integrations.adapters.stage.stage import Stage
from harness.kit.errors import UserError
from harness.records.config import RunConfig


def application(config: RunConfig, *, encoding: str, sessions: int, idle_seconds: float) -> FastAPI:
    """The server as an application of ASGI, for uvicorn or another server of these.

    Sessions are those of the socket at ``/ws``, over which OpenEnv's clients reset, step and ask for the state. The
    paths ``/reset`` and ``/step`` are not there: OpenEnv makes an environment for each request to them, and beyond
    the bound.

    Args:
        config: Of every session's stage.
        encoding: How a page's text is written (docs/reference/encodings.md).
        sessions: So many may be open at once.
        idle_seconds: A session that does nothing for so long is closed.

    Raises:
        UserError: the configuration names what there is not.
    """
    with Stage(config) as stage:
        instances = [(task, row) for task, rows in stage.instances().items() for row in rows]
    if not instances:
        raise UserError(f"no instance is chosen in {config.tasks_dir}: see --task, --split and --tasks-dir")
    made = FastAPI(title="turkbench")
    HTTPEnvServer(
        partial(PageEnvironment, config, instances, encoding),
        PageAction,
        PageObservation,
        concurrency_config=ConcurrencyConfig(max_concurrent_envs=sessions, session_timeout=idle_seconds),
    ).register_routes(made, ServerMode.PRODUCTION)
    made.add_middleware(WithoutHangups)
    made.add_middleware(WithoutPages)
    return made


class WithoutPages:
    """Turns away what a page of a browser asks for: any page of the web can reach the ports of its reader's machine."""

    def __init__(self, app: ASGIApp) -> None:
        """Stand around an application."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a connection, unless it says which page it is from, as browsers do of each socket."""
        if scope["type"] == "websocket" and any(name == b"origin" for name, _ in scope["headers"]):
            await send({"type": "websocket.close", "code": 1008})
        else:
            await self._app(scope, receive, send)


class WithoutHangups:
    """Lets a client go that has died. OpenEnv closes the socket once more then, and would log a defect."""

    def __init__(self, app: ASGIApp) -> None:
        """Stand around an application."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a connection."""
        with suppress(WebSocketDisconnect):
            await self._app(scope, receive, send)
