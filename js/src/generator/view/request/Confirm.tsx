/** Confirmation before requests go to a host outside this machine. */
import type { ComponentChildren } from "preact";
import { sendAll } from "../../batch.js";
import { Button, h } from "../../lazy-exports.js";
import { requestsOf } from "../check/plan.js";
import type { View } from "../view.js";

/** Questions that had the focus. */
const focused = new WeakSet<HTMLElement>();

/** A question with buttons; takes the focus once, and returns it to a button in `home` if it has it at its end. */
export function Confirm({
  view: { root },
  home,
  text,
  yes,
  onAnswer,
}: {
  view: View;
  home: string;
  text: string;
  yes: ComponentChildren;
  onAnswer: (agreed: boolean) => void;
}) {
  const focus = (bar: HTMLElement | null) => {
    if (bar && focused.has(bar)) return; // only drawn again
    if (bar) focused.add(bar);
    setTimeout(() => {
      const { activeElement } = root.getRootNode() as Document | ShadowRoot;
      const place = bar ?? (root.contains(activeElement) ? null : root.querySelector(home));
      place?.querySelector<HTMLElement>(".hw-btn")?.focus();
    });
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: not a group of form fields
    <div class="hw-confirm" role="group" aria-label="Confirm host" ref={focus}>
      <span>{text}</span>
      <span class="hw-right">
        {/* A script of the page cannot agree by a click of its own. */}
        <button
          type="button"
          class="hw-btn hw-primary"
          onClick={({ isTrusted }) => isTrusted && onAnswer(true)}
        >
          {yes}
        </button>
        <Button onClick={() => onAnswer(false)}>Cancel</Button>
      </span>
    </div>
  );
}

/** Asks before the first delivery to a host outside this machine; `home` gets the focus afterwards. */
export function createConfirm(view: View, home = ".hw-send, .hw-runbook") {
  const { state, sender } = view;
  return () => {
    const question = sender.question();
    if (!question) return null;
    const { host, text, plan, again } = question;
    const answer = (agreed: boolean) => {
      if (!agreed) sender.question.set(null);
      else if (plan) void sendAll(state, sender, plan, host);
      else void sender.send(again, host);
    };
    const yes = `Send ${plan ? `${requestsOf(plan)} ` : ""}to ${host}`;
    return <Confirm view={view} home={home} text={text} yes={yes} onAnswer={answer} />;
  };
}
