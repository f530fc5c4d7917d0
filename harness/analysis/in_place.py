"""What is asked of an executor, done at once where it is asked for: the same work without another process."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class InPlace(Executor):
    """Calls a function when it is submitted. What it raises is raised by the future, as from any other executor."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Call a function; the future is done."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - whoever asks for the result has it
            future.set_exception(error)
        return future


IN_PLACE = InPlace()
