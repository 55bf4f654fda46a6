"""The command ``ioledger``; also ``python -m ingest``."""

import sys

from ingest import ending


def main() -> int:
    """Run the command that was called; return its exit code."""
    return ending.run(_command)


def _command() -> None:
    # Loaded inside the edge: from here on an interrupt is one line.
    import click  # noqa: PLC0415

    from ingest.cli import main as command  # noqa: PLC0415

    try:
        sys.exit(command(standalone_mode=False))
    except click.ClickException as wrong:
        wrong.show()
        sys.exit(wrong.exit_code)
    except click.Abort:
        raise KeyboardInterrupt from None


if __name__ == "__main__":
    sys.exit(main())
