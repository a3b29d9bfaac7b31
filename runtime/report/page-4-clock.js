// The clock's estimate, and the results of a run.

function drawRoofline(estimate) {
  const kWidth = 640, kRight = 24, kHeight = 330, kLeft = 62, kBottom = 44;
  const intensity = estimate.tflops * 1e12 / Math.max(estimate.dram_gb_s * 1e9, 1), ridge = estimate.possible_tflops * 1e12 / (estimate.possible_dram_gb_s * 1e9);
  const low = Math.floor(Math.log10(Math.min(intensity, ridge) / 4)), high = Math.ceil(Math.log10(Math.max(intensity, ridge) * 4));
  const top = Math.ceil(Math.log10(estimate.possible_tflops * 1.2)), bottom = Math.min(Math.floor(Math.log10(Math.max(estimate.tflops, 1e-6))), top - 2);
  const x = value => kLeft + (kWidth - kLeft - kRight) * (Math.log10(value) - low) / (high - low);
  const y = value => 10 + (kHeight - kBottom - 10) * (1 - (Math.log10(value) - bottom) / (top - bottom));
  const picture = drawn("svg", {viewBox: `0 0 ${kWidth} ${kHeight}`, style: `width:${kWidth}px`, role: "img", "aria-label": "roofline"});
  for (let power = low; power <= high; ++power) picture.append(line(x(10 ** power), y(10 ** top), x(10 ** power), y(10 ** bottom), "grid"), text(x(10 ** power), kHeight - kBottom + 16, 10 ** power >= 1 ? 10 ** power : (10 ** power).toFixed(-power), {"text-anchor": "middle", class: "faint"}));
  for (let power = bottom; power <= top; ++power) picture.append(line(kLeft, y(10 ** power), kWidth - kRight, y(10 ** power), "grid"), text(kLeft - 8, y(10 ** power) + 4, 10 ** power >= 1 ? 10 ** power : (10 ** power).toFixed(-power), {"text-anchor": "end", class: "faint"}));
  const roof = value => Math.min(estimate.possible_tflops, value * estimate.possible_dram_gb_s / 1e3);
  const from = Math.max(10 ** low, 10 ** bottom / (estimate.possible_dram_gb_s / 1e3));
  const points = [[from, roof(from)], [ridge, roof(ridge)], [10 ** high, roof(10 ** high)]];
  picture.append(drawn("polyline", {points: points.map(([a, b]) => `${x(a)},${y(b)}`).join(" "), fill: "none", stroke: "var(--c5)", "stroke-width": 2}));
  const share = estimate.tflops / roof(intensity);
  picture.append(drawn("line", {x1: x(intensity), x2: x(intensity), y1: y(roof(intensity)), y2: y(estimate.tflops), stroke: "var(--c0)", "stroke-dasharray": "3 3"}));
  picture.append(drawn("circle", {cx: x(intensity), cy: y(estimate.tflops), r: 6, fill: "var(--c0)", class: "part", ...told(`${fixed(estimate.tflops)} TFLOP/s at ${fixed(intensity)} FLOP/byte of DRAM\nthe roof there is ${fixed(roof(intensity))} TFLOP/s: ${percent(share)} of it`)}));
  picture.append(text(x(intensity) + (share > .5 && x(intensity) > kWidth / 2 ? -10 : 10), y(estimate.tflops) + 16, `${percent(share)} of the roof`, {"text-anchor": share > .5 && x(intensity) > kWidth / 2 ? "end" : "start"}));
  picture.append(text((kLeft + kWidth) / 2, kHeight - 8, "FLOP per byte of DRAM", {"text-anchor": "middle", class: "faint"}), text(14, 22, "TFLOP/s", {class: "faint", transform: `rotate(-90 14 22)`, "text-anchor": "end"}));
  return picture;
}

const kStallColours = {issue: "var(--good)"};
function drawEstimate(estimate) {
  const units = Object.entries(estimate.units).filter(([, share]) => share >= .005);
  const roles = Object.entries(estimate.roles);
  const kinds = [...new Set(roles.flatMap(([, role]) => Object.keys(role)))].filter(kind => kind !== "warps" && roles.some(([, role]) => role[kind] >= .005));
  kinds.forEach((kind, index) => { kStallColours[kind] = kind === "issue" ? "var(--good)" : colour(index); });
  const lines = estimate.lines.slice(0, 24);
  const split = place => { const at = place.lastIndexOf(":"); return at > 0 && !place.startsWith("<") ? {file: place.slice(0, at), line: Number(place.slice(at + 1))} : {}; };
  return [
    estimate.label ? element("h3", {}, estimate.label) : null,
    element("p", {}, element("b", {}, `${estimate.machine}: ${duration(estimate.ns)}`), `, of which ${duration(estimate.launch_ns)} are the launch; bounded by ${estimate.bound}. `, element("span", {class: "faint"}, `A model${estimate.tentative ? ", tentative" : ""}, at ${fixed(estimate.mhz, 0)} MHz: nothing here was measured.`)),
    element("div", {class: "two"},
      element("div", {}, element("h3", {}, "Units"), bars(units.map(([name, share]) => ({name, parts: [{share, colour: share > .8 ? "var(--c5)" : "var(--c0)"}], value: percent(share)}))),
        element("h3", {}, "What it reaches"), bars([
          ...(estimate.tflops > .001 ? [{name: "arithmetic", parts: [{share: estimate.tflops / estimate.possible_tflops, colour: "var(--c1)"}], value: `${fixed(estimate.tflops)} of ${fixed(estimate.possible_tflops, 0)} TFLOP/s`}] : []),
          {name: "DRAM", parts: [{share: estimate.dram_gb_s / estimate.possible_dram_gb_s, colour: "var(--c2)"}], value: `${fixed(estimate.dram_gb_s, 0)} of ${fixed(estimate.possible_dram_gb_s, 0)} GB/s, ${fixed(estimate.dram_bytes / 1e6, 2)} MB`},
        ]),
        element("h3", {}, "Occupancy"), element("p", {class: "small"}, `${plural(estimate.occupancy.ctas, "CTA")} (${plural(estimate.occupancy.warps, "warp")}) on a multiprocessor, limited by ${estimate.occupancy.limit}: ${estimate.occupancy.registers} registers a thread, ${bytes(estimate.occupancy.shared)} of shared memory a CTA. ${fixed(estimate.waves, 2)} waves, the last on ${percent(estimate.last_wave)} of the multiprocessors.`)),
      estimate.tflops > .001 && estimate.dram_gb_s > 0 ? element("div", {}, element("h3", {}, "Roofline"), drawRoofline(estimate)) : null),
    element("h3", {}, "Where the time of warps goes"), legend(kinds.map(kind => [kind, kStallColours[kind]])),
    bars(roles.map(([name, role]) => ({name: `warps that ${name}`, parts: kinds.map(kind => ({share: role[kind] || 0, colour: kStallColours[kind], title: `${kind}: ${percent(role[kind] || 0)}`})), value: `${plural(role.warps, "warp")} a CTA`}))),
    lines.length ? [element("h3", {}, "Lines"), element("div", {class: "scroll"}, element("table", {}, element("tr", {}, element("th", {class: "right"}, "of the cycles"), element("th", {class: "right"}, "issued"), element("th", {}, "place"), element("th", {}, "dearest instruction")),
      lines.map(cost => element("tr", told("", split(cost.place)), element("td", {class: "right"}, percent(cost.share)), element("td", {class: "right"}, cost.issues.toLocaleString("en")), element("td", {}, baseName(cost.place)), element("td", {class: "mono"}, cost.text.slice(0, 110))))))] : null,
    estimate.notes.map(note => element("p", {class: "faint small"}, note)),
  ];
}

function drawRun(run) {
  const verdict = (good, yes, no) => element("b", {style: `color:var(${good ? "--good" : "--bad"})`}, good ? yes : no);
  const times = time => `median ${fixed(time.median_us, 2)} µs, best ${fixed(time.best_us, 2)} µs of ${plural(time.launches, "launch").replace("launchs", "launches")}${time.teraflops ? `; ${fixed(time.teraflops, 1)} TFLOP/s` : ""}${time.gigabytes_per_second ? `; ${fixed(time.gigabytes_per_second, 0)} GB/s` : ""}`;
  return [element("div", {class: "scroll"}, element("table", {}, element("tr", {}, ["place", "", "runs", "results", "", ""].map(head => element("th", {}, head))),
    run.runs.map(each => element("tr", {}, element("td", {}, each.on), element("td", {}, each.device), element("td", {}, verdict(each.clean, "clean", "has mistakes")), element("td", {}, each.clean && each.agrees !== null ? verdict(each.agrees, "no difference", "differ from what is expected") : ""), element("td", {}, each.time ? times(each.time) : ""), element("td", {class: "small mono", style: "white-space:pre-wrap"}, each.report || ""))),
    Object.entries(run.skipped).map(([place, why]) => element("tr", {}, element("td", {}, place), element("td", {class: "faint", colspan: 5}, `not run: ${why}`))))),
    run.comparisons.map(each => element("p", {}, `${each.first} and ${each.second}: `, verdict(each.agrees, `agree in ${each.elements.toLocaleString("en")} elements`, "differ")))];
}
