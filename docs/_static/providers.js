/** Filters above the table of all providers: by text, kind and evidence. Without this script the table is whole. */
document.addEventListener("DOMContentLoaded", () => {
  const table = document.querySelector(".providers table");
  if (!table) return;
  const rows = [...table.tBodies[0].rows].map((row) => ({
    row,
    text: row.textContent.toLowerCase(),
    cells: [...row.cells].map((cell) => cell.textContent.trim()),
  }));
  const form = document.createElement("form");
  form.className = "provider-filters";
  form.setAttribute("aria-label", "Filter the providers");
  form.addEventListener("submit", (event) => event.preventDefault());

  function field(label, control) {
    const line = document.createElement("label");
    line.append(label, control);
    form.append(line);
    return control;
  }
  function choice(label, column) {
    const select = document.createElement("select");
    const values = [...new Set(rows.map(({ cells }) => cells[column]))].sort();
    select.append(new Option("all", ""), ...values.map((value) => new Option(value, value)));
    return field(label, select);
  }
  const search = document.createElement("input");
  search.type = "search";
  search.autocomplete = "off";
  field("Find", search);
  const kind = choice("Kind", 1);
  const evidence = [choice("Signature verified by", 3), choice("Headers", 4), choice("Bodies", 5)];
  const count = document.createElement("output");
  form.append(count);

  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { row, text, cells } of rows) {
      row.hidden = !(
        words.every((word) => text.includes(word)) &&
        (!kind.value || cells[1] === kind.value) &&
        evidence.every(({ value }, i) => !value || cells[3 + i] === value)
      );
      shown += row.hidden ? 0 : 1;
    }
    count.textContent = `${shown} of ${rows.length} providers`;
  }
  form.addEventListener("input", filter);
  filter();
  table.closest(".providers").prepend(form);
});
