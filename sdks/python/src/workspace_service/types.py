"""Requests and responses as in the JSON: dictionaries with declared members.

In an update, absent members stay unchanged, and `None` clears a member.
"""

from ._generated.types import *  # noqa: F403
