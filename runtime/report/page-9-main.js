// The page: a header, and the sections that there is something for.

function overview(unit, compilation) {
  const tiles = [];
  const add = (value, name, note) => tiles.push(element("div", {class: "tile"}, element("span", {class: "faint"}, name), element("b", {}, value), note ? element("span", {class: "faint"}, note) : null));
  for (const estimate of unit.estimates.slice(0, 2)) add(duration(estimate.ns), `${estimate.machine}, by the clock`, `bounded by ${estimate.bound}`);
  if (compilation) {
    const kernels = compilation.metadata.kernels || [];
    for (const kernel of kernels.slice(0, 4)) {
      const prefix = kernels.length > 1 ? `${shorten(kernel.name)}: ` : "";
      const threads = kernel.block_size.reduce((product, size) => product * size, 1);
      add(threads, `${prefix}threads a CTA`, kernel.cluster_size.some(size => size > 1) ? `clusters of ${kernel.cluster_size.join(" × ")}` : plural(threads / 32, "warp"));
      const memory = (compilation.memory || []).find(entry => entry.kernel === kernel.name);
      const taken = memory ? Math.max(...memory.parts.map(part => part.offset + part.bytes), 0) : 0;
      if (memory) add(bytes(taken), `${prefix}shared memory`, memory.limit ? `${percent(taken / memory.limit)} of what a CTA may have` : "");
      if (kernel.registers) add(kernel.registers, `${prefix}registers a thread`, kernel.spill_store_bytes + kernel.spill_load_bytes ? `${kernel.spill_store_bytes + kernel.spill_load_bytes} bytes of spills` : "no spills");
      const stages = memory ? memory.pipelines.map(pipeline => pipeline.stages) : [];
      if (stages.length) add(stages.join(", "), `${prefix}stages of ${stages.length === 1 ? "the pipeline" : "pipelines"}`, "");
    }
    const counts = {};
    for (const remark of compilation.remarks) counts[remark.kind] = (counts[remark.kind] || 0) + 1;
    add(compilation.remarks.length, "remarks", Object.entries(counts).map(([kind, count]) => `${count} ${kind.toLowerCase()}`).join(", "));
    const passes = compilation.passes.filter(pass => pass.added + pass.removed).length;
    add(passes, `of ${compilation.passes.length} passes`, "changed something");
  }
  return element("div", {class: "tiles"}, tiles);
}

function drawMetadata(metadata) {
  const options = Object.entries((metadata.profile || {}).options || {});
  return [element("p", {}, `Profile ${metadata.profile.name}${metadata.profile.inherits.length ? `, which inherits ${metadata.profile.inherits.join(", ")}` : ""}; plugins ${metadata.plugins.map(plugin => plugin.name).join(", ")}.`),
    element("div", {class: "scroll"}, element("table", {}, options.map(([key, value]) => element("tr", {}, element("td", {class: "mono"}, key), element("td", {class: "mono"}, String(value)))))),
    metadata.pipeline ? element("details", {}, element("summary", {}, element("span", {class: "name"}, "pipeline, as --pass-pipeline takes it")), element("pre", {style: "white-space:pre-wrap;padding:.4rem .8rem;margin:0"}, metadata.pipeline)) : null];
}

function drawUnit(unit) {
  listeners.length = 0;
  const compilation = unit.compilation, metadata = compilation && compilation.metadata;
  const parsed = parsePtx(compilation ? compilation.ptx : unit.ptx || "");
  const sources = compilation ? compilation.sources : unit.sources || [];
  const sourceText = thing => {
    const source = thing.file && sources.find(each => sameFile(each.file, thing.file));
    return source ? (source.text.split("\n")[thing.line - 1] || "").trim() : "";
  };
  const sections = [["overview", "Overview", overview(unit, compilation)]];
  const add = (id, name, make) => { const nodes = make(); if (nodes && nodes.length) sections.push([id, name, nodes]); };
  if (unit.run) add("run", "Run", () => drawRun(unit.run));
  add("source", parsed.lines.length > 1 ? "Source and PTX" : "Source", () => drawCode(unit, parsed));
  if (compilation) {
    add("schedule", "Schedule", () => compilation.schedules.flatMap(schedule => drawSchedule(schedule, sourceText)));
    add("memory", "Shared memory", () => (compilation.memory || []).flatMap(kernel => {
      const agents = (compilation.agents || []).find(entry => entry.kernel === kernel.kernel);
      return [compilation.memory.length > 1 ? element("h3", {title: kernel.kernel}, shorten(kernel.kernel)) : null, ...drawPipelines(kernel, agents), ...drawMemory(kernel)];
    }));
    add("registers", "Registers", () => drawRegisters(compilation));
  }
  if (parsed.lines.some(row => row.opcodes.length)) add("instructions", "Instructions", () => drawMix(parsed));
  if (unit.estimates.length) add("clock", "Clock", () => unit.estimates.flatMap(drawEstimate));
  if (compilation) {
    add("passes", "Passes", () => drawPasses(compilation.passes));
    add("options", "Options", () => drawMetadata(metadata));
  }
  document.getElementById("main").replaceChildren(...sections.map(([id, name, nodes]) => element("section", {id}, element("h2", {}, name), nodes)));
  document.getElementById("navigation").replaceChildren(...sections.map(([id, name]) => element("a", {href: `#${id}`}, name)));
  watchSections(sections.map(([id]) => id));
  const target = metadata && metadata.target ? `${metadata.target.gpu}${metadata.profile ? `, profile ${metadata.profile.name}` : ""}` : (/^\s*\.target\s+([\w]+)/m.exec(unit.ptx || "") || ["", ""])[1];
  const version = metadata ? `tileiras ${metadata.versions.tileiras}, build ${metadata.versions.build}, LLVM ${metadata.versions.llvm}` : "";
  const choice = units.length > 1 ? element("select", {"aria-label": "module", onchange: event => drawUnit(units[Number(event.target.value)])}, units.map((each, index) => element("option", {value: index, selected: each === unit}, shorten(each.title)))) : null;
  document.getElementById("header").replaceChildren(element("h1", {title: unit.title}, shorten(unit.title)), choice || "", element("span", {class: "faint"}, [target, version].filter(Boolean).join(" · ")), theme);
}

/** The section that one looks at is underlined in the navigation. */
let observer = null;
function watchSections(ids) {
  if (observer) observer.disconnect();
  const links = new Map(ids.map((id, index) => [id, document.getElementById("navigation").children[index]]));
  observer = new IntersectionObserver(entries => {
    for (const entry of entries) if (entry.isIntersecting) links.forEach((link, id) => link.classList.toggle("here", id === entry.target.id));
  }, {rootMargin: "-15% 0px -75% 0px"});
  ids.forEach(id => observer.observe(document.getElementById(id)));
}

const theme = makeTheme();
drawUnit(units[0]);
document.documentElement.dataset.ready = "true"; // for tests
