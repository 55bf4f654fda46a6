"""Invented runs of DiskSpd, printed as its text report and as its XML: what both state must be read alike."""

from __future__ import annotations

from typing import NamedTuple
from xml.sax.saxutils import escape

RANKS = ("25", "50", "75", "90", "95", "99", "99.9", "99.99")
NAMES = ("25th", "50th", "75th", "90th", "95th", "99th", "3-nines", "4-nines")
OPERATIONS = ("Read", "Write")


class Pair(NamedTuple):
    """What a thread did on a target: operations and mean latency in microseconds, reads first."""

    thread: int
    path: str
    counts: tuple[int, int]
    means: tuple[int, int]


class Made(NamedTuple):
    """A run: targets with one workload, and what each thread did."""

    paths: tuple[str, ...]
    pairs: tuple[Pair, ...]
    block: int
    write_percent: int
    outstanding: int
    threads_per_file: int
    is_random: bool
    is_cached: bool
    centiseconds: int
    warmup: int
    busy: int
    """Hundredths of a percent."""
    latencies: tuple[tuple[int, int], ...]
    """Microseconds at the smallest, each rank and the largest, reads first."""
    has_latency: bool = True

    @property
    def totals(self) -> tuple[int, int]:
        """Operations of all threads."""
        reads, writes = ([pair.counts[index] for pair in self.pairs] for index in (0, 1))
        return sum(reads), sum(writes)

    @property
    def means(self) -> tuple[int, int]:
        """Mean latencies of all threads, as they are printed."""
        return (17, 23)


def _ms(microseconds: int) -> str:
    return f"{microseconds / 1000:.3f}"


def as_text(run: Made, *, size: str = "4KiB", older: bool = False) -> str:
    """Return the report that ``-Rtext`` prints; ``older`` as 2.0.15 does, which has no IOPS deviation."""
    mix = {0: "performing read test", 100: "performing write test"}.get(
        run.write_percent, f"performing mix test (read/write ratio: {100 - run.write_percent}/{run.write_percent})"
    )
    lines = [
        "",
        "Command Line: diskspd.exe -L made.dat",
        "",
        "Input parameters:",
        "",
        "\ttimespan:   1",
        "\t-------------",
    ]
    lines += [
        f"\tduration: {max(run.centiseconds // 100, 1)}s",
        f"\twarm up time: {run.warmup}s",
        "\tcool down time: 0s",
    ]
    lines += ["\tmeasuring latency", "\trandom seed: 0"]
    per = "" if older else " per thread"
    for path in run.paths:
        lines += [f"\tpath: '{path}'", "\t\tthink time: 0ms", "\t\tburst size: 0"]
        lines += ["\t\tusing software cache" if run.is_cached else "\t\tsoftware cache disabled"]
        lines += [f"\t\t{mix}", f"\t\tblock size: {run.block}"]
        lines += [f"\t\tusing {'random I/O (alignment' if run.is_random else 'sequential I/O (stride'}: {size})"]
        lines += [f"\t\tnumber of outstanding I/O operations{per}: {run.outstanding}"]
        lines += [f"\t\tthreads per file: {run.threads_per_file}", "\t\tIO priority: normal"]
    lines += ["", "System information:", "", "\tcomputer name: BENCH", "\tstart time: 2024/03/11 07:15:00 UTC", "", ""]
    lines += ["Results for timespan 1:", "*" * 79, "", f"actual test time:\t{run.centiseconds / 100:.2f}s"]
    lines += [f"thread count:\t\t{len({pair.thread for pair in run.pairs})}", ""]
    lines += [
        "CPU |  Usage |  User  | Kernel |  Idle",
        "-" * 43,
        f"avg.| {run.busy / 100:6.2f}%|   0.00%|   0.00%|   0.00%",
    ]
    for index, section in ((None, "Total IO"), (0, "Read IO"), (1, "Write IO")):
        lines += ["", section, *_table(run, index, older=older)]
    if run.has_latency:
        lines += ["", "", "" if older else "total:", "  %-ile |  Read (ms) | Write (ms) | Total (ms)", "-" * 46]
        for name, at in zip(("min", *NAMES, "max"), run.latencies, strict=True):
            cells = (_ms(value) if count else "N/A" for value, count in zip(at, run.totals, strict=True))
            lines.append(f"{name:>7} | {' | '.join(f'{cell:>10}' for cell in cells)} | {_ms(max(at)):>10}")
    return "\r\n".join(lines) + "\r\n"


def _table(run: Made, index: int | None, *, older: bool) -> list[str]:
    latency, spread = run.has_latency, run.has_latency and not older
    head = "thread |       bytes     |     I/Os     |    MiB/s   |  I/O per s "
    head = head.replace("MiB/s", " MB/s") if older else head
    lines = [head + "|  AvgLat  " * latency + "| IopsStdDev " * spread + "| LatStdDev " * latency + "|  file", "-" * 99]
    for pair in run.pairs:
        count = sum(pair.counts) if index is None else pair.counts[index]
        mean = max(pair.means) if index is None else pair.means[index] * bool(count)
        figures = _figures(run, count, mean, latency=latency, spread=spread)
        lines.append(f"{pair.thread:6} | {figures} | {pair.path} (1024MiB)")
    count = sum(run.totals) if index is None else run.totals[index]
    mean = max(run.means) if index is None else run.means[index] * bool(count)
    return [*lines, "-" * 99, f"total: {_figures(run, count, mean, latency=latency, spread=spread)}"]


def _figures(run: Made, count: int, mean: int, *, latency: bool, spread: bool) -> str:
    seconds = run.centiseconds / 100
    size = count * run.block
    cells = [f"{size:15}", f"{count:12}", f"{size / (1 << 20) / seconds:10.2f}", f"{count / seconds:10.2f}"]
    cells += [_ms(mean)] * latency + ["5.25"] * spread + ["1.500" if count else "N/A"] * latency
    return " | ".join(cells)


def as_xml(run: Made) -> str:
    """Return the report that ``-Rxml`` writes of the same run."""
    order = "<Random>4096</Random>" if run.is_random else "<StrideSize>4096</StrideSize>"
    targets = "".join(
        f"<Target><Path>{escape(path)}</Path><BlockSize>{run.block}</BlockSize>{order}"
        f"<DisableOSCache>{'false' if run.is_cached else 'true'}</DisableOSCache>"
        f"<WriteRatio>{run.write_percent}</WriteRatio><RequestCount>{run.outstanding}</RequestCount>"
        f"<ThreadsPerFile>{run.threads_per_file}</ThreadsPerFile></Target>"
        for path in run.paths
    )
    threads = ""
    for thread in dict.fromkeys(pair.thread for pair in run.pairs):
        own = "".join(_target(run, pair) for pair in run.pairs if pair.thread == thread)
        threads += f"<Thread><Id>{thread}</Id>{own}</Thread>"
    return (
        "<Results><System><RunTime>2024/03/11 07:15:00 UTC</RunTime></System>"
        f"<Profile><TimeSpans><TimeSpan><Duration>{max(run.centiseconds // 100, 1)}</Duration>"
        f"<Warmup>{run.warmup}</Warmup><RequestCount>0</RequestCount><Targets>{targets}</Targets></TimeSpan></TimeSpans>"
        f"</Profile><TimeSpan><TestTimeSeconds>{run.centiseconds / 100:.2f}</TestTimeSeconds><CpuUtilization><Average>"
        f"<UsagePercent>{run.busy / 100:.2f}</UsagePercent></Average></CpuUtilization>{_latency(run)}{threads}"
        "</TimeSpan></Results>"
    )


def _target(run: Made, pair: Pair) -> str:
    told = f"<Target><Path>{escape(pair.path)}</Path>"
    for name, count, mean in zip(OPERATIONS, pair.counts, pair.means, strict=True):
        told += f"<{name}Bytes>{count * run.block}</{name}Bytes><{name}Count>{count}</{name}Count>"
        if run.has_latency and count:
            told += f"<Average{name}LatencyMilliseconds>{_ms(mean)}</Average{name}LatencyMilliseconds>"
    return f"{told}</Target>"


def _latency(run: Made) -> str:
    if not run.has_latency:
        return ""
    latency = iops = ""
    for name, mean, count in zip(OPERATIONS, run.means, run.totals, strict=True):
        if count:
            latency += f"<Average{name}Milliseconds>{_ms(mean)}</Average{name}Milliseconds>"
            latency += f"<{name}LatencyStdev>1.500</{name}LatencyStdev>"
        iops += f"<{name}IopsStdDev>5.25</{name}IopsStdDev>"
    buckets = ""
    for rank, at in zip(("0", *RANKS, "100"), run.latencies, strict=True):
        told = "".join(
            f"<{name}Milliseconds>{_ms(value)}</{name}Milliseconds>"
            for name, value, count in zip(OPERATIONS, at, run.totals, strict=True)
            if count
        )
        buckets += f"<Bucket><Percentile>{rank}</Percentile>{told}</Bucket>"
    return f"<Latency>{latency}{buckets}</Latency><Iops>{iops}</Iops>"
