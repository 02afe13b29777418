// Reads a calendar file from standard input with ical.js, the parser of Thunderbird, and prints what it found.
//
//     node calendar.mjs < file.ics
//
// Instants are in milliseconds since 1970, times before an event in seconds.

import { readFileSync } from "node:fs";

import ICAL from "ical.js";

const calendar = new ICAL.Component(ICAL.parse(readFileSync(0, "utf8")));
const events = calendar.getAllSubcomponents("vevent").map((component) => {
  const event = new ICAL.Event(component);
  return {
    uid: event.uid,
    summary: event.summary,
    description: event.description,
    start: event.startDate.toJSDate().getTime(),
    end: event.endDate.toJSDate().getTime(),
    stamp: component.getFirstPropertyValue("dtstamp").toJSDate().getTime(),
    url: component.getFirstPropertyValue("url"),
    transparent: component.getFirstPropertyValue("transp") === "TRANSPARENT",
    alarms: component
      .getAllSubcomponents("valarm")
      .map((alarm) => [alarm.getFirstPropertyValue("action"), alarm.getFirstPropertyValue("trigger").toSeconds()]),
  };
});
process.stdout.write(JSON.stringify({ events }));
