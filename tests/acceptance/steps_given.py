"""How things stand before."""

from pytest_bdd import given, parsers

from tests.acceptance.world import BIG_NUMBER, World


@given("the client submitted a job")
def _(world: World) -> None:
    world.submit({})


@given(parsers.parse('the client submitted a job of type "{job_type}" with priority {priority:d}'))
def _(world: World, job_type: str, priority: int) -> None:
    world.submit({"job_type": job_type, "priority": priority})


@given(parsers.parse("the client submitted a job with priority {priority:d}"))
def _(world: World, priority: int) -> None:
    world.submit({"priority": priority})


@given(
    parsers.parse(
        "the client submitted a job with priority {priority:d} to run in {delay:d} seconds"
    )
)
def _(world: World, priority: int, delay: int) -> None:
    world.submit({"priority": priority, "delay": delay})


@given(parsers.parse('the client submitted a job of type "{job_type}" that says "{text}"'))
def _(world: World, job_type: str, text: str) -> None:
    payload = f'{{"text": "{text}", "message": "{text}"}}'
    world.submit({"job_type": job_type, "payload": payload})


@given(parsers.parse('the client submitted a job to the queue "{queue}"'))
def _(world: World, queue: str) -> None:
    world.submit({"queue": queue})


@given(parsers.parse("the client submitted a job to run in {delay:d} seconds"))
def _(world: World, delay: int) -> None:
    world.submit({"delay": delay})


@given(parsers.re(r"the client submitted a job that may fail (?P<count>\d+) times?"))
def _(world: World, count: str) -> None:
    world.submit({"max_attempts": int(count)})


@given(parsers.parse("the client submitted a job that may run for {timeout:d} seconds"))
def _(world: World, timeout: int) -> None:
    world.submit({"timeout": timeout})


@given(
    parsers.parse(
        "the client submitted a job that waits {delay:d} seconds and may fail {count:d} times"
    )
)
def _(world: World, delay: int, count: int) -> None:
    world.submit({"retry": {"delay": delay}, "max_attempts": count})


@given("the client submitted a job that carries a very large number")
def _(world: World) -> None:
    world.submit({"payload": f'{{"number": {BIG_NUMBER}}}'})


@given(parsers.parse("the client submitted jobs with priorities {a:d}, {b:d} and {c:d}"))
def _(world: World, a: int, b: int, c: int) -> None:
    world.submit(*({"priority": priority} for priority in (a, b, c)))


@given(parsers.parse("the client submitted {count:d} jobs a second apart"))
def _(world: World, count: int) -> None:
    for _ in range(count):
        world.submit({})
        world.pass_seconds(1)


@given(parsers.parse("{worker} has claimed it"))
def _(world: World, worker: str) -> None:
    world.claim(worker)


@given(parsers.parse("{worker} has claimed the first and failed"))
def _(world: World, worker: str) -> None:
    world.fail_once(worker)


@given(parsers.parse("{worker} has claimed the first and handed it back"))
def _(world: World, worker: str) -> None:
    world.claim(worker)
    world.driver.release(world.hands[worker])


@given("it has failed once")
def _(world: World) -> None:
    world.fail_once("Eve")


@given(parsers.parse("{worker} has let it time out"))
def _(world: World, worker: str) -> None:
    world.claim(worker)
    world.pass_seconds(30)


@given(parsers.parse("{worker} has sent a heartbeat after {seconds:d} seconds"))
def _(world: World, worker: str, seconds: int) -> None:
    world.pass_seconds(seconds)
    world.driver.beat(worker, world.hands[worker])


@given(parsers.parse("{worker} has reported success"))
def _(world: World, worker: str) -> None:
    world.driver.succeed(world.hands[worker])


@given(parsers.parse("{worker} has asked for work"))
def _(world: World, worker: str) -> None:
    world.claim(worker)


@given("the client waits for its end")
def _(world: World) -> None:
    world.waiting_client = world.driver.await_end(world.ids[0], at_most_s=30)


@given(parsers.parse("{worker} waits for work"))
def _(world: World, worker: str) -> None:
    world.waiting_worker = world.driver.await_work(worker)


@given(parsers.parse('the client submitted a job under the unique key "{key}"'))
def _(world: World, key: str) -> None:
    world.submit({"unique_key": key})


@given(parsers.parse('the client submitted a job in the letter "{letter}"'))
def _(world: World, letter: str) -> None:
    world.submit({}, letter=letter)


@given(parsers.parse('{worker} has claimed {count:d} jobs in the letter "{letter}"'))
def _(world: World, worker: str, count: int, letter: str) -> None:
    world.claim(worker, limit=count, letter=letter)


@given("an operator has cancelled it")
def _(world: World) -> None:
    world.steer(world.driver.cancel)


@given(parsers.parse("{seconds:d} seconds have passed"))
def _(world: World, seconds: int) -> None:
    world.pass_seconds(seconds)
