// The keyboard: "/" goes to the search box, arrows through the hits. Pages work without it.
const box = document.querySelector("input[type=search]");
const hits = [...document.querySelectorAll("ol.hits > li > a")];

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const at = document.activeElement;
  const typing = at !== box && at.matches("input, select, textarea");
  if (event.key === "/" && at !== box && !typing) {
    event.preventDefault();
    box.focus();
    box.select();
  } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && (at === box || hits.includes(at))) {
    const next = hits.indexOf(at) + (event.key === "ArrowDown" ? 1 : -1);
    if (at === box && next < 0) return;
    event.preventDefault();
    (next < 0 ? box : hits[Math.min(next, hits.length - 1)])?.focus();
  } else if (event.key === "Escape" && hits.includes(at)) {
    box.focus();
  }
});
