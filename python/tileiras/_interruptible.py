"""Ctrl-C while a library works."""

from __future__ import annotations

import threading
from typing import Callable, List, TypeVar

Result = TypeVar("Result")


def call(work: Callable[[], Result], cancel: Callable[[], None]) -> Result:
    """work(), in a thread of its own, so that Ctrl-C reaches the main one, which calls cancel() and waits for the end.
    On other threads, which no signal reaches, it is called as it is."""
    if threading.current_thread() is not threading.main_thread():
        return work()
    outcome: List[Result] = []
    failure: List[BaseException] = []
    ended = threading.Event()  # an interrupted Thread.join() takes the thread for ended

    def target() -> None:
        try:
            outcome.append(work())
        except BaseException as error:  # noqa: BLE001 - it is raised where work() was called for
            failure.append(error)
        finally:
            ended.set()

    threading.Thread(target=target, name="tileiras").start()
    try:
        ended.wait()
    except BaseException:
        cancel()
        _wait_through(ended)
        raise
    if failure:
        raise failure[0]
    return outcome[0]


def _wait_through(ended: threading.Event) -> None:
    """Until the end, however often somebody interrupts: the library works on memory of ours until then."""
    while not ended.is_set():
        try:
            ended.wait()
        except KeyboardInterrupt:
            pass
