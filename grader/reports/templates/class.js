"use strict";
// Sorts and searches the table of students. Data is read and written as text, never as markup.
(() => {
  const table = document.getElementById("students");
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase(); // José is found by jose
  const texts = rows.map((row) => plain(row.textContent));
  const where = document.querySelector('nav[aria-label="Pages"]') ? " on this page" : "";

  const told = document.createElement("span");
  told.setAttribute("role", "status");
  const box = document.createElement("input");
  box.type = "search";
  box.id = "search";
  const label = document.createElement("label");
  label.htmlFor = box.id;
  label.textContent = "Search";
  const line = document.createElement("p");
  line.className = "search";
  line.append(label, box, told);
  table.closest(".scroll").before(line);
  box.addEventListener("input", () => {
    const words = plain(box.value).split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, place) => {
      row.hidden = !words.every((word) => texts[place].includes(word));
      shown += row.hidden ? 0 : 1;
    });
    told.textContent = words.length ? `${shown} of ${rows.length}${where}` : "";
  });

  const heads = Array.from(table.tHead.rows[0].cells);
  const collator = new Intl.Collator("en", { numeric: true }); // s2 before s10
  const key = (row, place) => {
    const cell = row.cells[place];
    return "value" in cell.dataset ? Number(cell.dataset.value) : cell.textContent.trim();
  };
  heads.forEach((head, place) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const keys = new Map(rows.map((row) => [row, key(row, place)]));
      const order = [...rows].sort((one, other) => {
        const [a, b] = [keys.get(one), keys.get(other)];
        return (typeof a === "number" ? a - b : collator.compare(a, b)) * (down ? -1 : 1);
      });
      body.append(...order);
    });
  });
})();
