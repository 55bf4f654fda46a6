import {resize} from "observablehq:stdlib";
import {html} from "npm:htl";
import {facts} from "./facts.js";
import {figure} from "./figure.js";
import {capacity, exact, iops, quotient, throughput} from "./format.js";
import {byProfile, medium, profileLabel} from "./media.js";
import {byLoads, part} from "./parts.js";
import {topologies} from "./scaling.js";
import {sweep} from "./sweep.js";
import {graded, table} from "./table.js";

const rate = (metric, value) => metric === "operations_per_second" ? `${iops(value)} IOPS` : throughput(value);
const rpm = (hertz) => `${Math.round(hertz * 60).toLocaleString("en-US")} rotations per minute`;

// The page of one device model: what it is, where it was measured, how far it goes, against what it was compared.
export function devicePage({device, configurations, peaks, loads, quotients}) {
  const {label, color} = medium(device.media_class);
  return html`<div>
    <div class="card">${facts([
      ["Medium", html`<span class="medium" style=${`--c: ${color}`}>${label}</span>`, [device.nand_type, device.rotation_hertz ? rpm(device.rotation_hertz) : null].filter(Boolean).join(", ")],
      ["Maker", device.vendor], ["Model", device.model, device.part_number],
      ["Capacity", device.capacity_bytes ? `${capacity(device.capacity_bytes)} (base 10)` : null],
      ["Interface", device.interface_protocol, [device.interface_generation, device.interface_lane_count ? `${device.interface_lane_count} lanes` : null].filter(Boolean).join(", ")],
      ["Form factor", device.form_factor], ["Firmware seen", device.firmwares], device.endurance ? ["Endurance", device.endurance] : null
    ])}</div>
    ${loads.length ? html`<h2>Rate by queue depth</h2>${byLoads(loads, (group) => part(`devices/${device.device_id}`, group, ["sweeps"], ".."), ([sweeps]) => figure({
      title: "What does each step of load bring?", base: "..",
      chart: resize((width) => sweep(sweeps, {width})),
      note: "Geometric mean of the repetitions, with a band from the smallest to the largest; hollow: printed as “about”. One drive; arrays of it are on the scaling page.",
      query: "queue-depth"
    }))}` : null}
    ${peaks.length ? html`<h2>Peaks</h2><div class="card">${table([...peaks].sort(byProfile), [
      {label: "Load profile", value: (d) => profileLabel(d.load_profile), head: true},
      {label: "Peak", value: (d) => rate(d.metric, d.peak_value), num: true},
      {label: "Drives", value: (d) => html`${d.drive_count ?? "not stated"}${d.drive_count > 1 ? html`<small>${topologies[d.storage_topology] ?? d.storage_topology}</small>` : ""}`, num: true},
      {label: "At depth", value: (d) => d.queue_depth ?? `${d.queue_depth_low ?? "?"}–${d.queue_depth_high ?? "?"}`, num: true},
      {label: "How", value: (d) => html`${d.peak_origin}<small>${[d.value_kind === "approximate" && "approximate", d.is_peak_at_edge && "at the largest depth"].filter(Boolean).join(", ")}</small>`},
      {label: "Where", value: (d) => html`<a href=${`../submissions/${d.submission_id}#${d.configuration_id}`}>${d.configuration_id}</a><small>${d.section}</small>`}
    ], {caption: "The highest rate over the measured queue depths, per configuration and load profile", tall: true, records: true})}</div>` : null}
    ${quotients.length ? html`<h2>Compared with other devices</h2><div class="card">${table([...quotients].sort(byProfile), [
      {label: "Against", value: (d) => html`<a href=${`../devices/${d.b_device_id}`}>${d.b_device}</a>`, head: true}, {label: "Load profile", value: (d) => profileLabel(d.load_profile)},
      {label: "This one, A", value: (d) => rate(d.metric, d.a_value), num: true}, {label: "The other, B", value: (d) => rate(d.metric, d.b_value), num: true},
      {label: "Quotient", value: (d) => html`<span title=${exact(d.quotient_ratio)}>${quotient(d.quotient_ratio)}</span><small class="wrap">${d.verdict}</small>`, num: true},
      {label: "Grade", value: (d) => graded(d.comparability_grade, d.comparability_reasons)}
    ], {caption: "Quotients of peaks; above 1 this device is faster. One for each other device and load profile: the one of the best grade", tall: true, records: true})}</div>` : null}
    <h2>Where it was measured</h2>
    <div class="card">${configurations.length ? table(configurations, [
      {label: "Configuration", value: (d) => html`<a href=${`../submissions/${d.submission_id}#${d.configuration_id}`}>${d.title}</a><small>${d.submission_title}</small>`, head: true},
      {label: "Conditions", value: (d) => d.conditions ?? "not stated"}, {label: "Load profiles", value: (d) => d.load_profiles}, {label: "Results", value: (d) => d.result_count, num: true}
    ], {caption: "Configurations whose data lie on this device", tall: true, records: true}) : html`<p>No configuration has this device as its only data drive.</p>`}</div>
  </div>`;
}
