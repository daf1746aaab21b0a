"""What can be seen then."""

from pytest_bdd import parsers, then

from tests.acceptance.world import BIG_NUMBER, SOON_S, World

LOST = {"lease_lost", "lost"}


@then(parsers.parse("the job is {state}"))
def _(world: World, state: str) -> None:
    assert world.job().state == state


@then(parsers.parse("it was attempted {count:d} times"))
def _(world: World, count: int) -> None:
    assert world.job().attempt == count


@then(parsers.re(r"it has failed (?P<count>\d+) times?"))
def _(world: World, count: str) -> None:
    assert world.job().failures == int(count)


@then(parsers.parse("{count:d} jobs are pending"))
def _(world: World, count: int) -> None:
    assert [job.state for job in world.driver.jobs()] == ["pending"] * count


@then("there is no job")
def _(world: World) -> None:
    assert world.driver.jobs() == []


@then(parsers.parse('the submit is refused because of its "{field}"'))
def _(world: World, field: str) -> None:
    assert world.refused == field


@then(parsers.parse('the submit is refused because of the "{field}" of job {index:d}'))
def _(world: World, field: str, index: int) -> None:
    assert world.refused == f"{field} of {index}"


@then("she gets that number to the last digit")
def _(world: World) -> None:
    assert [BIG_NUMBER in held.payload for held in world.got] == [True]


@then("Ada claims them in the order of the batch")
def _(world: World) -> None:
    world.claim_all("Ada")
    assert world.got_ids() == world.ids


@then(parsers.parse("{_she} gets the priorities {a:d}, {b:d} and {c:d}"))
def _(world: World, a: int, b: int, c: int) -> None:
    assert world.got_priorities() == [a, b, c]


@then(parsers.parse("she gets the priorities {a:d} and {b:d}"))
def _(world: World, a: int, b: int) -> None:
    assert world.got_priorities() == [a, b]


@then(parsers.parse("she gets the priority {a:d}"))
def _(world: World, a: int) -> None:
    assert world.got_priorities() == [a]


@then(parsers.parse('she gets the job from the queue "{queue}"'))
def _(world: World, queue: str) -> None:
    assert [world.driver.job(job_id).queue for job_id in world.got_ids()] == [queue]


@then(parsers.re(r"s?he gets them in the order in which they were submitted"))
def _(world: World) -> None:
    assert world.got_ids() == world.ids


@then("he gets the second, the third and then the first")
def _(world: World) -> None:
    first, second, third = world.ids
    assert world.got_ids() == [second, third, first]


@then(parsers.parse("{worker} gets nothing"))
def _(world: World) -> None:
    assert world.got == []


@then("the job tells of that failure")
def _(world: World) -> None:
    assert world.job().error == "ValueError"


@then("it tells of no failure")
def _(world: World) -> None:
    assert world.job().error is None


@then(parsers.parse('its failure is a "{kind}"'))
def _(world: World, kind: str) -> None:
    assert world.job().error == kind


@then(parsers.parse("it waits {a:d}, {b:d} and {c:d} seconds"))
def _(world: World, a: int, b: int, c: int) -> None:
    assert world.waits == [a, b, c]


@then(parsers.re(r"\w+ is told that (her|his) lease is gone"))
def _(world: World) -> None:
    assert world.told in LOST


@then(parsers.parse("{worker} is told that it counts"))
def _(world: World) -> None:
    assert world.told == "accepted"


@then(parsers.parse("{worker} is told that the job is settled"))
def _(world: World) -> None:
    assert world.told == "already_settled"


@then(parsers.parse("{worker} is listed as {state}"))
def _(world: World, worker: str, state: str) -> None:
    assert world.driver.workers()[worker] == state


@then(parsers.parse("{worker} is not listed"))
def _(world: World, worker: str) -> None:
    assert worker not in world.driver.workers()


@then(parsers.parse("the client is told that the job is {state}"))
def _(world: World, state: str) -> None:
    assert world.waiting_client is not None
    assert world.waiting_client.result(SOON_S).state == state


@then("Ada gets the job she waited for")
def _(world: World) -> None:
    assert world.waiting_worker is not None
    assert [held.job_id for held in world.waiting_worker.result(SOON_S)] == world.ids


@then(parsers.parse('its result is "{text}"'))
def _(world: World, text: str) -> None:
    assert world.job().result == f'"{text}"'


@then(parsers.parse('"{text}" was printed'))
def _(world: World, text: str) -> None:
    assert text in world.printed


@then("the client gets the job that was there")
def _(world: World) -> None:
    first, second = world.ids
    assert first == second


@then("the client gets a new job")
def _(world: World) -> None:
    first, second = world.ids
    assert first != second


@then("the submit is refused because the key is taken")
@then("the submit is refused because the letter was another")
@then("the operator is told that it cannot be done")
def _(world: World) -> None:
    assert world.has_conflict


@then(parsers.parse("{worker} is told to stop"))
def _(world: World) -> None:
    assert world.told == "cancel_requested"


@then(parsers.parse('its attempts ended as "{outcomes}"'))
def _(world: World, outcomes: str) -> None:
    assert ", ".join(map(str, world.driver.attempts(world.ids[0]))) == outcomes


@then("she gets the same jobs")
def _(world: World) -> None:
    assert world.got == world.got_before
    assert world.got
