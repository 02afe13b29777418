/** Details of one check: request, response, reason and fix. */

import { Pre } from "../../../ui/output.js";
import type { Checks, Row } from "../../checks.js";
import { Button, duration, Fragment, h, SelectField, signal } from "../../lazy-exports.js";
import { headerLines } from "../../replies.js";
import { createActions } from "../history/actions.js";
import { Failure, Notes } from "../parts.js";
import { createOpenInVerify } from "../verify/Result.js";
import type { View } from "../view.js";

/** The request of a check, and the response. */
function Exchange({ id, request, response }: Row) {
  if (!request) return null;
  const { label, method, url, headers, body, body_length } = request;
  return (
    <div class="hw-check-pair">
      <div>
        <h4>
          Request <span class="hw-dim">{label}</span>
        </h4>
        <Pre label={`Request of ${id}`}>
          {`${method} ${url}\n${headerLines(headers)}\n\n${body}`}
          {body_length > body.length && ` … ${body_length.toLocaleString("en-US")} bytes`}
        </Pre>
      </div>
      {response && (
        <div>
          <h4>
            Response <span class="hw-dim">{duration(response.elapsed_s)}</span>
          </h4>
          <Pre label={`Response of ${id}`}>
            {response.status === null
              ? response.error
              : `${response.status}\n${headerLines(response.headers)}\n\n${response.body}`}
          </Pre>
        </div>
      )}
    </div>
  );
}

/** A source, as a link if it is an address. */
const linked = (text: string) =>
  /^https?:\/\/\S+$/.test(text) ? (
    <a href={text} target="_blank" rel="noopener noreferrer">
      {text}
    </a>
  ) : (
    text
  );

export function createRowDetails(view: View, checks: Checks, again: (check: string) => void) {
  const { id } = view;
  const actions = createActions(view);
  const verify = createOpenInVerify(view, actions.failure);
  const framework = signal("");
  const fix = ({ change, frameworks }: Row) => {
    const [name, text] = frameworks.find(([name]) => name === framework()) ?? frameworks[0] ?? [];
    return (
      <div>
        <h4>Fix</h4>
        <p>{change}</p>
        {name && (
          <>
            <SelectField
              id={id("check-framework")}
              label="Framework"
              value={name}
              options={frameworks.map(([name]) => [name, name])}
              onPick={framework.set}
            />
            <Pre label={`Change for ${name}`}>{text}</Pre>
          </>
        )}
      </div>
    );
  };
  return (row: Row) => (
    <div class="hw-check-detail" id={id(`check-${row.id}`)}>
      <Exchange {...row} />
      <div class="hw-check-pair">
        <div>
          <h4>Why it matters</h4>
          <p>{row.why}</p>
          <h4>Sources</h4>
          <Notes notes={row.sources.map(linked)} />
        </div>
        {fix(row)}
      </div>
      <div class="hw-row">
        <Button disabled={checks.running()} onClick={() => again(row.id)}>
          Run {row.id} again
        </Button>
        {row.sent && actions.buttons(row.id)}
        {row.sent && (
          <Button onClick={() => verify.open(row.id, row.sent, checks.about()?.of[0] ?? "")}>
            Open in Verify
          </Button>
        )}
      </div>
      <Failure text={actions.failure()} />
    </div>
  );
}
