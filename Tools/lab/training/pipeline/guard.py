"""Runs a command that must not outlive who started it: `python -m pipeline.guard COMMAND...`, in a process group of its own.

Its standard input is a pipe that the one who started it holds open. When that ends, killed or not, so does the whole group.
"""

import os
import signal
import subprocess
import sys
import threading


def main():
    def watch():
        while os.read(0, 1):
            pass
        os.killpg(0, signal.SIGKILL)

    threading.Thread(target=watch, daemon=True).start()
    code = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL).wait()
    sys.exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    main()
