/**
 * Keeps a bar visible where `position: sticky` does not work.
 *
 * JupyterLab wraps an output in scroll containers that never scroll, because they are as high as their content. An
 * element sticks to the nearest one, while the notebook scrolls around it. So a scroll listener moves the bar.
 */
export function keepInSight(bar: HTMLElement, ends: AbortSignal): void {
  let shift = 0;
  const page = bar.ownerDocument;
  const place = (event: Event) => {
    const scroller = event.target as Element | Document;
    const host = (bar.getRootNode() as ShadowRoot).host ?? bar;
    const frame = bar.closest(".hw-generate");
    if (!frame || !scroller.contains(host)) return;
    const top = scroller === page ? 0 : (scroller as Element).getBoundingClientRect().top;
    const rect = bar.getBoundingClientRect();
    const room = frame.getBoundingClientRect().bottom - rect.bottom + shift;
    const sticky = getComputedStyle(bar).position === "sticky";
    const next = sticky ? Math.max(0, Math.min(top - rect.top + shift, room)) : 0;
    if (next === shift) return;
    shift = next;
    bar.style.transform = shift ? `translateY(${shift}px)` : "";
  };
  page.addEventListener("scroll", place, { capture: true, passive: true, signal: ends });
}
