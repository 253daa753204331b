"use strict";
// The roll: each entity is a number, and a list is a set of numbers, shown in ascending order.
const data = JSON.parse(document.getElementById("data").textContent);
const get = (id) => document.getElementById(id);
const total = data.names.length;
const kindOf = new Array(total);
for (const [kind, start, count] of data.kinds) kindOf.fill(kind, start, start + count);
const documentOf = (n) => data.documents[data.document[n]];

// The query of a figure: "kind=spell&document=core", "spells.level=3", "lacks=spell.higher_level", "effect=12", "near=1,2".
function unpacked(steps) {
  let at = 0;
  return new Set(steps.map((step) => (at += step)));
}
function known(key) {
  const [, start, count] = data.kinds.find(([kind]) => kind === key.split(".")[0]);
  const bytes = atob(data.known[key]);
  return (n) => n < start || n >= start + count ? null : (bytes.charCodeAt((n - start) >> 3) >> ((n - start) & 7)) & 1;
}
function test(key, value) {
  if (key === "kind") return [value, (n) => kindOf[n] === value];
  if (key === "document") return [(data.documents.find((d) => d[0] === value) || [, value])[1], (n) => documentOf(n)[0] === value];
  if (key === "edition") return [value || "no edition", (n) => (documentOf(n)[2] || "") === value];
  if (key === "licence") return [value || "no licence known", (n) => (documentOf(n)[3] || "") === value];
  if (key === "source") return ["described by " + value, (n) => data.sources[data.source[n]].includes(value)];
  if (key === "has" && data.known[value]) { const bit = known(value); return [value + " known", (n) => bit(n) === 1]; }
  if (key === "lacks" && data.known[value]) { const bit = known(value); return [value + " unknown", (n) => bit(n) === 0]; }
  if (key === "effect" || key === "attribute") {
    const list = unpacked((key === "effect" ? data.effects : data.attributes)[value] || []);
    return [key, (n) => list.has(n)];
  }
  if (key === "near") { const list = new Set(value.split(",").map(Number)); return ["around " + data.names[parseInt(value, 10)], (n) => list.has(n)]; }
  if (data.facets[key]) {
    const [table, column] = key.split("."), [start] = data.tables[table], facet = data.facets[key];
    return [column.replaceAll("_", " ") + " " + facet.labels[value], (n) => facet.of[n - start] === Number(value)];
  }
  return [key, () => false];
}

const box = get("list"), step = 100;
let listed = [], shown = 0;
function options(select, values, chosen) {
  select.replaceChildren(new Option("all", ""), ...[...values].map(([value, text]) => new Option(text, value)));
  select.value = chosen;
  select.parentElement.hidden = values.size < 2;
}
function open(question, said) {
  const tests = [...new URLSearchParams(question)].map(([key, value]) => test(key, value));
  listed = [];
  for (let n = 0; n < total; n++) if (tests.every(([, passes]) => passes(n))) listed.push(n);
  get("title").textContent = said || tests.map(([name]) => name).join(" · ") || "All records";
  options(get("kind"), new Map(listed.map((n) => [kindOf[n], kindOf[n]])), "");
  options(get("book"), new Map(listed.map((n) => documentOf(n)).sort((a, b) => a[1].localeCompare(b[1])).map((d) => [d[0], d[1]])), "");
  get("sought").value = "";
  filtered();
  if (!box.open) box.showModal();
  get("title").focus();
  history.replaceState(null, "", "#list?" + question);
}
let matching = [];
function filtered() {
  const sought = get("sought").value.trim().toLowerCase(), kind = get("kind").value, book = get("book").value;
  matching = listed.filter((n) => (!kind || kindOf[n] === kind) && (!book || documentOf(n)[0] === book)
    && (!sought || data.names[n].toLowerCase().includes(sought)));
  get("rows").replaceChildren();
  shown = 0;
  more();
}
function more() {
  const rows = matching.slice(shown, shown + step).map((n) => {
    const row = document.createElement("li"), name = document.createElement("span"), where = document.createElement("small");
    name.textContent = data.names[n];
    where.textContent = kindOf[n] + ", " + documentOf(n)[1];
    row.append(name, where);
    return row;
  });
  get("rows").append(...rows);
  shown += rows.length;
  const all = matching.length.toLocaleString("en");
  get("found").textContent = matching.length === shown ? all + (shown === 1 ? " record" : " records") : shown + " of " + all + " records";
  get("more").hidden = shown === matching.length;
}
document.addEventListener("click", (event) => {
  const figure = event.target.closest("a[data-list]");
  if (!figure) return;
  event.preventDefault();
  const question = figure.dataset.list, item = /^(effect|attribute)=/.test(question) && figure.parentElement;
  open(question, item && item.textContent.trim().replace(/^[\d,]+\s*/, ""));
});
for (const id of ["sought", "kind", "book"]) get(id).addEventListener("input", filtered);
get("more").addEventListener("click", more);
get("close").addEventListener("click", () => box.close());
box.addEventListener("click", (event) => { if (event.target === box) box.close(); });
box.addEventListener("close", () => history.replaceState(null, "", location.pathname + location.search));
if (location.hash.startsWith("#list?")) open(location.hash.slice(6));

// The map: its paths have the points in the roll's order.
const map = get("points"), svg = map.querySelector("svg"), here = get("here"), side = svg.viewBox.baseVal.width;
const xs = new Int16Array(total), ys = new Int16Array(total), on = new Uint8Array(total).fill(1);
const runs = new Map(data.kinds.map(([kind, start, count]) => [kind, [start, count]]));
for (const path of svg.querySelectorAll("path")) {
  let n = runs.get(path.dataset.kind)[0];
  for (const found of path.getAttribute("d").matchAll(/M(\d+) (\d+)/g)) { xs[n] = found[1]; ys[n] = found[2]; n++; }
}
let view = [0, 0, side], at = -1;
function look(x, y, width) {
  width = Math.min(side, Math.max(side / 40, width));
  const within = (v) => Math.min(side - width, Math.max(0, v));
  view = [within(x), within(y), width];
  svg.setAttribute("viewBox", view[0] + " " + view[1] + " " + width + " " + width);
  here.setAttribute("r", 9 * width / side);
}
function nearest(x, y, allowed, far = Infinity) {
  let best = -1;
  for (let n = 0; n < total; n++) {
    const distance = (xs[n] - x) ** 2 + (ys[n] - y) ** 2;
    if (on[n] && distance < far && allowed(n)) { best = n; far = distance; }
  }
  return best;
}
function point(n) {
  at = n;
  here.setAttribute("visibility", n < 0 ? "hidden" : "visible");
  if (n < 0) return;
  here.setAttribute("cx", xs[n]); here.setAttribute("cy", ys[n]);
  get("name").textContent = data.names[n] + ", " + kindOf[n] + ", " + documentOf(n)[1];
  const [x, y, width] = view;
  if (xs[n] < x || xs[n] > x + width || ys[n] < y || ys[n] > y + width) look(xs[n] - width / 2, ys[n] - width / 2, width);
}
function zoom(factor) {
  const [x, y, width] = view, middle = at < 0 ? [x + width / 2, y + width / 2] : [xs[at], ys[at]];
  look(middle[0] - width * factor / 2, middle[1] - width * factor / 2, width * factor);
}
function around() {
  if (at < 0) return;
  const order = [];
  for (let n = 0; n < total; n++) if (on[n]) order.push([(xs[n] - xs[at]) ** 2 + (ys[n] - ys[at]) ** 2, n]);
  order.sort((a, b) => a[0] - b[0] || (a[1] === at ? -1 : b[1] === at ? 1 : a[1] - b[1]));
  open("near=" + order.slice(0, 25).map(([, n]) => n).join(","));
}
const placed = (event) => {
  const frame = svg.getBoundingClientRect(), unit = view[2] / frame.width;
  return [view[0] + (event.clientX - frame.left) * unit, view[1] + (event.clientY - frame.top) * unit, unit];
};
let held = null;
map.addEventListener("pointerdown", (event) => { held = { x: event.clientX, y: event.clientY, view: view, moved: false }; });
map.addEventListener("pointermove", (event) => {
  const [x, y, unit] = placed(event);
  if (held && event.buttons && event.pointerType === "mouse") {
    const across = event.clientX - held.x, down = event.clientY - held.y;
    held.moved = held.moved || Math.hypot(across, down) > 4;
    if (held.moved) look(held.view[0] - across * unit, held.view[1] - down * unit, view[2]);
  } else {
    const found = nearest(x, y, () => true, (24 * unit) ** 2);
    if (found >= 0 && found !== at) point(found);
  }
});
map.addEventListener("click", (event) => {
  const moved = held && held.moved;
  held = null;
  if (moved) return;
  const [x, y, unit] = placed(event), found = nearest(x, y, () => true, (24 * unit) ** 2);
  if (found < 0) return;
  const again = found === at;
  point(found);
  if (again || event.pointerType === "mouse") around();
});
const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
map.addEventListener("keydown", (event) => {
  if (ways[event.key]) {
    const [across, down] = ways[event.key];
    // The nearest point that lies more in that direction than to its side.
    const next = at < 0 ? nearest(view[0] + view[2] / 2, view[1] + view[2] / 2, () => true) : nearest(xs[at], ys[at], (n) => {
      const along = (xs[n] - xs[at]) * across + (ys[n] - ys[at]) * down, beside = Math.abs((xs[n] - xs[at]) * down) + Math.abs((ys[n] - ys[at]) * across);
      return along > 0 && along >= beside;
    });
    if (next >= 0) point(next);
  } else if (event.key === "Enter") around();
  else if (event.key === "+") zoom(1 / 1.5);
  else if (event.key === "-") zoom(1.5);
  else return;
  event.preventDefault();
});
get("in").addEventListener("click", () => zoom(1 / 1.5));
get("out").addEventListener("click", () => zoom(1.5));
const boxes = [...document.querySelectorAll(".legend input")];
function toggle() {
  for (const { value, checked } of boxes) {
    svg.querySelector('path[data-kind="' + value + '"]').classList.toggle("off", !checked);
    const [start, count] = runs.get(value);
    on.fill(checked ? 1 : 0, start, start + count);
  }
  if (at >= 0 && !on[at]) point(-1);
}
for (const input of boxes) input.addEventListener("change", toggle);
for (const [id, checked] of [["none", false], ["all", true]]) {
  get(id).addEventListener("click", () => { for (const input of boxes) input.checked = checked; toggle(); });
}
