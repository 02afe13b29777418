/** Confirmation before requests go to a host outside this machine. */
import type { ComponentChildren } from "preact";
import { sendAll } from "../../batch.js";
import { Button, h } from "../../lazy-exports.js";
import { requestsOf } from "../check/plan.js";
import type { View } from "../view.js";

/** A question with buttons; takes the focus, and returns it to a button in `home`. */
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
    const button = () => (bar ?? root.querySelector(home))?.querySelector<HTMLElement>(".hw-btn")?.focus();
    setTimeout(button);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: not a group of form fields
    <div class="hw-confirm" role="group" aria-label="Confirm host" ref={focus}>
      <span>{text}</span>
      <span class="hw-right">
        <Button look="primary" onClick={() => onAnswer(true)}>
          {yes}
        </Button>
        <Button onClick={() => onAnswer(false)}>Cancel</Button>
      </span>
    </div>
  );
}

/** Asks before the first delivery to a host outside this machine; `home` gets the focus afterwards. */
export function createConfirm(view: View, home = ".hw-send") {
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
