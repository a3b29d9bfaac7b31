"use strict";
// What all parts use: elements, pictures, colours, the tip at the pointer, and the choice of a source line.

const units = JSON.parse(document.getElementById("data").textContent);
const palette = ["--c0", "--c1", "--c2", "--c3", "--c4", "--c5", "--c6", "--c7"].map(name => `var(${name})`);
const darkOnes = new Set([0, 2, 3, 5, 6, 7]); // of the palette: white letters can be read on them
const colour = index => palette[index % palette.length];

/** element("div", {class: "x", onclick: f}, child, "text", …) */
function element(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}
function drawn(name, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}
function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat(3))
    if (child !== undefined && child !== null && child !== false) node.append(child);
  return node;
}
const text = (x, y, content, attributes = {}) => drawn("text", {x, y, ...attributes}, content);
const line = (x1, y1, x2, y2, kind) => drawn("line", {x1, y1, x2, y2, class: kind});

const fixed = (number, digits = 1) => Number(number).toFixed(digits);
const percent = share => `${fixed(100 * share, share < 0.1 ? 1 : 0)} %`;
const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
function bytes(count) {
  const digits = unit => count % unit === 0 ? 0 : 1;
  return count >= 1 << 20 ? `${fixed(count / (1 << 20), digits(1 << 20))} MiB` : count >= 1024 && (count >= 10240 || count % 1024 === 0) ? `${fixed(count / 1024, digits(1024))} KiB` : `${count} B`;
}
function duration(ns) {
  return ns < 1e4 ? `${fixed(ns, 0)} ns` : ns < 1e7 ? `${fixed(ns / 1e3, 2)} µs` : `${fixed(ns / 1e6, 3)} ms`;
}
/** 1, 2 or 5 times a power of ten: about ten of them in `length`. */
function chooseTick(length) {
  const power = Math.pow(10, Math.floor(Math.log10(Math.max(length, 1) / 12)));
  return [1, 2, 5, 10].map(factor => Math.max(1, factor * power)).find(tick => length / tick <= 12);
}
/** Front ends put all that they know of the arguments into a kernel's name: beginning and end tell them apart. */
function shorten(name) {
  const kMost = 44, kEnd = 12;
  return name.length <= kMost ? name : `${name.slice(0, kMost - kEnd - 1)}…${name.slice(-kEnd)}`;
}
const baseName = file => file.slice(file.lastIndexOf("/") + 1);
const placeOf = thing => thing.file && thing.line ? `${baseName(thing.file)}:${thing.line}` : "";

// The tip.
const tip = document.getElementById("tip");
function showTip(event, content) {
  tip.textContent = content;
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(4, Math.min(event.clientX + 14, innerWidth - box.width - 8))}px`;
  tip.style.top = `${event.clientY + 18 + box.height > innerHeight ? Math.max(4, event.clientY - box.height - 10) : event.clientY + 18}px`;
}
const hideTip = () => { tip.hidden = true; };
/** Attributes of something that says `content` under the pointer, and shows its line of the source. */
function told(content, thing = {}) {
  const place = thing.file && thing.line ? {file: thing.file, line: thing.line} : null;
  return {
    tabindex: place ? 0 : null,
    onmousemove: event => showTip(event, content),
    onmouseenter: () => light(place),
    onmouseleave: () => { hideTip(); light(null); },
    onclick: () => place && choose(place, true),
    onkeydown: event => { if (event.key === "Enter" && place) choose(place, true); },
  };
}

// The line of the source that is under the pointer, or has been clicked on: everything that is about it is marked.
const listeners = [];
const sameFile = (a, b) => a === b || baseName(a) === baseName(b);
function light(place) { listeners.forEach(listener => listener("lit", place, false)); }
function choose(place, scroll, from) { listeners.forEach(listener => listener("picked", place, scroll, from)); }

function makeTheme() {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  let chosen = null;
  try { chosen = localStorage.getItem("tileiras-report-theme"); } catch (error) { /* a file has no storage in some browsers */ }
  const apply = () => { root.dataset.theme = chosen || (system.matches ? "dark" : "light"); };
  system.addEventListener("change", apply);
  apply();
  return element("button", {
    title: "light or dark",
    onclick: () => {
      chosen = root.dataset.theme === "dark" ? "light" : "dark";
      try { localStorage.setItem("tileiras-report-theme", chosen); } catch (error) { /* it holds until the page is left */ }
      apply();
    },
  }, "◐ theme");
}

function bars(rows) {
  return element("div", {class: "bars"}, rows.map(row => [
    element("span", row.tip ? told(row.tip, row.place) : {}, row.name),
    element("div", {class: "track", ...(row.tip ? told(row.tip, row.place) : {})}, row.parts.map(part =>
      element("span", {style: `width:${100 * Math.min(part.share, 1)}%;background:${part.colour}`, title: part.title}))),
    element("span", {class: "faint"}, row.value),
  ]));
}
const legend = entries => element("div", {class: "legend"}, entries.map(([name, shade]) =>
  element("span", {}, element("i", {style: `background:${shade}`}), name)));
