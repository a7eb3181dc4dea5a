"""Runs the program, and kills it at its n-th step, as `kill -9` would: `python -m tests.killed 7 --csv FILE`."""

import os
import signal
import sys

from contact_sync.cli import main

left = int(sys.argv[1])


def step(name):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)


sys.exit(main(sys.argv[2:], step))
