"""The one module that knows every concrete class."""

import random
from typing import Any

import structlog
from dependency_injector import containers, providers

from adapters.clocks.system import SystemClock
from adapters.http.gateway import HttpHeartbeats, HttpScheduler
from adapters.journal.event_log import StructuredEventLog
from adapters.memory.board import MemoryJobBoard
from adapters.memory.broadcast import NoBroadcast
from adapters.memory.lifecycle import MemoryLifecycle
from adapters.memory.store import MemoryJobStore
from adapters.memory.workers import MemoryWorkerDirectory
from adapters.postgres.board import PostgresJobBoard
from adapters.postgres.broadcast import PostgresBroadcast
from adapters.postgres.clock import PostgresClock
from adapters.postgres.engine import Database
from adapters.postgres.lifecycle import PostgresLifecycle
from adapters.postgres.overdue import PostgresOverdue
from adapters.postgres.store import PostgresJobStore
from adapters.postgres.workers import PostgresWorkerDirectory
from adapters.strategies.http_call import HttpCall
from adapters.strategies.print_message import Print
from adapters.strategies.sleep import Sleep
from application.claim import ClaimJobs
from application.heartbeat import KeepLeases
from application.inspect import CountJobs, GetJob, ListAttempts, ListJobs, ListWorkers, ReachStore
from application.lookout import Lookout, Relay
from application.meet_worker import MeetWorker
from application.reap import ExpireLeases, MakeDue
from application.reaper import Reaper
from application.report import ReportOutcomes
from application.sign_off import SignOff
from application.steer import CancelJob, RetryJob, Steering
from application.submit import SubmitJobs
from application.truce import Truce
from application.waiting_room import WaitingRoom
from application.worker.claiming import Profile
from application.worker.registry import Registry
from application.worker.worker import Worker
from domain.dispatch import Offer
from entrypoints.settings import Settings


class Container(containers.DeclarativeContainer):
    """A scheduler, in the wiring that the settings choose."""

    settings = providers.Dependency(instance_of=Settings)
    event_log = providers.Singleton(StructuredEventLog)
    roll = providers.Object(random.random)

    database = providers.Singleton(
        Database, settings.provided.database_url, pool_size=settings.provided.pool_size
    )
    memory_store = providers.Singleton(MemoryJobStore)

    store = providers.Selector(
        settings.provided.store,
        memory=memory_store,
        postgres=providers.Singleton(PostgresJobStore, database),
    )
    overdue = providers.Selector(
        settings.provided.store,
        memory=memory_store,
        postgres=providers.Singleton(PostgresOverdue, database),
    )
    board = providers.Selector(
        settings.provided.store,
        memory=providers.Singleton(MemoryJobBoard, memory_store),
        postgres=providers.Singleton(PostgresJobBoard, database),
    )
    workers = providers.Selector(
        settings.provided.store,
        memory=providers.Singleton(MemoryWorkerDirectory, memory_store),
        postgres=providers.Singleton(PostgresWorkerDirectory, database),
    )
    broadcast = providers.Selector(
        settings.provided.store,
        memory=providers.Singleton(NoBroadcast),
        postgres=providers.Singleton(PostgresBroadcast, database, settings.provided.database_url),
    )
    clock = providers.Selector(
        settings.provided.store,
        memory=providers.Singleton(SystemClock),
        postgres=providers.Singleton(PostgresClock, database),
    )
    lifecycle = providers.Selector(
        settings.provided.store,
        memory=providers.Singleton(MemoryLifecycle),
        postgres=providers.Singleton(
            PostgresLifecycle,
            settings.provided.database_url,
            database=database,
            clock=clock,
            broadcast=broadcast,
        ),
    )

    room = providers.Singleton(WaitingRoom, broadcast)
    submit = providers.Singleton(
        SubmitJobs, store=store, clock=clock, room=room, event_log=event_log
    )
    get_job = providers.Singleton(GetJob, store=store, room=room)
    list_attempts = providers.Singleton(ListAttempts, store=store)
    steering = providers.Singleton(
        Steering, store=store, clock=clock, room=room, event_log=event_log
    )
    cancel_job = providers.Singleton(CancelJob, steering)
    retry_job = providers.Singleton(RetryJob, steering)
    list_jobs = providers.Singleton(ListJobs, board=board)
    count_jobs = providers.Singleton(CountJobs, board=board, clock=clock)
    reach_store = providers.Singleton(ReachStore, board=board)
    list_workers = providers.Singleton(ListWorkers, workers=workers, clock=clock)
    meet_worker = providers.Singleton(MeetWorker, workers=workers, clock=clock)
    claim = providers.Singleton(ClaimJobs, store=store, clock=clock, room=room, event_log=event_log)
    keep_leases = providers.Singleton(
        KeepLeases, store=store, clock=clock, room=room, event_log=event_log
    )
    report = providers.Singleton(
        ReportOutcomes, store=store, clock=clock, room=room, event_log=event_log, roll=roll
    )
    sign_off = providers.Singleton(
        SignOff, workers=workers, store=store, clock=clock, room=room, event_log=event_log
    )
    reaper = providers.Singleton(
        Reaper,
        expire=providers.Singleton(
            ExpireLeases,
            store=store,
            overdue=overdue,
            clock=clock,
            room=room,
            event_log=event_log,
            roll=roll,
        ),
        make_due=providers.Singleton(
            MakeDue, store=store, overdue=overdue, clock=clock, room=room, event_log=event_log
        ),
        overdue=overdue,
        workers=workers,
        clock=clock,
        truce=providers.Singleton(Truce, lease_length=settings.provided.lease_length),
    )
    lookout = providers.Singleton(Lookout, board=board, room=room)
    relay = providers.Singleton(Relay, broadcast=broadcast, room=room)


class WorkerContainer(containers.DeclarativeContainer):
    """A worker; its own strategies take precedence over those that ship."""

    options: providers.Dependency[Any] = providers.Dependency()
    own_strategies = providers.Dependency(instance_of=dict)
    worker_id = providers.Dependency(instance_of=str)

    http_call = providers.Singleton(HttpCall)
    shipped = providers.List(providers.Singleton(Print), http_call, providers.Singleton(Sleep))
    registry = providers.Singleton(Registry, shipped, own_strategies)
    scheduler = providers.Singleton(HttpScheduler, options.provided.scheduler_url)
    heartbeats = providers.Singleton(HttpHeartbeats, options.provided.scheduler_url)
    offer = providers.Singleton(
        Offer, job_types=registry.provided.job_types, queues=options.provided.queue_names
    )
    worker = providers.Singleton(
        Worker,
        providers.Singleton(
            Profile, worker_id=worker_id, offer=offer, slots=options.provided.slots
        ),
        registry,
        scheduler=scheduler,
        heartbeats=heartbeats,
        log=providers.Singleton(structlog.get_logger, "taskmill"),
        roll=providers.Object(random.random),
        grace=options.provided.grace,
    )
