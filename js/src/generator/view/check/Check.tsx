/** Panel that checks a receiver, or sends several requests to it. */

import { type Checks, createChecks, suitesOf } from "../../checks.js";
import {
  Button,
  Chip,
  Fragment,
  factsOf,
  Hint,
  h,
  missing,
  SelectField,
  signal,
  Tabs,
  TextField,
  UrlField,
} from "../../lazy-exports.js";
import { sentence } from "../../replies.js";
import { Confirm } from "../request/Confirm.js";
import { createSecret } from "../request/Secret.js";
import type { View } from "../view.js";
import { createResults } from "./Results.js";
import { createRun } from "./Run.js";
import { Score } from "./Score.js";

const IN_PYTHON =
  "This provider sends the secret, so a run needs it in the kernel. Check this receiver in Python, or give the widget secret=Secret.from_env(…).";

/** Roles of further secrets, each with the checks that need it. */
const ROLES: [string, string][] = [
  ["other_secret", "Of another endpoint (B15)"],
  ["previous_secret", "Previous, still accepted (E3)"],
  ["retired_secret", "Retired (E4)"],
];

export function createCheck(view: View) {
  const { state, id, checkPart } = view;
  const checks = createChecks(view);
  const secret = createSecret(view, "check");
  const others = createOtherSecrets(view, secret);
  const options = createOptions(view, checks);
  const args = (only: string[] | null) => ({ ...options.args(only), others: others.held() });
  const results = createResults(view, checks, (only) => checks.run(args([only])));
  const run = createRun(view);
  const confirm = () => {
    const question = checks.question();
    if (!question) return null;
    const { text, host, url } = question;
    const answer = (agreed: boolean) => (agreed ? checks.run(question.args, url) : checks.question.set(null));
    return <Confirm view={view} home=".hw-check-bar" text={text} yes={`Check ${host}`} onAnswer={answer} />;
  };
  /** Draws the secret's field before the first run; later only if it needs attention. */
  const secretField = () => {
    const { provider, signer } = state.inputs;
    const facts = state.provider();
    const held = signer() === "kernel" || state.has(provider());
    const quiet = held && !state.vault.slot(provider()).paused;
    const later = checks.rows().length > 0 || checks.running() || checkPart() === "run";
    return facts && !(quiet && later) ? secret(facts.key, factsOf(facts)) : null;
  };
  const draw = (todo: string) => (
    <div class="hw-check">
      <section class="hw-check-side" aria-label="Score">
        <Score checks={checks} />
        {secretField()}
        {others.draw()}
      </section>
      <section class="hw-check-main" aria-label="Results of checks">
        {confirm()}
        {todo && <Hint>{todo}</Hint>}
        {checks.failure() && (
          <p class="hw-line">
            <Chip tone="bad">Failed</Chip> {sentence(checks.failure())}
          </p>
        )}
        {results()}
      </section>
    </div>
  );
  return () => {
    void checks.load();
    const part = checkPart();
    const panel = `${id("check-part")}-${part}`;
    const todo = missing(state, part === "checks" ? IN_PYTHON : "");
    return (
      <>
        {options.draw(todo, () => checks.run(args(null)))}
        <div id={panel} role="tabpanel" aria-labelledby={`${panel}-tab`}>
          {part === "checks" ? draw(todo) : run(todo, secretField())}
        </div>
      </>
    );
  };
}

/** The receiver, the checks to run, and the button that starts them. */
function createOptions(view: View, checks: Checks) {
  const { state, id, checkPart } = view;
  const suite = signal("standard");
  const oracle = signal("");
  const start = (todo: string, run: () => void) => {
    const busy = checks.running();
    return (
      <Button
        look="primary"
        disabled={!busy && (todo !== "" || state.kernel() === "none")}
        title={todo}
        onClick={busy ? checks.stop : run}
      >
        {busy ? "Stop" : checks.rows().length > 0 ? "Run again" : "Run checks"}
      </Button>
    );
  };
  const suites = () => {
    const set = checks.catalog()?.oracle_set;
    return (
      <>
        <SelectField
          id={id("check-suite")}
          label="Suite"
          value={suite()}
          options={suitesOf(checks.catalog() ?? {})}
          onPick={suite.set}
        />
        <TextField
          id={id("check-oracle")}
          label="Oracle (optional)"
          grow
          readOnly={set || state.locked("url")}
          placeholder={set ? "set in Python" : "http://127.0.0.1:8000/count"}
          value={oracle()}
          onText={oracle.set}
          hint="URL of this machine that responds with how often the work was done."
        />
      </>
    );
  };
  return {
    args(only: string[] | null) {
      const area = suite().length === 1 ? [suite()] : null;
      const url = checks.catalog()?.oracle_set ? "" : oracle().trim();
      return { suite: area ? "full" : suite(), only: only ?? area, oracle: url };
    },
    draw: (todo: string, run: () => void) => (
      <div class={`hw-check-bar ${checkPart() === "run" ? "hw-check-short" : ""}`}>
        <div class="hw-row">
          <UrlField view={view} name="check-url" />
          {checkPart() === "checks" && start(todo, run)}
        </div>
        <div class="hw-row">
          <Tabs
            small
            label="Check"
            panels={id("check-part")}
            current={checkPart()}
            onPick={checkPart.set}
            tabs={[
              ["checks", "Checks"],
              ["run", "Run"],
            ]}
          />
          {checkPart() === "checks" && suites()}
        </div>
      </div>
    ),
  };
}

/** Fields of further secrets, one role at a time. */
function createOtherSecrets({ state, id }: View, secret: ReturnType<typeof createSecret>) {
  const { provider, signer } = state.inputs;
  const role = signal("other_secret");
  const unfolded = signal(false);
  const slotOf = (name: string) => `${provider()}_${name}`;
  const held = () => ROLES.map(([name]) => name).filter((name) => state.has(slotOf(name)));
  const draw = () => {
    const facts = state.provider();
    if (!facts || signer() === "kernel" || state.locked("secret") || state.draft()?.reveals_secret)
      return null;
    return (
      <details class="hw-details" onToggle={({ currentTarget }) => unfolded.set(currentTarget.open)}>
        <summary>Other secrets ({held().length})</summary>
        {unfolded() && (
          <div class="hw-inside">
            <SelectField
              id={id("check-role")}
              label="Role"
              value={role()}
              options={ROLES}
              onPick={role.set}
            />
            {secret(facts.key, { ...factsOf(facts), provider: slotOf(role()) }, "Other secret")}
          </div>
        )}
      </details>
    );
  };
  return { held, draw };
}
