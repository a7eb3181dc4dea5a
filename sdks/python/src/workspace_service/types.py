"""What the service takes and answers, as it is in the JSON: dictionaries with declared members.

In an update, a member that is absent stays as it is, and `None` clears.
"""

from ._generated.types import *  # noqa: F403
