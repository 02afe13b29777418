/**
 * Asks whether a token may be sent to the kernel, with the button that allows it.
 *
 * Only a user's click counts, and only on a text that was visible for some time: a page may cover the frame, or
 * move it under a pointer that is about to click something else.
 */
import type { Maker } from "./field.js";
import type { ConsentQuestion } from "./protocol.js";

/** Time that the button must be fully visible and the pointer or focus must rest on it, in milliseconds. */
export const STEADY_MS = 500;

const NOT_IN_SIGHT = "Not sent: something covers this field. Bring all of it into sight, then press again.";
const TOO_FAST = "Press again to send the token.";

/** Time at which a condition began to hold, or null. */
type Since = number | null;

export interface Consent {
  readonly element: HTMLElement;
  show(question: ConsentQuestion | null): void;
}

export function createConsent(
  { make, button }: Maker,
  id: string,
  answer: (question: ConsentQuestion, agreed: boolean) => void,
  say: (text: string) => void,
): Consent {
  const element = make("div", "hw-consent");
  const text = make("p");
  const problem = make("p", "hw-warn");
  text.id = `${id}-consent`;
  element.hidden = true;
  element.setAttribute("role", "group");
  element.setAttribute("aria-labelledby", text.id);

  let asked: ConsentQuestion | null = null;
  let inSight: Since = null;
  let onButton: Since = null;
  let place = "";
  const watch = watchSight(element, (sight) => {
    inSight = sight ? (inSight ?? performance.now()) : null;
  });
  const isSteady = (since: Since) => since !== null && performance.now() - since >= STEADY_MS;
  const showProblem = (next: string) => {
    problem.textContent = next;
    if (next) say(next);
  };
  const send = button("", (event) => {
    if (!asked || !event.isTrusted) return;
    if (!isSteady(inSight)) showProblem(NOT_IN_SIGHT);
    else if (!isSteady(onButton)) showProblem(TOO_FAST);
    else answer(asked, true);
  });
  send.className += " hw-primary";
  const cancel = button("Cancel", () => asked && answer(asked, false));
  // The frame's position on the screen: if it moves, the time starts again.
  const onPointer = ({ screenX, screenY, clientX, clientY }: PointerEvent) => {
    const now = `${Math.round(screenX - clientX)} ${Math.round(screenY - clientY)}`;
    if (now !== place || onButton === null) onButton = performance.now();
    place = now;
  };
  const leave = () => {
    onButton = null;
  };
  for (const type of ["pointerenter", "pointermove", "pointerdown"] as const)
    send.addEventListener(type, onPointer);
  send.addEventListener("pointerleave", leave);
  send.addEventListener("focus", () => {
    onButton ??= performance.now();
  });
  send.addEventListener("blur", leave);
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
      showProblem("");
      if (!question) return;
      text.textContent = `Send this token to ${question.host}? For this request it goes to the kernel, which sends it.`;
      send.textContent = `Send token to ${question.host}`;
      say(`Confirm in the secret's field: ${text.textContent}`);
    },
  };
}

/**
 * Reports when an element becomes fully visible or stops being so; also when it is covered, if the browser can
 * tell.
 */
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
