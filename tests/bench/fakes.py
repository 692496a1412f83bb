"""A clock that moves only when something is pulled, and streams whose speed is known exactly."""

from __future__ import annotations

from collections.abc import Callable

from pipeport.bench._streams import Side


class FakeClock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def pass_(self, seconds: float) -> None:
        self.now += seconds


class FakeStream:
    """Portions of `portion` elements; the n-th pull takes `seconds_of(n)`."""

    def __init__(self, clock: FakeClock, seconds_of: Callable[[int], float], portion: int = 32) -> None:
        self.clock, self.seconds_of, self.portion = clock, seconds_of, portion
        self.pulls = 0
        self.closed = False

    def pull(self) -> int:
        assert not self.closed
        self.clock.pass_(self.seconds_of(self.pulls))
        self.pulls += 1
        return self.portion

    def close(self) -> None:
        self.closed = True


class Stage:
    """Opens fake streams and writes down what happens, in order."""

    def __init__(self, clock: FakeClock) -> None:
        self.clock = clock
        self.log: list[str] = []
        self.streams: list[FakeStream] = []

    def side(
        self, name: str, seconds_of: Callable[[int], float], kind: str = "peer", portion: int = 32
    ) -> Side:
        stage = self

        class Logged(FakeStream):
            def close(self) -> None:
                super().close()
                stage.log.append(f"close {name}")

        def start() -> FakeStream:
            running = [stream for stream in stage.streams if not stream.closed]
            assert not running, "a stream was opened while another was running"
            stage.log.append(f"open {name}")
            stage.streams.append(Logged(stage.clock, seconds_of, portion))
            return stage.streams[-1]

        return Side(name=name, kind=kind, open=start)
