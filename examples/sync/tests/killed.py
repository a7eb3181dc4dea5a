"""Runs the program, and kills it, like `kill -9`, at its n-th step or at the first step with a name:
`python -m tests.killed 7 --csv FILE`."""

import os
import signal
import sys

from contact_sync.cli import main

wanted = sys.argv[1]
left = int(wanted) if wanted.isdigit() else 0


def step(name):
    global left
    left -= 1
    if left == 0 or name == wanted:
        os.kill(os.getpid(), signal.SIGKILL)


sys.exit(main(sys.argv[2:], step))
