"""The strategies that the features speak of."""

from application.worker.task import Task, TaskFailed


async def shout(task: Task) -> str:
    text: str = task.payload["text"]
    return text.upper()


def spell(task: Task) -> str:
    return "-".join(task.payload["text"])


async def stumble(task: Task) -> None:
    raise RuntimeError(task.payload["text"])


async def refuse(task: Task) -> None:
    raise TaskFailed(task.payload["text"], retryable=False)


async def riddle(task: Task) -> object:
    return {task.payload["text"]: object()}


OWN = {"shout": shout, "spell": spell, "stumble": stumble, "refuse": refuse, "riddle": riddle}
