// openapi-diff over pairs of OpenAPI documents: all of them in one process.
//
//     node changes.mjs
//
// Each line in is a pair, as JSON: {old, new}. Each line out is what the library says of it:
// {found: [{type, code, location}]}, or {rejected: text} when it does not read one of the documents.

import { createInterface } from "node:readline";

import openapiDiff from "openapi-diff";

function spec(document, location) {
  return { content: JSON.stringify(document), location, format: "openapi3" };
}

async function answer({ old, new: revised }) {
  try {
    const outcome = await openapiDiff.diffSpecs({
      sourceSpec: spec(old, "old.json"),
      destinationSpec: spec(revised, "new.json"),
    });
    const all = ["breakingDifferences", "nonBreakingDifferences", "unclassifiedDifferences"];
    return {
      found: all
        .flatMap((name) => outcome[name] ?? [])
        .map(({ type, code, sourceSpecEntityDetails, destinationSpecEntityDetails }) => ({
          type,
          code,
          location: (sourceSpecEntityDetails[0] ?? destinationSpecEntityDetails[0])?.location ?? "",
        })),
    };
  } catch (error) {
    if (error?.code !== "OPENAPI_DIFF_PARSE_ERROR") throw error;
    return { rejected: error.message };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line)))}\n`);
}
