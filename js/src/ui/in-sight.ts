/**
 * Keeps a bar in sight where `position: sticky` does not.
 *
 * JupyterLab wraps an output in boxes that could scroll and never do, since they are as high as their content; an
 * element sticks to the nearest of them, and the notebook scrolls around it. So it is moved with each scroll.
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
    const own = bar.getBoundingClientRect();
    const room = frame.getBoundingClientRect().bottom - own.bottom + shift;
    const sticky = getComputedStyle(bar).position === "sticky";
    const next = sticky ? Math.max(0, Math.min(top - own.top + shift, room)) : 0;
    if (next === shift) return;
    shift = next;
    bar.style.transform = shift ? `translateY(${shift}px)` : "";
  };
  page.addEventListener("scroll", place, { capture: true, passive: true, signal: ends });
}
