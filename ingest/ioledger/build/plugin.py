"""The plug-in of dbt-duckdb that ``profiles.yml`` names: every connection of dbt knows the functions of comparisons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbt.adapters.duckdb.plugins import BasePlugin

from ioledger.build.functions import register

if TYPE_CHECKING:
    import duckdb


class Plugin(BasePlugin):
    """What dbt-duckdb asks for by this name."""

    def configure_connection(self, conn: duckdb.DuckDBPyConnection) -> None:
        """Register the functions."""
        register(conn)
