"""Where the household's scheduler listens, and how it is reached from here."""

import errno
import socket
from collections.abc import Iterator, Mapping
from http.client import HTTPConnection, HTTPException
from typing import Any

from entrypoints.up.errors import UpError

LOCAL = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - not listened on
ANSWERS_WITHIN_S = 2
NOT_FREE = frozenset({errno.EADDRINUSE, errno.EACCES})


def url_of(host: str, port: int) -> str:
    """Return the URL at which a process on this computer finds the scheduler."""
    name = LOCAL.get(host, host)
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


def url_for_people(host: str, port: int) -> str:
    """Return the URL to tell: `localhost` where that is the same."""
    return url_of("localhost" if url_of(host, port) == url_of("", port) else host, port)


def around_proxies(host: str, environment: Mapping[str, str]) -> str:
    """Return a `no_proxy` that lets the household's own calls go straight to the scheduler."""
    given = environment.get("no_proxy") or environment.get("NO_PROXY") or ""
    own = ["localhost", "127.0.0.1", "::1", LOCAL.get(host, host)]
    return ",".join(filter(None, [given, *own]))


def require_free_port(host: str, port: int) -> None:
    """Raise `UpError` if the scheduler could not listen there."""
    for family, address in _addresses(host, port):
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            try:
                probe.bind(address)
            except OSError as error:
                advice = "; choose another with --port" if error.errno in NOT_FREE else ""
                message = f"cannot listen on {host} port {port}: {error.strerror}{advice}"
                raise UpError(message) from None


def is_ready(host: str, port: int) -> bool:
    """Tell whether a scheduler answers there, and reaches its store."""
    connection = HTTPConnection(LOCAL.get(host, host), port, timeout=ANSWERS_WITHIN_S)
    try:
        connection.request("GET", "/health/ready")
        return connection.getresponse().status == 200  # noqa: PLR2004 - HTTP's "OK"
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def _addresses(host: str, port: int) -> Iterator[tuple[socket.AddressFamily, tuple[Any, ...]]]:
    try:
        found = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except (OSError, UnicodeError):
        raise UpError(f"cannot listen on {host!r}: there is no such address") from None
    for family, *_, address in found:
        yield family, address
