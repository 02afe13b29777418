// Holds every JavaScript receiver of a folder and answers the questions that come in lines (see runtimes.py).
import { readdirSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

function argument(word) {
  const value = Buffer.from(word.slice(1), "base64");
  if (word[0] === "b") return value;
  if (word[0] === "t") return value.toString();
  const headers = {};
  const lines = value.toString("latin1").split("\n");
  for (let i = 0; i + 1 < lines.length; i += 2) headers[lines[i].toLowerCase()] = lines[i + 1];
  return headers;
}

const folder = process.argv[2];
const receivers = {};
for (const file of readdirSync(folder)) {
  receivers[file.slice(0, -4)] = await import(pathToFileURL(`${folder}/${file}`).href);
}
for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...words] = line.split(" ");
  let answer;
  try {
    answer = String(receivers[name].verify(...words.map(argument)));
  } catch (error) {
    answer = String(error);
  }
  process.stdout.write(`${answer.replaceAll("\n", " ")}\n`);
}
