// What each pass changed.

const kLevels = {"convert-cudatile-to-tileaa": "nv_tileaa", "convert-tileaa-to-tileas": "nv_tileas", "convert-nv-tile-func-to-llvm": "lowering to LLVM"};

function drawDifference(pass) {
  const rows = [];
  for (const hunk of pass.hunks) {
    rows.push(element("div", {class: "hunk"}, `line ${hunk.before} → line ${hunk.after}`));
    for (const row of hunk.lines) rows.push(element("div", {class: row[0] === "+" ? "plus" : row[0] === "-" ? "minus" : ""}, row));
  }
  if (pass.left) rows.push(element("div", {class: "hunk"}, `${plural(pass.left, "line")} more: --mlir-print-ir-after=${pass.pass} prints all`));
  return element("div", {class: "diff", tabindex: 0}, rows);
}

function drawPasses(passes) {
  const list = element("div");
  let onlyChanges = true, pattern = "";
  const draw = () => {
    const rows = [];
    let level = "cuda_tile";
    rows.push(element("h3", {}, level));
    for (const pass of passes) {
      const changes = pass.added + pass.removed;
      const isWanted = !pattern || pass.pass.includes(pattern) || pass.hunks.some(hunk => hunk.lines.some(row => row.includes(pattern)));
      if (isWanted && changes) {
        const details = element("details", {}, element("summary", {}, element("span", {class: "name"}, pass.pass), pass.function ? element("span", {class: "faint small", title: pass.function}, shorten(pass.function)) : null, element("span", {class: "plus"}, pass.added ? `+${pass.added}` : ""), element("span", {class: "minus"}, pass.removed ? `−${pass.removed}` : ""), element("span", {class: "faint small", style: "min-width:5em;text-align:right"}, `${fixed(pass.ms, 2)} ms`)));
        details.addEventListener("toggle", () => { if (details.open && details.childElementCount === 1) details.append(drawDifference(pass)); });
        rows.push(details);
      } else if (isWanted && !onlyChanges) {
        rows.push(element("div", {class: "idle"}, element("span", {class: "mono"}, pass.pass), `, ${fixed(pass.ms, 2)} ms: changed nothing`));
      }
      if (kLevels[pass.pass]) rows.push(element("h3", {}, level = kLevels[pass.pass]));
    }
    list.replaceChildren(...rows);
  };
  const changed = passes.filter(pass => pass.added + pass.removed).length;
  const all = element("button", {"aria-pressed": "false", onclick: event => { onlyChanges = !onlyChanges; event.target.setAttribute("aria-pressed", !onlyChanges); draw(); }}, "also those that changed nothing");
  const search = element("input", {type: "search", placeholder: "a pass, or text of a change", "aria-label": "filter passes", style: "font:inherit;padding:.15rem .5rem;border:1px solid var(--line);border-radius:6px;background:var(--back);color:inherit;min-width:18rem", oninput: event => { pattern = event.target.value; draw(); }});
  draw();
  const total = passes.reduce((sum, pass) => sum + pass.ms, 0);
  return [element("p", {}, `${changed} of ${passes.length} passes changed something; together they took ${fixed(total, 0)} ms. `, all, " ", search), element("p", {class: "faint small"}, "A changed line counts as one that is gone and one that is new. Numbers of values (%12) are not compared."), list];
}
