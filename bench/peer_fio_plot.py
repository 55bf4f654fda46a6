"""
Runs fio-plot's loader on a folder of reports and prints the processor seconds it took and the rows it made.

It is run by a Python that has fio-plot, which need not be this project's: ``PYTHON bench/peer_fio_plot.py FOLDER``.
What is called is what ``fio-plot -i FOLDER -r randread`` calls before it draws (``fio_plot.fiolib.getdata``,
``get_json_data()``): list the reports, which parses each of them, import them, which parses each again, and make one
row per job.
"""

from __future__ import annotations

import importlib
import resource
import sys

DEPTHS = [1 << power for power in range(9)]


def _processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Load the folder named on the command line."""
    importing, parsing = (importlib.import_module(f"fio_plot.fiolib.json{name}") for name in ("import", "parsing"))
    settings = {
        "input_directory": [sys.argv[1]], "rw": "randread", "iodepth": DEPTHS, "numjobs": [1], "filter": ["read"],
        "compare_graph": False,
    }  # fmt: skip
    started = _processor_seconds()
    found = importing.list_json_files(settings)
    rows = parsing.parse_json_data(settings, importing.import_json_dataset(settings, found))
    print(_processor_seconds() - started, sum(len(folder["data"]) for folder in rows))  # noqa: T201  (its answer)


if __name__ == "__main__":
    main()
