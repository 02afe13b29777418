/**
 * The question whether a token may go to the kernel, with the button that answers it.
 *
 * Only a click of a person counts, and only one on what the person could read: a page may cover the frame, or move it
 * under a pointer that is about to press something else.
 */
import type { ConsentQuestion } from "./protocol.js";

/** Time that the button must be in full sight, and pointer or focus on it at the same place of the screen. */
export const STEADY_MS = 500;

const NOT_IN_SIGHT = "Not sent: something covers this field. Bring all of it into sight, then press again.";
const TOO_FAST = "Press again to send the token.";

/** Since when something has held, or null. */
type Since = number | null;

export interface Consent {
  readonly element: HTMLElement;
  show(question: ConsentQuestion | null): void;
}

export function createConsent(
  document: Document,
  id: string,
  answer: (question: ConsentQuestion, agreed: boolean) => void,
  say: (text: string) => void,
): Consent {
  const make = <N extends keyof HTMLElementTagNameMap>(name: N, className: string) => {
    const element = document.createElement(name);
    element.className = className;
    return element;
  };
  const element = make("div", "hw-consent");
  const text = make("p", "");
  const send = make("button", "hw-btn hw-primary");
  const cancel = make("button", "hw-btn");
  const problem = make("p", "hw-warn");
  text.id = `${id}-consent`;
  element.hidden = true;
  element.setAttribute("role", "group");
  element.setAttribute("aria-labelledby", text.id);
  send.type = cancel.type = "button";
  cancel.textContent = "Cancel";

  let asked: ConsentQuestion | null = null;
  let inSight: Since = null;
  let onButton: Since = null;
  let place = "";
  const watch = watchSight(element, (sight) => {
    inSight = sight ? (inSight ?? performance.now()) : null;
  });
  const long = (since: Since) => since !== null && performance.now() - since >= STEADY_MS;
  const note = (next: string) => {
    problem.textContent = next;
    if (next) say(next);
  };
  // The frame's place on the screen: where it moves, the time begins again.
  const track = ({ screenX, screenY, clientX, clientY }: PointerEvent) => {
    const now = `${Math.round(screenX - clientX)} ${Math.round(screenY - clientY)}`;
    if (now !== place || onButton === null) onButton = performance.now();
    place = now;
  };
  const leave = () => {
    onButton = null;
  };
  for (const type of ["pointerenter", "pointermove", "pointerdown"] as const)
    send.addEventListener(type, track);
  send.addEventListener("pointerleave", leave);
  send.addEventListener("focus", () => {
    onButton ??= performance.now();
  });
  send.addEventListener("blur", leave);
  send.addEventListener("click", (event) => {
    if (!asked || !event.isTrusted) return;
    if (!long(inSight)) note(NOT_IN_SIGHT);
    else if (!long(onButton)) note(TOO_FAST);
    else answer(asked, true);
  });
  cancel.addEventListener("click", () => asked && answer(asked, false));
  const buttons = make("div", "hw-row");
  buttons.append(send, cancel);
  element.append(text, buttons, problem);

  return {
    element,
    show(question) {
      if (question?.id === asked?.id) return;
      asked = question;
      element.hidden = !question;
      watch(question !== null);
      inSight = onButton = null;
      note("");
      if (!question) return;
      text.textContent = `Send this token to ${question.host}? For this one request it leaves the tab: it goes to the kernel, which sends it to ${question.host}.`;
      send.textContent = `Send token to ${question.host}`;
      say(`Confirm in the secret's field: ${text.textContent}`);
    },
  };
}

/** Tell when an element comes into full sight or leaves it; also when it is covered, where the browser can tell. */
function watchSight(element: Element, changed: (inSight: boolean) => void): (on: boolean) => void {
  const options = { threshold: [0, 0.5, 0.98, 1], trackVisibility: true, delay: 100 };
  const observer = new IntersectionObserver((entries) => {
    const { intersectionRatio, isVisible } = entries.at(-1) as IntersectionObserverEntry & {
      isVisible?: boolean;
    };
    changed(intersectionRatio >= 0.98 && isVisible !== false);
  }, options);
  return (on) => (on ? observer.observe(element) : observer.disconnect());
}
