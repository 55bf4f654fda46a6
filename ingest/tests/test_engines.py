"""Past one machine: what the manifest for a cluster names, and how what both engines take is counted and compared."""

from __future__ import annotations

import subprocess
import sys
import tomllib

import pytest
import yaml

from bench.engines import Line, Spent, Stage, Taken, crossing, line, lines, staged
from ioledger.tables.schema import ROOT

APPLICATION = {
    *("type", "pythonVersion", "mode", "image", "sparkVersion", "mainApplicationFile", "arguments", "deps"),
    *("hadoopConf", "sparkConf", "volumes", "driver", "executor", "restartPolicy"),
}
POD = {"cores", "memory", "memoryOverhead", "serviceAccount", "volumeMounts"}
"""Fields of SparkApplicationSpec and SparkPodSpec (sparkoperator.k8s.io/v1beta2) that the manifest may use."""


def test_the_manifest_of_a_cluster_has_fields_that_the_operator_knows() -> None:
    """What it does not know it drops without a word, or refuses."""
    manifest = yaml.safe_load((ROOT / "ingest" / "spark-application.yaml").read_text(encoding="utf-8"))
    spec = manifest["spec"]
    assert manifest["apiVersion"] == "sparkoperator.k8s.io/v1beta2"
    assert set(spec) <= APPLICATION
    assert set(spec["driver"]) <= POD
    assert set(spec["executor"]) <= POD | {"instances"}
    assert {type(value) for kind in ("sparkConf", "hadoopConf") for value in spec[kind].values()} == {str}
    mounted = {volume["name"] for volume in spec["volumes"]}
    assert all({each["name"] for each in spec[pod]["volumeMounts"]} <= mounted for pod in ("driver", "executor"))


def test_the_manifest_of_a_cluster_names_the_spark_that_is_installed() -> None:
    """Driver and workers have to be of one version with the package."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extra = project["project"]["optional-dependencies"]["spark"]
    manifest = yaml.safe_load((ROOT / "ingest" / "spark-application.yaml").read_text(encoding="utf-8"))
    assert f"pyspark=={manifest['spec']['sparkVersion']}" in extra


def test_two_engines_cross_where_the_dearer_start_has_paid() -> None:
    """What starts dearer and grows slower takes less from there on; what grows as fast never does."""
    assert line([(10.0, 7.0), (20.0, 12.0), (30.0, 17.0)]) == pytest.approx(Line(2.0, 0.5))
    assert crossing(Line(2.0, 0.5), Line(12.0, 0.25)) == pytest.approx(40.0)
    assert crossing(Line(2.0, 0.5), Line(12.0, 0.5)) is None
    assert crossing(Line(2.0, 0.5), Line(1.0, 0.25)) == 0


def test_a_stage_has_what_was_spent_between_two_lines_and_models_what_dbt_spent_before() -> None:
    """Lines that end no stage are passed over."""
    marks = [
        ("workspace /somewhere", Spent(1.0, 0.0), 1.0),
        ("  look         2 submissions, 9 files                    0.2 s", Spent(2.0, 0.5), 2.0),
        ("  read         9 files, for 2 submissions                3.7 s", Spent(6.0, 2.5), 4.0),
        ("  expectations 64 expectations, 8 warnings             117.7 s", Spent(8.0, 2.5), 5.0),
        ("  models       86 models, 148 tests                     72.4 s", Spent(18.0, 9.5), 9.0),
    ]
    stages = [Stage("look", 1.5, 2.0), Stage("read", 2.0, 2.0), Stage("expectations", 2.0, 1.0)]
    assert [*staged(marks)] == [*stages, Stage("models", 12.5, 4.0)]


def test_prices_are_told_for_what_was_measured_at_several_sizes() -> None:
    """Reading and models apart, and the whole, each with the size at which both take the same."""
    found = [
        (size, engine, Taken([Stage("read", 10 + size * each, 0.0)], 20 + size * each, 0.0, 0.0))
        for size in (100, 200)
        for engine, each in (("duckdb", 0.01), ("spark", 0.02))
    ]
    told = [*lines(found)]
    assert "reading: duckdb 10.0 s + 10.000 ms each" in told
    assert "reading: they never cross" in told


BUSY = """
import time
started = time.process_time()
while time.process_time() < started + 1: pass
time.sleep(2.5)
"""
LEAVES = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', sys.argv[1]])"
IGNORES = """
import signal, subprocess, sys
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
subprocess.Popen([sys.executable, '-c', sys.argv[1]], restore_signals=True).wait()
"""
ASKED = "import os, sys; from bench.engines import measured; print(measured(sys.argv[1:], {**os.environ})[1])"


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc")
@pytest.mark.parametrize("program", [LEAVES, IGNORES])
def test_what_outlives_the_program_or_is_not_waited_for_is_counted(program: str) -> None:
    """Java ends after the Python that started it, and Python's workers leave no trace with what started them."""
    command = [sys.executable, "-c", ASKED, sys.executable, "-c", program, BUSY]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)  # noqa: S603
    assert float(done.stdout) >= 1
