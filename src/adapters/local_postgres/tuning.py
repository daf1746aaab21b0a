"""How the local server is set up."""

from collections.abc import Mapping
from types import MappingProxyType

from adapters.local_postgres.postmaster import PORT

# For the machine of a developer. What makes a commit durable stays as PostgreSQL ships it.
SETTINGS: Mapping[str, str] = MappingProxyType(
    {
        "listen_addresses": "",
        "port": str(PORT),
        "max_connections": "200",
        "shared_buffers": "256MB",
        "max_wal_size": "2GB",
        "random_page_cost": "1.1",
        "jit": "off",
        "autovacuum_naptime": "10s",
        "log_checkpoints": "off",
        "timezone": "UTC",
        "log_timezone": "UTC",
    }
)
