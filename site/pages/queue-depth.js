/*---
words: queue_depth
nav: {section: load, order: 210, name: nav.queue_depth}
queries: [queue-depth-curves, queue-depth-applications]
keywords: queue depth iodepth outstanding knee saturation latency little
---*/
import {html} from "htl";
import {curveColumns, curves, depthAnswer, sweeps} from "../components/charts/curves.js";
import {figure, further, heading} from "../components/figure.js";
import {chooseLoad, loadText} from "../components/loads.js";

const LATENCIES = {mean: "latency_mean_seconds", p999: "p999_seconds"};

export default async function page({rows, t, state, link, number, base}) {
  const [found, bands] = await Promise.all([rows("queue-depth-curves"), rows("queue-depth-applications")]);
  // a sweep past the kernel is a curve of its own, beside the one through it
  const all = found.map((d) => d.engine ? {...d, device_id: `${d.device_id}-${d.engine}`, page_id: d.device_id, short_name: `${d.short_name}, ${d.engine.toUpperCase()}`} : d);
  const {load, control} = chooseLoad(all, {t, state});
  const shown = all.filter((d) => d.load_profile === load);
  const drives = sweeps(shown);
  const chosen = state.choice("drive", ["", ...drives.map((d) => d.device_id)], "");
  const [band] = bands;
  const by = state.choice("by", Object.keys(LATENCIES), "mean");
  const answer = depthAnswer(shown, {t});
  return html`<div class="answers">
    ${heading({question: t("queue_depth.title"), answer: answer.head, sub: answer.sub})}
    ${shown.length ? figure({
      id: "curves", question: t("q.depth"),
      load: t("curve.load", {load: loadText(load, t)}),
      controls: html`<div class="controls">${control}
        ${state.select({name: "drive", label: t("curve.in_color"), options: [{value: "", label: t("curve.in_color_auto")}, ...drives.map((d) => ({value: d.device_id, label: d.short_name ?? d.device}))], fallback: ""})}
        ${shown.some((d) => d.p999_seconds != null) ? state.buttons({name: "by", label: t("within.statistic"), options: [{value: "mean", label: t("within.mean")}, {value: "p999", label: "p99.9"}], fallback: "mean"}) : null}</div>`,
      draw: (width) => curves(shown, {width, t, number, by: LATENCIES[by], chosen: chosen ? [chosen] : [], band: band ? {low: band.depth_low, high: band.depth_high} : null}),
      rows: shown, columns: curveColumns({t, number, link}),
      note: [...(band ? t.rich("curve.note_band", {low: band.depth_low, high: band.depth_high, publisher: band.publisher, where: html`<a href=${link("source", {search: band.href.replace(/^source/, "")})}>${t("curve.note_where")}</a>`}) : []), ...t.rich("curve.note")],
      query: "queue-depth-curves", t, state, link, most: 30, machine: `${base}/data/queue-depth-curves.json`
    }) : html`<p class="note">${t("curve.nothing")}</p>`}
    ${further(["queue-depth-knees"], {t, link})}
  </div>`;
}
