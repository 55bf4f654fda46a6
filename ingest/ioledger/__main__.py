"""The command ``ioledger``; also ``python -m ioledger``."""

import _signal  # type: ignore[import-not-found]  # what ``signal`` wraps: built in, so it is there before any file is read
import os
import sys

# Nothing here multiplies matrices, and the threads that numpy's BLAS keeps for it wait by spinning when they start: a
# tenth of a second of processor time, which the processes that read would need.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def main() -> int:
    """Run the command that was called; return its exit code."""
    if _signal.getsignal(_signal.SIGINT) != _signal.SIG_IGN:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)  # nothing has begun: Control-C just ends it
    from ioledger.system import ending  # noqa: PLC0415

    return ending.run(_command)


def _command() -> None:
    # Loaded inside the edge: from here on an interrupt is one line.
    import click  # noqa: PLC0415

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
