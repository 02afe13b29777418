/** Verification of the receiver's certificate. */
import { Chip, Fragment, h, SelectField, signal, TextField, TYPING_MS } from "../../lazy-exports.js";
import type { View } from "../view.js";

export function createTls({ state, id }: View) {
  const { verify_tls, ca } = state.inputs;
  const own = signal(false);
  return () => {
    const mode = !verify_tls() ? "off" : ca() || own() ? "ca" : "on";
    return (
      <>
        <SelectField
          id={id("tls")}
          label="TLS certificate"
          locked={state.locked("verify_tls") || state.locked("ca")}
          value={mode}
          options={[
            ["on", "Verify"],
            ["ca", "Verify with custom CA"],
            ["off", "Do not verify"],
          ]}
          onPick={(picked) => {
            own.set(picked === "ca");
            state.edit({ verify_tls: picked !== "off", ca: own() ? ca() : "" });
          }}
        />
        {mode === "ca" && (
          <TextField
            id={id("ca")}
            label="CA file (on the kernel's machine)"
            grow
            locked={state.locked("ca")}
            placeholder="/path/to/ca.pem"
            value={ca()}
            onText={(path) => state.edit({ ca: path }, TYPING_MS)}
          />
        )}
        {mode === "off" && <Chip tone="warn">Insecure: traffic can be intercepted</Chip>}
      </>
    );
  };
}
