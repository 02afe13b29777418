/** Outputs of several panels. They import nothing but Preact, so that each bundle that uses them has a copy. */
import { type ComponentChildren, h } from "preact";

/** Preformatted text in a box that the keyboard can scroll; long lines of `code` are not wrapped. */
export function Pre({
  label,
  stale = false,
  code = false,
  children,
}: {
  label: string;
  stale?: boolean;
  code?: boolean;
  children: ComponentChildren;
}) {
  const look = `hw-pre ${code ? "hw-long" : ""} ${stale ? "hw-stale" : ""}`;
  return (
    // biome-ignore lint/a11y: text as it is, that scrolls, must be a named region in the tab order
    <pre class={look} role="region" tabIndex={0} aria-label={label}>
      {children}
    </pre>
  );
}

type HeaderRow = { name: string; value: ComponentChildren; marked?: boolean };

/** Table of header names and values; `marked` rows contain a signature. */
export function HeaderTable({ rows, stale = false }: { rows: HeaderRow[]; stale?: boolean }) {
  return (
    <table class={`hw-table ${stale ? "hw-stale" : ""}`}>
      <thead class="hw-offscreen">
        <tr>
          <th scope="col">Header</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, value, marked }) => (
          <tr class={marked ? "hw-signature" : ""}>
            <th scope="row">
              <span class="hw-name">{name}</span>
            </th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Sentences, one below the other; nothing if there are none. */
export function Lines({ label, lines }: { label?: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <ul class="hw-lines" aria-label={label}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

type FileProps = { children: string; label?: string; onFile: (file: File) => void };

/** Button that loads a file; the same file can be chosen again after it changed. */
export function FileButton({ children, label, onFile }: FileProps) {
  return (
    <label class="hw-btn hw-file">
      {children}
      <input
        type="file"
        class="hw-offscreen"
        aria-label={label}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file) onFile(file);
          currentTarget.value = "";
        }}
      />
    </label>
  );
}
