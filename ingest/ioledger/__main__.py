"""The command ``ioledger``; also ``python -m ioledger``."""

import gc
import os
import sys

# Nothing here multiplies matrices, and the threads that numpy's BLAS keeps for it wait by spinning when they start: a
# tenth of a second of processor time, which the processes that read would need.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from ioledger.system import run_command


def main() -> int:
    """Run the command that was called; return its exit code."""
    gc.set_threshold(100_000, 20, 20)  # readers make many objects, and few in cycles
    return run_command(_command)


def _command() -> None:
    import click  # noqa: PLC0415  (an interrupt is one line from here on)

    from ioledger.cli import main as command  # noqa: PLC0415

    try:
        sys.exit(command(standalone_mode=False))
    except click.ClickException as wrong:
        wrong.show()
        sys.exit(wrong.exit_code)
    except click.Abort:
        raise KeyboardInterrupt from None


if __name__ == "__main__":
    sys.exit(main())
