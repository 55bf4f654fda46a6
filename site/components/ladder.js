import * as Plot from "npm:@observablehq/plot";
import {quantities, tick} from "./format.js";
import {decades, frame, hint} from "./figure.js";
import {byMedium, byProfile, colorScale, medium, profileLabel} from "./media.js";
import {numberLink} from "./number.js";

// One row per load profile, one symbol per device, on a log axis: how far apart the media are. A dashed line is a limit
// that a vendor states.
export function ladder(data, {width, quantity = "operations_per_second", limits = []} = {}) {
  const {label, value, text} = quantities[quantity];
  const shown = data.filter((d) => value(d) != null).sort((a, b) => byProfile(a, b) || byMedium(b, a));
  const profiles = [...new Set(shown.map((d) => d.load_profile))];
  const narrow = width < 520;
  const name = narrow ? 76 : 148;
  const stated = limits.filter((d) => value(d) != null);
  return Plot.plot(frame({
    width, height: profiles.length * (narrow ? 46 : 52) + 60, marginLeft: name, marginRight: 24, marginTop: 28, marginBottom: 42,
    label: `Dot plot: ${label} of each device per load profile, log axis`,
    x: {...decades([...shown, ...stated].map(value)), label, labelAnchor: "center", labelArrow: "none", tickFormat: tick, grid: true},
    y: {type: "point", domain: profiles, axis: null, padding: 0.6},
    color: colorScale,
    marks: [
      Plot.axisY({label: null, tickFormat: profileLabel, tickSize: 0, lineWidth: (name - 10) / 13}),
      Plot.ruleX(stated, {x: value, stroke: "var(--warn)", strokeWidth: 1.5, strokeDasharray: "5 3"}),
      Plot.text(stated, {x: value, text: (d) => `${d.device}: stated limit`, frameAnchor: "top", dy: -10, textAnchor: "end", fill: "var(--warn)"}),
      Plot.ruleY(shown, Plot.groupY({x1: "min", x2: "max"}, {y: "load_profile", x: value, x1: value, x2: value, stroke: "var(--line-strong)", strokeWidth: 1.5})),
      Plot.dot(shown, {
        x: value, y: "load_profile", fill: "media_class", stroke: "var(--surface)", strokeWidth: 1.25, symbol: "media_class", r: 7,
        href: (d) => numberLink(d, quantity), ariaLabel: (d) => `${d.device}, ${profileLabel(d.load_profile)}: ${text(value(d))}`
      }),
      hint(shown, {x: value, y: "load_profile", title: (d) => tipText(d, text(value(d)))})
    ]
  }));
}

const tipText = (d, value) => [`${d.device} (${medium(d.media_class).label})`, `${profileLabel(d.load_profile)}: ${d.value_kind === "approximate" ? "about " : ""}${value}`, d.conditions]
  .filter(Boolean).join("\n");
