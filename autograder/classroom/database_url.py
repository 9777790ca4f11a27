"""The address of a gradebook's database: where it lies in a network, with limits to how long a silent line is held."""

from sqlalchemy import make_url

PATIENCE = {  # of libpq; an address that names one of these itself keeps its own
    "connect_timeout": "15",  # seconds
    "tcp_user_timeout": "30000",  # milliseconds until what was sent must have arrived
    "keepalives_idle": "15",
    "keepalives_interval": "5",
    "keepalives_count": "3",
}


def with_patience(database: str) -> str:
    """The address for connecting: without limits, a network that is lost would hold a run for hours."""
    url = make_url(database)
    if url.get_backend_name() != "postgresql":
        return database
    own = {name: seconds for name, seconds in PATIENCE.items() if name not in url.query}
    return url.update_query_dict(own).render_as_string(hide_password=False)
