// The program with its remarks, and the PTX beside it.

const kClasses = [ // of PTX instructions; the first that matches
  ["tensor cores", "tensor", /^(wgmma|tcgen05\.(mma|cp|shift)|mma|wmma)/, 5],
  ["bulk and asynchronous copies", "copy", /^(cp\.async|cp\.reduce|multimem|tcgen05\.(ld|st)|prefetch|tensormap)/, 2],
  ["barriers and fences", "sync", /^(bar|barrier|mbarrier|fence|membar|wgmma\.(fence|commit|wait)|tcgen05|griddepcontrol|cp\.async\.(commit|wait)|clusterlaunchcontrol|setmaxnreg|elect|nanosleep)/, 3],
  ["shared memory", "shared", /^((ld|st|atom|red)(\.[a-z0-9_]+)*\.shared|ldmatrix|stmatrix|mapa)/, 4],
  ["global and local memory", "global", /^((ld|st|atom|red|ldu|discard|applypriority)\.|createpolicy)/, 0],
  ["between threads", "shuffle", /^(shfl|vote|match|redux|activemask)/, 6],
  ["functions", "function", /^(ex2|lg2|sin|cos|tanh|rcp|rsqrt|sqrt|div\.(full|approx|rn)\.f)/, 1],
  ["conversions", "convert", /^cvt/, 6],
  ["floating point", "float", /^((add|sub|mul|fma|mad|neg|abs|min|max|copysign|testp)(\.[a-z0-9_]+)*\.(f|bf)[0-9]+)/, 1],
  ["control", "control", /^(bra|brx|ret|exit|call|trap|brkpt)/, 7],
  ["predicates and selection", "select", /^(setp|selp|set|slct)/, 7],
  ["moves", "move", /^(mov|prmt|cvta|isspacep)/, 7],
  ["integers and addresses", "integer", /./, 7],
];
// What belongs to "barriers" although it begins as a copy or an MMA does.
const kSynchronising = /^(wgmma\.(fence|commit_group|wait_group)|cp\.async\.(commit_group|wait_group|wait_all|mbarrier|bulk\.(commit|wait)_group)|tcgen05\.(alloc|dealloc|relinquish|commit|wait|fence))/;
function classify(opcode) {
  if (kSynchronising.test(opcode)) return kClasses[2];
  return kClasses.find(entry => entry[2].test(opcode));
}

const kStatement = /(?:^|[;{}])\s*(?:@!?%?\w+\s+)?([a-z][\w.:]*)(?=\s|;|$)/g;

/** Lines of PTX with their places in the source and their opcodes, and the loops. */
function parsePtx(ptx) {
  const files = new Map();
  for (const match of ptx.matchAll(/^\s*\.file\s+(\d+)\s+"([^"]*)"/gm)) files.set(match[1], match[2]);
  let place = null, entry = "", depth = 0; // depth: of braces
  const labels = new Map(); // so far: inline assembly uses names again
  const loops = [];
  const lines = ptx.split("\n").map((content, index) => {
    const location = /^\s*\.loc\s+(\d+)\s+(\d+)/.exec(content);
    if (location) place = Number(location[2]) && files.has(location[1]) && !files.get(location[1]).startsWith("<") ? {file: files.get(location[1]), line: Number(location[2])} : null;
    const start = /^\s*(?:\.visible\s+|\.weak\s+)*\.(?:entry|func)\b.*?([\w$]+)\s*\(/.exec(content);
    if (start) { entry = start[1]; place = null; }
    const inBody = depth > 0;
    const bare = content.replace(/\/\/.*$|"[^"]*"/g, "");
    depth += (bare.match(/\{/g) || []).length - (bare.match(/\}/g) || []).length;
    if (inBody && depth === 0) place = null;
    const label = /^\s*([\w$]+):/.exec(content);
    if (label) labels.set(label[1], index);
    // Inline assembly has several in a line.
    const opcodes = inBody && !location ? [...bare.matchAll(kStatement)].map(match => match[1]) : [];
    const target = opcodes.some(opcode => opcode.startsWith("bra")) && /([\w$]+)\s*;/.exec(content);
    if (target && labels.has(target[1])) loops.push({begin: labels.get(target[1]), end: index, entry});
    return {text: content, place: opcodes.length ? place : null, opcodes, entry: inBody ? entry : "", isLocation: Boolean(location), label: label && label[1]};
  });
  // Of those that begin at one place, the longest; innermost ones have none within.
  const outermost = loops.filter(loop => !loops.some(other => other !== loop && other.begin === loop.begin && other.end > loop.end));
  for (const loop of outermost)
    loop.isInnermost = !outermost.some(other => other !== loop && other.begin >= loop.begin && other.end <= loop.end);
  return {lines, loops: outermost};
}

function makePane(title, note, rows, controls = []) {
  const list = element("div", {class: "lines"}, rows);
  const code = element("div", {class: "code", tabindex: 0}, list);
  return {code, node: element("div", {class: "pane"}, element("div", {class: "bar"}, element("b", {}, title), element("span", {class: "faint"}, note), controls), code)};
}

/** Marks rows by the place in the source that they are about. */
function followPlaces(code, rows, isSource) {
  const known = new Map(); // "base:line" to rows
  for (const row of rows)
    if (row.place) {
      const key = `${baseName(row.place.file)}:${row.place.line}`;
      known.set(key, [...(known.get(key) || []), row.node]);
    }
  const marked = {lit: [], picked: []};
  listeners.push((kind, place, scroll, from) => {
    marked[kind].forEach(node => node.classList.remove(kind));
    marked[kind] = place ? known.get(`${baseName(place.file)}:${place.line}`) || [] : [];
    marked[kind].forEach(node => node.classList.add(kind));
    if (scroll && from !== code && marked[kind].length) {
      const top = marked[kind][0].offsetTop - code.offsetTop - code.clientHeight / 3;
      code.scrollTo({top: Math.max(0, top), behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth"});
      if (isSource) code.closest("section").scrollIntoView({block: "nearest"});
    }
  });
}
function linkRow(node, place, code) {
  if (!place) return;
  node.classList.add("linked");
  node.addEventListener("mouseenter", () => light(place));
  node.addEventListener("mouseleave", () => light(null));
  node.addEventListener("click", () => { if (String(getSelection()) === "") choose(place, true, code()); });
}

/** Cycles that the clock's first estimate gives each line: "base:line" to a share. */
function heatOf(unit) {
  const heat = new Map();
  for (const cost of (unit.estimates[0] || {lines: []}).lines) {
    const key = baseName(cost.place);
    heat.set(key, (heat.get(key) || 0) + cost.share);
  }
  return heat;
}

function drawRemark(remark) {
  return element("div", {class: `remark ${remark.kind}`}, element("b", {}, remark.name),
    element("span", {}, remark.message, element("span", {class: "faint"}, ` ${remark.kind.toLowerCase()}, ${remark.category}${remark.function ? `, ${shorten(remark.function)}` : ""}`)));
}

function drawSource(source, remarks, heat, otherFiles) {
  let pane;
  const rows = [], nodes = [];
  source.text.replace(/\n$/, "").split("\n").forEach((content, index) => {
    const place = {file: source.file, line: index + 1};
    const share = heat.get(`${baseName(source.file)}:${index + 1}`);
    const comment = /^(.*?)((?:\/\/|#(?=\s)).*)$/.exec(content);
    const node = element("div", {class: "row"}, element("span", {class: "number"}, index + 1),
      heat.size ? element("span", {class: "heat", style: share ? `background:color-mix(in srgb, var(--c5) ${Math.min(70, 8 + 160 * share)}%, transparent);color:var(--text)` : "", title: share ? "share of the cycles of all warps, by the clock" : null}, share ? percent(share) : "") : null,
      element("span", {class: "text"}, comment ? [comment[1], element("span", {class: "tok-comment"}, comment[2])] : content));
    linkRow(node, place, () => pane && pane.code);
    rows.push({node, place});
    nodes.push(node, remarks.filter(remark => remark.line === index + 1 && sameFile(remark.file, source.file)).map(drawRemark));
  });
  let shown = true;
  const toggle = element("button", {"aria-pressed": "true", onclick: event => {
    shown = !shown;
    event.target.setAttribute("aria-pressed", shown);
    pane.code.querySelectorAll(".remark").forEach(node => { node.hidden = !shown; node.style.display = shown ? "" : "none"; });
  }}, "remarks");
  pane = makePane(baseName(source.file), `${plural(rows.length, "line")}${heat.size ? "; shares of cycles by the clock" : ""}`, nodes.flat(2), [otherFiles, toggle]);
  followPlaces(pane.code, rows, true);
  return pane;
}

function drawPtx(parsed) {
  let pane;
  const kMostLetters = 300;
  const rows = parsed.lines.map((row, index) => {
    let content = row.text.length > kMostLetters ? `${row.text.slice(0, kMostLetters)}…` : row.text;
    content = content.replace(/\t/g, "  ");
    let shown = content;
    if (row.isLocation || /^\s*(\.|\/\/)/.test(content)) shown = element("span", {class: "tok-directive"}, content);
    else if (row.label) shown = element("span", {class: "tok-label"}, content);
    else if (row.opcodes.length) {
      let from = 0;
      shown = [];
      for (const opcode of row.opcodes) {
        const at = content.indexOf(opcode, from);
        if (at < 0) break;
        shown.push(content.slice(from, at), element("span", {class: `tok-${classify(opcode)[1]}`}, opcode));
        from = at + opcode.length;
      }
      shown.push(content.slice(from));
    }
    const node = element("div", {class: "row"}, element("span", {class: "number"}, index + 1), element("span", {class: "text"}, shown));
    linkRow(node, row.place, () => pane && pane.code);
    return {node, place: row.place, isLocation: row.isLocation};
  });
  const hide = element("button", {"aria-pressed": "false", title: "lines of .loc", onclick: event => {
    const isShown = event.target.getAttribute("aria-pressed") === "true";
    event.target.setAttribute("aria-pressed", !isShown);
    rows.forEach(row => { if (row.isLocation) row.node.style.display = isShown ? "none" : ""; });
  }}, ".loc");
  rows.forEach(row => { if (row.isLocation) row.node.style.display = "none"; });
  const hasPlaces = rows.some(row => row.place);
  pane = makePane("PTX", `${plural(rows.length, "line")}${hasPlaces ? "; a click shows the line of the source" : "; compiled without --lineinfo: it has no places in the source"}`, rows.map(row => row.node), hasPlaces ? [hide] : []);
  followPlaces(pane.code, rows, false);
  const first = parsed.lines.findIndex(row => row.opcodes.length);
  requestAnimationFrame(() => { if (first > 0) pane.code.scrollTop = Math.max(0, rows[first].node.offsetTop - pane.code.offsetTop - 40); });
  return pane;
}

function drawCode(unit, parsed) {
  const compilation = unit.compilation || {remarks: [], sources: unit.sources || []};
  const sources = [...compilation.sources];
  if (!sources.length && compilation.program) sources.push({file: "the program as it was read", text: compilation.program});
  const remarks = compilation.remarks;
  const heat = heatOf(unit);
  // The file that most is said about first.
  const weight = source => remarks.filter(remark => remark.file && sameFile(remark.file, source.file)).length;
  sources.sort((a, b) => weight(b) - weight(a));
  const nodes = [];
  const homeless = remarks.filter(remark => !sources.some(source => remark.file && sameFile(remark.file, source.file)));
  if (homeless.length) nodes.push(element("div", {}, homeless.map(remark => element("div", {class: `remark ${remark.kind}`, style: "margin-left:0"}, element("b", {}, remark.name), element("span", {}, remark.message, element("span", {class: "faint"}, ` ${placeOf(remark)} ${remark.kind.toLowerCase()}, ${remark.category}`))))));
  const holder = element("div", {class: "panes"});
  const panes = sources.map(() => null);
  const select = sources.length > 1 ? element("select", {"aria-label": "file", onchange: event => show(Number(event.target.value))}, sources.map((source, index) => element("option", {value: index}, baseName(source.file)))) : null;
  const show = index => {
    if (!panes[index]) panes[index] = drawSource(sources[index], remarks, heat, null);
    holder.replaceChildren(...[panes[index].node, ptx && ptx.node].filter(Boolean));
  };
  const ptx = parsed.lines.length > 1 ? drawPtx(parsed) : null;
  if (select) nodes.push(element("p", {}, select));
  if (sources.length) show(0);
  else if (ptx) holder.append(ptx.node);
  nodes.push(holder);
  return nodes;
}

// The instructions of the PTX, counted where they stand.
function drawMix(parsed) {
  const columns = [];
  const opcodesOf = rows => rows.flatMap(row => row.opcodes);
  for (const entry of new Set(parsed.lines.filter(row => row.opcodes.length).map(row => row.entry)))
    columns.push({name: shorten(entry), opcodes: opcodesOf(parsed.lines.filter(row => row.entry === entry))});
  for (const loop of parsed.loops.filter(each => each.isInnermost)) {
    const rows = parsed.lines.slice(loop.begin, loop.end + 1);
    const place = rows.map(row => row.place).find(Boolean);
    columns.push({name: `innermost loop, PTX line ${loop.begin + 1}${place ? ` (${placeOf(place)})` : ""}`, opcodes: opcodesOf(rows), place});
  }
  columns.sort((a, b) => b.opcodes.length - a.opcodes.length);
  const kMost = 9, kLeast = 8; // of columns, and of instructions: smaller loops wait for a barrier
  const shown = columns.filter((column, index) => index < kMost && (index === 0 || column.opcodes.length >= kLeast));
  const count = column => {
    const counts = new Map(kClasses.map(entry => [entry[0], new Map()]));
    for (const opcode of column.opcodes) {
      const known = counts.get(classify(opcode)[0]);
      known.set(opcode, (known.get(opcode) || 0) + 1);
    }
    return counts;
  };
  const total = opcodes => [...opcodes.values()].reduce((sum, number) => sum + number, 0);
  const used = new Set();
  const rows = shown.map(column => {
    const counts = count(column);
    const parts = kClasses.map((entry, index) => {
      const number = total(counts.get(entry[0]));
      if (number) used.add(index);
      const details = [...counts.get(entry[0])].sort((a, b) => b[1] - a[1]).slice(0, 8).map(([name, n]) => `${n} × ${name}`).join("\n");
      return number && {share: number / column.opcodes.length, colour: shade(index), title: `${entry[0]}: ${number} (${percent(number / column.opcodes.length)})\n${details}`};
    }).filter(Boolean);
    return {name: column.name, parts, value: plural(column.opcodes.length, "instruction")};
  });
  const largest = Math.max(...shown.map(column => column.opcodes.length), 1);
  rows.forEach((row, index) => row.parts.forEach(part => { part.share *= shown[index].opcodes.length / largest; }));
  return [legend(kClasses.map((entry, index) => [entry[0], shade(index)]).filter((entry, index) => used.has(index))), bars(rows),
    element("p", {class: "faint small"}, `Counted where they stand in the PTX, not as often as they run; the pointer on a part shows its opcodes.${columns.length > shown.length ? ` ${plural(columns.length - shown.length, "smaller loop")}, most of which wait for barriers, ${columns.length - shown.length === 1 ? "is" : "are"} not shown.` : ""}`)];
}
const kShades = ["var(--c5)", "var(--c2)", "var(--c3)", "var(--c4)", "var(--c0)", "color-mix(in srgb, var(--c6) 60%, var(--back))", "var(--c1)", "var(--c6)", "color-mix(in srgb, var(--c1) 55%, var(--back))", "var(--faint)", "color-mix(in srgb, var(--faint) 70%, var(--back))", "color-mix(in srgb, var(--faint) 45%, var(--back))", "color-mix(in srgb, var(--faint) 25%, var(--back))"];
const shade = index => kShades[index];
