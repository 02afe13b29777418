/**
 * Asks whether a token may be sent to the kernel, with the button that allows it.
 *
 * Only a user's click counts, and only on a text that was visible for some time: a page may cover the frame, or
 * move it under a pointer that is about to click something else.
 */
import type { Maker } from "./elements.js";
import type { ConsentQuestion } from "./protocol.js";

/** Time that an area must be fully visible and the pointer or focus must rest on its button, in milliseconds. */
export const STEADY_MS = 500;

export const PRESS_AGAIN = "Press again, and let nothing cover this field.";

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
  const send = button("", (event) => {
    if (!asked || !event.isTrusted) return;
    if (guard.isMeant()) return answer(asked, true);
    problem.textContent = PRESS_AGAIN;
    say(PRESS_AGAIN);
  });
  const guard = createGuard(element, send);
  send.className += " hw-primary";
  const cancel = button("Cancel", () => asked && answer(asked, false));
  const buttons = make("div", "hw-row");
  buttons.append(send, cancel);
  element.append(text, buttons, problem);

  return {
    element,
    show(question) {
      if (question?.id === asked?.id) return;
      asked = question;
      element.hidden = !question;
      guard.restart();
      problem.textContent = "";
      if (!question) return;
      text.textContent = `Send this token to ${question.host}? For this request it goes to the kernel, which sends it.`;
      send.textContent = `Send token to ${question.host}`;
      say(`Confirm in the secret's field: ${text.textContent}`);
    },
  };
}

/**
 * Tells whether a click on a button is meant: pointer or focus rest on it, and an area around it is fully visible,
 * for some time. That something covers the area is noticed if the browser can tell.
 */
export function createGuard(area: Element, button: HTMLElement) {
  let inSight: Since = null;
  let onButton: Since = null;
  let place = "";
  const observer = new IntersectionObserver(
    (entries) => {
      const { intersectionRatio, isVisible } = entries.at(-1) as IntersectionObserverEntry & {
        isVisible?: boolean;
      };
      inSight = intersectionRatio >= 0.98 && isVisible !== false ? (inSight ?? performance.now()) : null;
    },
    { threshold: [0, 0.5, 0.98, 1], trackVisibility: true, delay: 100 } as IntersectionObserverInit,
  );
  const restart = () => {
    observer.disconnect();
    inSight = onButton = null;
  };
  const rest = () => {
    if (onButton === null) observer.observe(area);
    onButton ??= performance.now();
  };
  // The frame's position on the screen: if it moves, the time starts again.
  const onPointer = ({ screenX, screenY, clientX, clientY }: PointerEvent) => {
    const now = `${Math.round(screenX - clientX)} ${Math.round(screenY - clientY)}`;
    if (now !== place) restart();
    place = now;
    rest();
  };
  for (const type of ["pointerenter", "pointermove", "pointerdown"] as const)
    button.addEventListener(type, onPointer);
  button.addEventListener("focus", rest);
  for (const type of ["pointerleave", "blur"]) button.addEventListener(type, restart);
  const isSteady = (since: Since) => since !== null && performance.now() - since >= STEADY_MS;
  return {
    restart,
    isMeant() {
      rest(); // the keys that come after a pointer has left
      return isSteady(inSight) && isSteady(onButton);
    },
  };
}
