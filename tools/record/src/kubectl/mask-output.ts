import { stripVTControlCharacters } from "node:util";

const masks: readonly (readonly [RegExp, string])[] = [
  [/https:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):\d+/g, "https://<server>"],
  [/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, "<uid>"],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, "<token>"],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "<time>"],
  [/(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, "<time>"],
  [/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ [+-]\d{4}/g, "<time>"],
  [/(["']?resourceVersion["']?: ["']?|Resource Version: +)\d+/g, "$1<revision>"],
  [/\b10\.0\.\d+\.\d+\b/g, "<ip>"],
  [/\b3[0-2]\d{3}\b/g, "<port>"],
  [/\/tmp\/(LIVE|MERGED)-\d+/g, "/tmp/$1"],
  [/\/tmp\/kubectl-edit-\d+\.yaml/g, "/tmp/kubectl-edit.yaml"],
  [/(?<=\s)(?:\d+[smhd])+(?= ago|\s|$)/gm, "<age>"],
  [/(serverAddress": ")[^"]*/g, "$1<address>"],
];

/** Objects that controllers make in every namespace, whether there are any or not. */
const byControllers = /^(?:.*\bkube-root-ca\.crt\b.*|serviceaccount\/default\b.*)$/;

/** What a command printed without what differs from run to run, such as times, and how wide columns became by it. */
export function maskOutput(output: string): string {
  let masked = stripVTControlCharacters(output);
  for (const [pattern, mask] of masks) masked = masked.replaceAll(pattern, mask);
  return masked
    .split("\n")
    .filter((line) => !byControllers.test(line))
    .map((line) => line.replaceAll(/(?<=\S) {2,}/g, "  ").trimEnd())
    .join("\n");
}
