"""What happens."""

import pytest
from pytest_bdd import parsers, when

from adapters.strategies.print_message import Print
from tests.acceptance.strategies import OWN
from tests.acceptance.world import World


@when("the client submits a job")
def _(world: World) -> None:
    world.submit({})


@when(parsers.parse("the client submits a job with priority {priority:d}"))
def _(world: World, priority: int) -> None:
    world.submit({"priority": priority})


@when(parsers.re(r'the client submits a job of type "(?P<job_type>[^"]*)"'))
def _(world: World, job_type: str) -> None:
    world.submit({"job_type": job_type})


@when(parsers.parse("the client submits a job that may fail {count:d} times"))
def _(world: World, count: int) -> None:
    world.submit({"max_attempts": count})


@when(parsers.parse("the client submits a job that may run for {timeout:d} seconds"))
def _(world: World, timeout: int) -> None:
    world.submit({"timeout": timeout})


@when("the client submits a job with a time and a delay")
def _(world: World) -> None:
    world.submit({"run_at": "2030-01-01T00:00:00+00:00", "delay": 5})


@when(parsers.parse("the client submits a batch of {count:d} jobs"))
def _(world: World, count: int) -> None:
    world.submit(*({} for _ in range(count)))


@when(parsers.parse("the client submits a batch whose job {index:d} has priority {priority:d}"))
def _(world: World, index: int, priority: int) -> None:
    world.submit(*({"priority": priority if n == index else 0} for n in range(5)))


@when(parsers.parse("{worker} claims a job"))
def _(world: World, worker: str) -> None:
    world.claim(worker)


@when(parsers.re(r"(?P<worker>\w+) claims (?P<count>\d+) jobs"))
def _(world: World, worker: str, count: str) -> None:
    world.claim(worker, limit=int(count))


@when(parsers.re(r"(?P<worker>\w+) claims everything"))
def _(world: World, worker: str) -> None:
    world.claim_all(worker)


@when(parsers.parse('{worker}, who can only "{job_type}", claims everything'))
def _(world: World, worker: str, job_type: str) -> None:
    world.claim_all(worker, job_types=[job_type])


@when(parsers.parse('{worker} claims everything from the queue "{queue}"'))
def _(world: World, worker: str, queue: str) -> None:
    world.claim_all(worker, queues=[queue])


@when(parsers.re(r"(?P<worker>\w+) reports success"))
def _(world: World, worker: str) -> None:
    world.told = world.driver.succeed(world.hands[worker])


@when(parsers.parse("{worker} reports success in her place"))
def _(world: World, worker: str) -> None:
    world.told = world.driver.succeed(world.stolen_by(worker))


@when(parsers.re(r"(?P<worker>\w+) reports a failure"))
def _(world: World, worker: str) -> None:
    world.told = world.driver.fail(world.hands[worker])


@when(parsers.parse("{worker} reports a failure that is final"))
def _(world: World, worker: str) -> None:
    world.told = world.driver.fail(world.hands[worker], retryable=False)


@when(parsers.parse("{worker} hands it back"))
def _(world: World, worker: str) -> None:
    world.told = world.driver.release(world.hands[worker])


@when(parsers.re(r"(?P<worker>\w+) sends a heartbeat"))
def _(world: World, worker: str) -> None:
    [world.told] = world.driver.beat(worker, world.hands[worker])


@when(parsers.parse("{worker} sends a heartbeat for nothing"))
def _(world: World, worker: str) -> None:
    world.driver.beat(worker)


@when(parsers.parse("{worker} reports that she stopped"))
def _(world: World, worker: str) -> None:
    world.told = world.driver.stop(world.hands[worker])


@when("an operator cancels it")
def _(world: World) -> None:
    world.steer(world.driver.cancel)


@when("an operator retries it")
def _(world: World) -> None:
    world.steer(world.driver.retry)


@when(parsers.parse('the client submits a job under the unique key "{key}"'))
def _(world: World, key: str) -> None:
    world.submit({"unique_key": key})


@when(parsers.parse('the client submits a job of type "{job_type}" under the unique key "{key}"'))
def _(world: World, job_type: str, key: str) -> None:
    world.submit({"job_type": job_type, "unique_key": key})


@when(parsers.parse('the client sends the letter "{letter}" again'))
def _(world: World, letter: str) -> None:
    world.submit({}, letter=letter)


@when(parsers.parse('the client submits a job of type "{job_type}" in the letter "{letter}"'))
def _(world: World, job_type: str, letter: str) -> None:
    world.submit({"job_type": job_type}, letter=letter)


@when(parsers.parse('{worker} claims {count:d} jobs in the letter "{letter}"'))
def _(world: World, worker: str, count: int, letter: str) -> None:
    world.claim(worker, limit=count, letter=letter)


@when(parsers.parse("{worker} signs off"))
def _(world: World, worker: str) -> None:
    world.driver.sign_off(worker)


@when(parsers.parse("{seconds:d} seconds pass"))
def _(world: World, seconds: int) -> None:
    world.pass_seconds(seconds)


@when("Ada works with strategies of her own")
def _(world: World) -> None:
    world.driver.work(OWN, job_id=world.ids[0])


@when("Ada works with the strategies that ship")
def _(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    world.driver.work({"print": Print().run}, job_id=world.ids[0])
    world.printed = capsys.readouterr().out.splitlines()


@when("it fails again and again")
def _(world: World) -> None:
    for _ in range(3):
        world.waits.append(world.fail_once("Ada"))
        world.pass_seconds(world.waits[-1])


@when("the client waits a moment for its end")
def _(world: World) -> None:
    world.waiting_client = world.driver.await_end(world.ids[0], at_most_s=0.01)
