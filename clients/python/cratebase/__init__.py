"""A client of the cratebase API, without dependencies."""

from .client import Client, CratebaseError, List
from .generated import *  # noqa: F403

__all__ = ["Client", "Cratebase", "CratebaseError", "List"]  # noqa: F405
