/** What the theme's pages lack for a keyboard and for a screen reader. */
document.addEventListener("DOMContentLoaded", () => {
  const label = (selector, text) => document.querySelector(selector)?.setAttribute("aria-label", text);
  label(".sidebar-drawer", "All pages");
  label(".toc-drawer", "Contents of this page");

  // A signature over several lines is written as a list of definitions, and is none.
  for (const list of document.querySelectorAll("dt.sig > dl")) {
    const lines = [...list.children].map((line) => {
      const part = document.createElement("span");
      part.className = "sig-line";
      part.append(...line.childNodes);
      return part;
    });
    list.replaceWith(...lines);
  }

  for (const box of document.querySelectorAll("input.task-list-item-checkbox")) {
    box.setAttribute("aria-label", box.closest("li").textContent.trim());
  }

  // The corner of a table heads nothing.
  for (const corner of document.querySelectorAll("th")) {
    if (corner.textContent.trim()) continue;
    const cell = document.createElement("td");
    cell.className = corner.className;
    corner.replaceWith(cell);
  }

  // What scrolls has to be reached by the keyboard: at once, and after each change of its size.
  const reach = (target) => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = target;
    if (scrollWidth > clientWidth || scrollHeight > clientHeight) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  };
  const sizes = new ResizeObserver((changes) => changes.forEach(({ target }) => reach(target)));
  for (const wide of document.querySelectorAll(".table-wrapper, pre, .output, .cell_output, .cell_output > *")) {
    reach(wide);
    sizes.observe(wide);
  }
});
