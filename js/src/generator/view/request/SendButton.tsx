/** Button that sends, and stops a delivery that takes long. */
import type { ComponentChildren } from "preact";
import { h } from "preact";
import { Button } from "../../../ui/controls.js";
import type { View } from "../view.js";

type Props = {
  view: View;
  look?: "" | "primary";
  disabled: boolean;
  title?: string;
  onSend: () => void;
  children: ComponentChildren;
};

export function SendButton({
  view: { state, sender },
  look = "primary",
  disabled,
  title = "",
  onSend,
  children,
}: Props) {
  const busy = sender.since() !== null || sender.running();
  // The question about a token is answered in its own frame.
  const stops = sender.stoppable() && !state.vault.slot(state.inputs.provider()).asking;
  return (
    <Button
      look={stops ? "" : look}
      disabled={busy ? !stops : disabled}
      title={stops ? "Do not wait for the response" : title}
      onClick={stops ? sender.stop : onSend}
    >
      {stops ? "Stop" : busy ? "Sending…" : children}
    </Button>
  );
}
