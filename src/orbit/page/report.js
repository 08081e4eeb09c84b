"use strict";
const told = document.getElementById("told");

function valueOf(row, column, isNumber) {
  const cell = row.cells[column];
  const value = cell.dataset.sort ?? cell.textContent.trim();
  return isNumber ? Number(value) : value;
}

function sortBy(table, heading, column) {
  const isNumber = heading.classList.contains("number");
  const before = heading.getAttribute("aria-sort");
  const ascending = before ? before === "descending" : !isNumber; // the largest numbers first
  const direction = ascending ? 1 : -1;
  const order = new Intl.Collator(undefined, { numeric: true });
  const rows = [...table.tBodies[0].rows];
  rows.sort((a, b) => {
    const [one, other] = [valueOf(a, column, isNumber), valueOf(b, column, isNumber)];
    return direction * (isNumber ? one - other : order.compare(one, other));
  });
  table.tBodies[0].append(...rows);
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", ascending ? "ascending" : "descending");
  told.textContent = `${table.caption.textContent}: sorted by ${heading.textContent}, ${heading.getAttribute("aria-sort")}`;
}

for (const table of document.querySelectorAll("table[data-sortable]")) {
  [...table.tHead.rows[0].cells].forEach((heading, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => sortBy(table, heading, column));
  });
}
