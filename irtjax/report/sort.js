"use strict";
// Turns each column heading into a button that sorts. Without scripts the tables stand in
// their first order, complete.
for (const table of document.querySelectorAll("table[data-sortable]")) {
  const body = table.tBodies[0];
  if (body.rows.length < 2) continue;
  const headings = [...table.tHead.rows[0].cells];
  const key = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.sort ?? cell.textContent.trim();
  };
  headings.forEach((heading, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const rising = heading.getAttribute("aria-sort") !== "ascending";
      for (const other of headings) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", rising ? "ascending" : "descending");
      const numeric = heading.classList.contains("number");
      const rows = [...body.rows].map((row) => [key(row, column), row]);
      rows.sort(([a], [b]) => {
        if (a === "" || b === "") return (a === "") - (b === ""); // missing goes last
        const order = numeric ? Number(a) - Number(b) : a.localeCompare(b);
        return rising ? order : -order;
      });
      body.append(...rows.map(([, row]) => row));
    });
  });
}
