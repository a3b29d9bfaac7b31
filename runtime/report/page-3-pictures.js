// Schedules, shared memory, agents.

const shortName = name => name.replace(/^(?:[a-z_]+\.)*?([a-z_]+\.\d+)$/, "$1");

function drawSchedule(schedule, sourceText) {
  const kWidth = 1200, kLabel = 170, kLane = 26;
  const rows = schedule.units.map((unit, index) => ({...unit, index})).filter(unit => schedule.operations.some(op => op.uses.some(use => use[0] === unit.index)));
  const iterations = Math.min(schedule.stages + 1, 6);
  let length = 1;
  for (const op of schedule.operations) for (const use of op.uses) length = Math.max(length, op.start + use[1] + use[2]);
  length += (iterations - 1) * schedule.ii;
  const x = cycle => kLabel + (kWidth - kLabel) * cycle / length;
  const height = kLane * rows.length + 52;
  const picture = drawn("svg", {viewBox: `0 0 ${kWidth + 10} ${height}`, role: "img", "aria-label": `schedule of ${schedule.name}`});
  rows.forEach((row, index) => {
    const busy = schedule.operations.flatMap(op => op.uses).filter(use => use[0] === row.index).reduce((sum, use) => sum + use[2], 0) / (row.capacity * schedule.ii);
    const y = 8 + index * kLane;
    picture.append(line(0, y + kLane, kWidth, y + kLane, "grid"), text(2, y + 17, row.name, row.name === schedule.critical ? {"font-weight": 700} : {}), text(kLabel - 8, y + 17, percent(busy), {"text-anchor": "end", class: "faint"}));
  });
  const bottom = 8 + kLane * rows.length;
  for (let iteration = 0; iteration < iterations; ++iteration)
    schedule.operations.forEach(op => {
      for (const [unit, offset, cycles] of op.uses) {
        const start = op.start + iteration * schedule.ii + offset, y = 8 + kLane * rows.findIndex(row => row.index === unit);
        const width = Math.max(x(start + cycles) - x(start), 1);
        const content = `${op.name}\niteration ${iteration}, stage ${op.stage}; ${schedule.units[unit].name} busy in cycles ${start} to ${start + cycles}\nresult after ${op.latency} cycles${op.registers ? `; ${op.registers} registers a thread` : ""}${op.placement ? `\nplaced: ${op.placement}` : ""}${placeOf(op) ? `\n${placeOf(op)}  ${sourceText(op)}` : ""}`;
        picture.append(drawn("rect", {x: x(start), y: y + 3, width, height: kLane - 6, rx: 2, fill: colour(iteration), "fill-opacity": .85, class: "part", "data-place": placeOf(op), ...told(content, op)}));
        const name = shortName(op.name), room = Math.floor((width - 6) / 6.6);
        if (room >= Math.min(name.length, 4)) picture.append(text(x(start) + 4, y + 17, room < name.length ? `${name.slice(0, room - 1)}…` : name, {class: darkOnes.has(iteration) ? "onbar" : "onlight"}));
      }
    });
  for (let iteration = 0; iteration < iterations; ++iteration) picture.append(line(x(iteration * schedule.ii), 2, x(iteration * schedule.ii), bottom, "mark"));
  picture.append(line(kLabel, bottom, kWidth, bottom, "axis"));
  for (let cycle = 0, tick = chooseTick(length); cycle <= length; cycle += tick) picture.append(line(x(cycle), bottom, x(cycle), bottom + 5, "axis"), text(x(cycle), bottom + 18, cycle, {"text-anchor": "middle", class: "faint"}));
  picture.append(text((kLabel + kWidth) / 2, bottom + 36, "cycles, by the machine model", {"text-anchor": "middle", class: "faint"}));
  markParts(picture);
  const operations = schedule.operations.map(op => element("tr", told("", op), element("td", {class: "mono"}, op.name), element("td", {class: "right"}, op.stage), element("td", {class: "right"}, op.start), element("td", {class: "right"}, op.latency), element("td", {}, placeOf(op)), element("td", {class: "mono faint"}, sourceText(op).slice(0, 90))));
  operations.forEach(row => row.addEventListener("mousemove", hideTip));
  return [element("h3", {title: schedule.name}, `${schedule.name.replace(/^[^,]*/, shorten)}${schedule.place ? ` (${schedule.place})` : ""}`),
    element("p", {}, `An iteration begins every ${schedule.ii} cycles (II${schedule.proven ? ", proven minimal" : ""}; ResMII ${schedule.resmii}, RecMII ${schedule.recmii}); ${plural(schedule.stages, "stage")}; scheduler ${schedule.scheduler}${schedule.critical ? `; the busiest unit is ${schedule.critical}` : ""}.`),
    legend([...Array(iterations).keys()].map(i => [`iteration ${i}`, colour(i)])), element("div", {class: "scroll"}, picture),
    element("details", {}, element("summary", {}, element("span", {class: "name"}, plural(schedule.operations.length, "operation"))), element("div", {class: "scroll", style: "padding:.3rem .8rem"}, element("table", {}, element("tr", {}, ["operation", "stage", "start", "latency", "place", ""].map((head, i) => element("th", i > 0 && i < 4 ? {class: "right"} : {}, head))), operations)))];
}

/** Parts of a picture are marked with the line of the source that is under the pointer. */
function markParts(picture) {
  listeners.push((kind, place) => {
    if (kind !== "lit") return;
    const name = place ? placeOf(place) : null;
    picture.querySelectorAll(".part").forEach(part => part.classList.toggle("lit", name !== null && part.dataset.place === name));
  });
}

function kindColour(part) {
  return part.kind === "stages" ? colour(part.pipeline) : part.kind === "barriers" ? "var(--c7)" : part.kind === "exchange" ? "var(--c6)" : "var(--c4)";
}
const partTitle = part => part.kind === "stages" ? `${part.stages} × ${part.tile}, pipeline ${part.pipeline}` : part.kind === "barriers" ? `barriers of pipeline ${part.pipeline}` : part.kind === "exchange" ? `exchange by ${part.tile}` : `tile ${part.tile}`;

function drawMemory(kernel) {
  const kWidth = 1200, kLabel = 90, kHeight = 420;
  const taken = Math.max(...kernel.parts.map(part => part.offset + part.bytes), 0);
  if (!taken) return [element("p", {class: "faint"}, `${shorten(kernel.kernel)} has nothing in shared memory.`)];
  const shownTo = taken, positions = Math.max(kernel.positions, 1);
  const bands = kernel.landmarks.filter(mark => mark.kind === "agent" || mark.end - mark.begin > positions / 200);
  const lanes = []; // of landmarks, one below the other where they are nested
  for (const mark of [...bands].sort((a, b) => a.begin - b.begin || b.end - a.end)) {
    let lane = lanes.findIndex(ends => ends < mark.begin);
    if (lane < 0) lane = lanes.push(-1) - 1;
    lanes[lane] = mark.end;
    mark.lane = lane;
  }
  const top = 20 * Math.min(lanes.length, 5) + 8;
  const x = position => kLabel + (kWidth - kLabel) * position / positions;
  const y = address => top + kHeight * (1 - address / shownTo);
  const picture = drawn("svg", {viewBox: `0 0 ${kWidth + 10} ${top + kHeight + 44}`, role: "img", "aria-label": `shared memory of ${kernel.kernel}`});
  const step = [1024, 2048, 4096, 8192, 16384, 32768, 65536].find(size => shownTo / size <= 8) || 65536;
  for (let address = 0; address <= shownTo; address += step) picture.append(line(kLabel, y(address), kWidth, y(address), "grid"), text(kLabel - 8, y(address) + 4, bytes(address), {"text-anchor": "end", class: "faint"}));
  for (const mark of bands) {
    if (mark.lane >= 5) continue;
    const shadeOf = mark.kind === "agent" ? "var(--c2)" : "var(--c1)", name = mark.kind === "agent" ? mark.name : `loop${mark.line ? `, line ${mark.line}` : ""}`;
    picture.append(drawn("rect", {x: x(mark.begin), y: 2 + 20 * mark.lane, width: Math.max(x(mark.end + 1) - x(mark.begin), 2), height: 17, rx: 3, fill: shadeOf, "fill-opacity": .35, class: "part", "data-place": placeOf(mark), ...told(`${name}: positions ${mark.begin} to ${mark.end}${placeOf(mark) ? `\n${placeOf(mark)}` : ""}`, mark)}));
    const shown = [name, name.replace("loop, ", ""), String(mark.line || "")].find(each => x(mark.end + 1) - x(mark.begin) > 8 + 6.6 * each.length);
    if (shown) picture.append(text(x(mark.begin) + 4, 15 + 20 * mark.lane, shown, {style: "pointer-events:none"}));
  }
  for (const part of [...kernel.parts].sort((a, b) => (b.end - b.begin) - (a.end - a.begin))) {
    const left = x(part.begin), width = Math.max(x(Math.min(part.end + 1, positions)) - left, 3), high = Math.max(y(part.offset) - y(part.offset + part.bytes), 1.5);
    const content = `${partTitle(part)}\nbytes ${part.offset} to ${part.offset + part.bytes} (${bytes(part.bytes)}${part.stages ? `, ${part.stages} stages of ${bytes(part.bytes / part.stages)}` : ""})\nin use at positions ${part.begin} to ${part.end}${part.layout ? `\n${part.layout}` : ""}${placeOf(part) ? `\n${placeOf(part)}` : ""}`;
    picture.append(drawn("rect", {x: left, y: y(part.offset + part.bytes), width, height: high, fill: kindColour(part), "fill-opacity": .8, stroke: "var(--back)", class: "part", "data-place": placeOf(part), ...told(content, part)}));
    if (part.stages > 1 && high / part.stages > 4) for (let stage = 1; stage < part.stages; ++stage) picture.append(drawn("line", {x1: left, x2: left + width, y1: y(part.offset + part.bytes * stage / part.stages), y2: y(part.offset + part.bytes * stage / part.stages), stroke: "var(--back)", "stroke-dasharray": "5 4", "pointer-events": "none"}));
    const name = partTitle(part), room = part.stages > 1 && high / part.stages > 4 ? high / part.stages : high; // of the first stage
    if (room > 14 && width > 8 + 6.6 * name.length) picture.append(text(left + 6, y(part.offset + part.bytes) + room / 2 + 4, name, {class: part.kind === "stages" && !darkOnes.has(part.pipeline % palette.length) ? "onlight" : part.kind === "tile" ? "onlight" : "onbar"}));
  }
  picture.append(line(kLabel, top + kHeight, kWidth, top + kHeight, "axis"), text((kLabel + kWidth) / 2, top + kHeight + 34, "positions of operations in the program; what agents do, they do at the same time", {"text-anchor": "middle", class: "faint"}));
  for (let position = 0, tick = chooseTick(positions); position <= positions; position += tick) picture.append(text(x(position), top + kHeight + 16, position, {"text-anchor": "middle", class: "faint"}));
  markParts(picture);
  const limit = kernel.limit ? ` of ${bytes(kernel.limit)} that a CTA may have (${percent(taken / kernel.limit)})` : "";
  return [element("p", {}, `${shorten(kernel.kernel)} takes ${bytes(taken)}${limit}; ${plural(kernel.parts.length, "part")}. A part is as high as its bytes, and as wide as the stretch of the program in which it is in use: parts beside each other share memory.`), element("div", {class: "scroll"}, picture)];
}

function drawPipelines(kernel, agents) {
  const nameOf = number => {
    const agent = agents && agents.agents[number];
    return number < 0 ? "all warps" : agent ? `agent ${number}: ${agent.roles.join(", ") || "computes"} (${plural(agent.warps, "warp")})` : `agent ${number}`;
  };
  return kernel.pipelines.map(pipeline => {
    const parts = kernel.parts.filter(part => part.kind === "stages" && part.pipeline === pipeline.number);
    const stageBytes = parts.reduce((sum, part) => sum + part.bytes / (part.stages || 1), 0);
    return element("div", {class: "flow", ...told(`pipeline ${pipeline.number}${placeOf(pipeline) ? `, ${placeOf(pipeline)}` : ""}\n${pipeline.payload.map(tile => `${tile.tile || "a scalar"} ${tile.layout || ""}`).join("\n")}`, pipeline)},
      element("div", {class: "box"}, pipeline.producers.map(nameOf).join("; ") || "?"), element("span", {class: "faint"}, `→ ${pipeline.filled ? `${pipeline.filled.toUpperCase()} →` : ""}`),
      element("div", {class: "ring"}, [...Array(Math.min(pipeline.stages, 24)).keys()].map(stage => element("span", {style: `background:${colour(pipeline.number)}`}, stage))),
      element("span", {class: "faint"}, "→"), element("div", {class: "box"}, pipeline.consumers.map(nameOf).join("; ") || "?"),
      element("span", {class: "faint"}, `pipeline ${pipeline.number}: ${plural(pipeline.stages, "stage")}${stageBytes ? ` of ${bytes(stageBytes)}` : ""}, each ${pipeline.payload.map(tile => tile.tile || "a scalar").join(" and ")}`));
  });
}

function drawRegisters(compilation) {
  const kernels = compilation.metadata.kernels || [], nodes = [];
  const kFile = 65536; // 32-bit registers of a multiprocessor, on every GPU from sm_70 on
  for (const kernel of kernels) {
    const agents = (compilation.agents || []).find(entry => entry.kernel === kernel.name);
    const threads = kernel.block_size.reduce((product, size) => product * size, 1);
    const rows = [];
    if (agents) agents.agents.forEach((agent, index) => {
      // Warps get registers by warpgroups: four of them, though one may be there.
      const warps = Math.ceil(agent.warps / 4) * 4, registers = agent.registers || kernel.registers || 0;
      rows.push({name: `agent ${index}: ${agent.roles.join(", ") || "computes"}`, parts: [{share: warps * 32 * registers / kFile, colour: colour(index)}], value: `${plural(agent.warps, "warp")}${agent.warps === warps ? "" : ` (of a group of ${warps})`} × 32 threads × ${registers} = ${warps * 32 * registers} registers`, tip: `warps ${agent.first} to ${agent.first + agent.warps - 1} of the CTA`, place: agents});
    });
    else if (kernel.registers || kernel.register_limit) {
      const registers = kernel.registers || kernel.register_limit;
      rows.push({name: "all warps", parts: [{share: threads * registers / kFile, colour: colour(0)}], value: `${threads} threads × ${registers}${kernel.registers ? "" : " at most"} = ${threads * registers} registers`});
    }
    const said = [];
    if (kernel.registers) said.push(`ptxas: ${kernel.registers} registers a thread, ${plural(kernel.spill_store_bytes + kernel.spill_load_bytes, "byte")} of spills, ${plural(kernel.stack_bytes, "byte")} of stack`);
    else said.push("no assembler was asked: a cubin has its registers and spills here");
    nodes.push(element("h3", {title: kernel.name}, `${shorten(kernel.name)}: ${threads} threads a CTA`), rows.length ? bars(rows) : null, element("p", {class: "faint small"}, `${said.join("; ")}. A whole bar is the register file of a multiprocessor, ${kFile} registers.`));
    const remarks = compilation.remarks.filter(remark => remark.function === kernel.name && (remark.category === "registers" || remark.name === "WarpSpecialization"));
    nodes.push(remarks.map(drawRemark).map(node => { node.style.marginLeft = 0; node.style.maxWidth = "64rem"; return node; }));
  }
  return nodes;
}
