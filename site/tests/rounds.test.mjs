// The pages on first rounds, on one drive and on synchronous writes: sentence, picture and tables of a few rows.
import "../../tools/dom.mjs";
import assert from "node:assert/strict";
import {describe, test} from "./limits.mjs";
import {pageContext} from "./drawn.mjs";

const {default: firstRound} = await import("../pages/first-round.js");
const {default: sameDrive} = await import("../pages/same-drive.js");
const {default: syncWrites} = await import("../pages/sync-writes.js");
const said = (node) => node.textContent.replaceAll("\u00a0", " ").replaceAll(/\s+/g, " ");

// Two of the 56 cells of ljishen/SSSPT.
const cell = {access_pattern: "random", queue_depth: 32, block_size_bytes: 16384, read_ratio: 0.05, series_count: 15, off_count: 14, low_count: 14, steady_count: 13, unsteady_count: 2, first_ratio: 0.67, steady_round: 7, most_steady_round: 21};
const cells = [cell, {...cell, read_ratio: 1, off_count: 0, low_count: 0, steady_count: 15, unsteady_count: 0, first_ratio: 1.0, steady_round: 5, most_steady_round: 6}];
const setup = {submission_id: "s", configuration_id: "c", title: "Toshiba HG6, specimen a", device_id: "hg6", device: "Toshiba HG6", drive_specimen: "a", series_count: 56, round_count: 6, most_rounds: 11, steady_round: 6, off_count: 20, steady_count: 50, unsteady_count: 5, broken_count: 1};
const specimen = {submission_id: "s", a_device_id: "hg6", a_device: "HG6 128 GB", a_specimen: "a", b_device_id: "hg6-256", b_device: "HG6 256 GB", b_specimen: "c", load_profile: "4 KiB random read", block_size_bytes: 4096, queue_depth: 32, host_count: 3, bench_count: 5, ratio: 1.0032, ratio_low: 0.9959, ratio_high: 1.0104, verdict: "equal"};
const model = {submission_id: "s", device_id: "hg6-256", device: "HG6 256 GB", a_specimen: "c", b_specimen: "d", a_configuration_id: "hp-4-c", a_title: "c", b_configuration_id: "hp-2-d", b_title: "d", doubt: "its performance oscillates", workload_count: 56, slower_count: 14, faster_count: 0, ratio: 0.9312, ratio_low: 0.8549, ratio_high: 1.0268};
// Rows of ceph-diskbench.
const drive = {submission_id: "s", configuration_id: "c", device_id: "750", device: "Intel 750", short_name: "Intel 750", media_class: "ssd_nvme", write_cache: null, sync_interval: "fdatasync 1", one_point_id: "p1", one_value: 64235, best_point_id: "p2", best_value: 192440, best_jobs: 8, run_count: 1};
const drives = [drive, {...drive, device_id: "pm883", device: "Samsung PM883", short_name: "Samsung PM883", media_class: "ssd_sata", write_cache: "off", one_value: 12680, best_value: 59338, best_jobs: 16}, {...drive, device_id: "970", device: "Samsung 970 PRO", short_name: "Samsung 970 PRO", one_value: 456, best_value: 840, best_jobs: 2}];

describe("the page on first rounds", () => {
  const data = {"data/first-round.json": cells, "data/first-round-setups.json": [setup], "data/specimens.json": [specimen], "data/specimens-of-model.json": [{...model, b_configuration_id: "hp-1-d", slower_count: 12}, model]};
  test("says how many rounds until steady, how many first rounds are off, and what two specimens say", async () => {
    const page = said(await firstRound(pageContext("/first-round", data)));
    assert.match(page, /A series was steady after 5 to 7 rounds \(median by cell\), at most 21; the first round was more than 10 % off the mean of the last five in 14 of 30 series; in 14 of these it was too low; by the SNIA rule 28 of 30 series were steady at the end/i);
    assert.match(page, /HG6 256 GB, specimen d against specimen c on the same host: slower in 14 of 56 workloads, faster in 0; median ratio 0\.93, 0\.85 to 1\.03/);
    assert.match(page, /Specimens of one model differ by more than the two capacities do.*“?its performance oscillates/);
    assert.match(page, /HG6 128 GB, specimen a and HG6 256 GB, specimen c are equal within 5 % in 1 of 1 workloads over 3 hosts, different in 0, undecided in 0/);
    assert.match(page, /67 %/);
    assert.match(said(await firstRound(pageContext("/first-round", data, {language: "ja"}))), /30 系列中 14 系列/);
  });
  test("says so where no series was measured", async () => {
    assert.match(said(await firstRound(pageContext("/first-round", {"data/first-round.json": [], "data/first-round-setups.json": [], "data/specimens.json": [], "data/specimens-of-model.json": []}))), /No series of rounds has been measured yet/);
  });
});

describe("the page on one drive", () => {
  // two of the 18 sets of stonet-optane, and one that was measured at depth 32 as well
  const set = {load_profile: "4 KiB random read", device_id: "optane", device: "Intel Optane SSD", short_name: "Optane SSD", media_class: "ssd_optane", set_count: 2, latency_mean_seconds: 6.88e-6, latency_low_seconds: 6.88e-6, latency_high_seconds: 6.88e-6, point_id: "p", run_count: 1, bench_key: "s/two-socket-server", run_time_seconds: 300, submission_id: "s", configuration_id: "a", title: "Intel Optane, 1 drive: 4 KiB random read, SPDK, user space; figure 4"};
  const sets = [set, {...set, configuration_id: "b", latency_mean_seconds: 10.3e-6, title: "Intel Optane, 1 drive: 4 KiB random read, psync, interrupt; figure 2"}];
  const page = (rows, more = {}) => sameDrive(pageContext("/same-drive", {"data/same-drive-benches.json": rows, "parts/same-drive.json": []}, more)).then(said);

  test("names first what tells the sets of one test bench apart, and describes what is drawn", async () => {
    const found = await page(sets);
    assert.match(found, /SPDK, user space; figure 4 ?.*psync, interrupt; figure 2/);
    assert.match(found, /All on one test bench \(Two-socket-server\).*None was measured at queue depth 32/);
    assert.doesNotMatch(found, /at the right IOPS/);
    assert.match(await page([sets[0], {...sets[1], operations_per_second: 500_000, deep_point_id: "d"}]), /at the right IOPS at queue depth 32/);
    assert.match(await page(sets, {language: "ja"}), /すべて同じ測定環境/);
  });

  test("leads to the series of rounds where no log was kept", async () => {
    const drawn = await sameDrive(pageContext("/same-drive", {"data/same-drive-benches.json": sets, "parts/same-drive.json": []}));
    assert.ok([...drawn.querySelectorAll(".note a")].some((link) => /first-round$/.test(link.getAttribute("href"))));
  });
});

describe("the page on synchronous writes", () => {
  test("names the fastest and the slowest drive, and the state of the write cache", async () => {
    const page = said(await syncWrites(pageContext("/sync-writes", {"data/sync-writes.json": drives})));
    assert.match(page, /With one job Intel 750 delivers 64\.2 k IOPS, Samsung 970 PRO 456 IOPS/);
    assert.match(page, /Samsung PM883, write cache off/);
    assert.match(said(await syncWrites(pageContext("/sync-writes", {"data/sync-writes.json": drives}, {language: "ja"}))), /1 ジョブでは Intel 750 が 64\.2 k IOPS/);
    assert.match(said(await syncWrites(pageContext("/sync-writes", {"data/sync-writes.json": []}))), /No drive has been measured with synchronous writes yet/);
  });
});
