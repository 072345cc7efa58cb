import type { ReportedRead } from "@kaji/runtime";
import { counted } from "../counted.ts";
import type { SentCall, SentReport, SentTrigger, SentWrite } from "@kaji/runtime/reports";

/** How many of a kind of thing are named one by one where there is one line for all. */
const namedAtMost = 3;

/** `default/web` beside an object of the same namespace is `web`. */
type Namer = (kind: string, key: string) => string;

/** Why it was reconciled: `created`, `Deployment web changed`, `retry 2`; several reasons at once after commas. */
export function triggerWords({ object, triggers }: SentReport, atMost: number = namedAtMost): string {
  const nameOf = namerFor(object.key);
  const isItself = (trigger: SentTrigger): boolean =>
    trigger.type === "Change" && trigger.kind === object.kind && trigger.apiVersion === object.apiVersion && trigger.key === object.key;
  // Whatever asked for it came when the reconcile before was about to begin, and is told with that one.
  if (triggers.length === 0) return "asked meanwhile";
  const words = triggers.map((trigger) => (isItself(trigger) ? "" : subjectOf(trigger, nameOf)) + verbOf(trigger));
  return shortened([...new Set(words)], atMost);
}

/** What it looked at: `read Deployment web, 3 Pods`; undefined if nothing. What several lists of a kind have found is added up, with how many there were: an object may be in each. */
export function readWords({ object, reads }: SentReport, atMost: number = namedAtMost): string | undefined {
  const nameOf = namerFor(object.key);
  const groups = Map.groupBy(reads, ({ from, verb, apiVersion, kind, key = "" }) => [from, partOf(verb), apiVersion, kind, key].join());
  const words = [...groups.values()].flatMap((group) => group.slice(0, 1).map((read) => foundWords(read, group, nameOf)));
  return words.length === 0 ? undefined : `read ${shortened(words, atMost)}`;
}

/** What it did, in the cluster and outside. */
export function deedWords(report: SentReport, atMost: number = namedAtMost): readonly string[] {
  return [...writeWords(report, atMost), ...callWords(report)];
}

/** What it changed: `applied Deployment web (spec.replicas)`, `patched status`, `added finalizer example.com/web`, `as alice applied Secret keys`; what was as wanted already is left out. */
function writeWords({ object, writes }: SentReport, atMost: number): readonly string[] {
  const nameOf = namerFor(object.key);
  const targetOf = ({ kind, key, verb, finalizer, annotation, field, selector }: SentWrite): string => {
    if (finalizer !== undefined) return `finalizer ${finalizer.name}`;
    if (annotation !== undefined) return `annotation ${annotation}`;
    const part = partOf(verb);
    const isItself = kind === object.kind && key === object.key;
    const which = field ?? selector;
    const more = which === undefined ? "" : ` (${which})`;
    return isItself ? (part ?? "itself") : `${ofPart(verb)}${nameOf(kind, key)}${more}`;
  };
  const sent = writes.filter(({ result }) => result !== "Unchanged");
  const groups = Map.groupBy(sent, ({ verb, result, finalizer, as }) => {
    const past = pastOf(finalizer?.change.toLowerCase() ?? verb.split("/", 1)[0] ?? verb, result);
    return as === undefined ? past : `as ${as} ${past}`;
  });
  return [...groups].map(([verb, group]) => `${verb} ${shortened([...new Set(group.map(targetOf))], atMost)}`);
}

/** What it did outside the cluster: `ensured effect bucket`; what is intact is left out. */
function callWords({ calls = [] }: SentReport): readonly string[] {
  return calls.flatMap(({ effect, call, result }) => {
    if (result === "Intact") return [];
    return result === "Broken" ? `effect ${effect} is not intact` : `${callPast(call, result)} effect ${effect}`;
  });
}

function callPast(call: SentCall["call"], result: Exclude<SentCall["result"], "Intact" | "Broken">): string {
  const verb = { ensure: "ensure", isIntact: "look at", undo: "undo" }[call];
  switch (result) {
    case "Sent":
      return `no answer to ${verb}`;
    case "Failed":
      return `failed to ${verb}`;
    case "Unfinished":
      return "has still to undo";
    case "Done":
      return call === "undo" ? "undid" : "ensured";
  }
}

function namerFor(own: string): Namer {
  const slash = own.indexOf("/");
  const prefix = slash < 0 ? undefined : own.slice(0, slash + 1);
  return (kind, key) => `${kind} ${prefix !== undefined && key.startsWith(prefix) ? key.slice(prefix.length) : key}`;
}

function subjectOf(trigger: SentTrigger, nameOf: Namer): string {
  return trigger.type === "Change" ? `${nameOf(trigger.kind, trigger.key)} ` : "";
}

const changes = { Found: "found", Added: "created", Updated: "changed", Replaced: "changed", Deleted: "deleted", Sync: "resync" } as const;

function verbOf(trigger: SentTrigger): string {
  switch (trigger.type) {
    case "Change":
      return changes[trigger.change];
    case "Source":
      return trigger.name;
    case "Asked":
      return "asked";
    case "Timer":
      return `after ${spanWords(trigger.afterMs)}`;
    case "Requeue":
      return "again";
    case "Retry":
      return `retry ${trigger.attempt}`;
    case "Conflict":
      return "conflict";
  }
}

function foundWords({ from, verb, kind, key }: ReportedRead, alike: readonly ReportedRead[], nameOf: Namer): string {
  const found = alike.reduce((sum, read) => sum + read.found, 0);
  const lists = alike.length === 1 ? "" : ` in ${alike.length} lists`;
  const words = key === undefined ? `${counted(found, kind)}${lists}` : `${found === 0 ? "no " : ""}${ofPart(verb)}${nameOf(kind, key)}`;
  return from === "Server" ? `live ${words}` : words;
}

/** `scale of ` where a verb is for that part of an object alone. */
function ofPart(verb: string): string {
  const part = partOf(verb);
  return part === undefined ? "" : `${part} of `;
}

function partOf(verb: string): string | undefined {
  return verb.split("/")[1];
}

/** How verbs are said that are no words, and what all of them are when it is done. */
const said: ReadonlyMap<string, readonly [present: string, past: string]> = new Map([
  ["create", ["create", "created"]],
  ["update", ["update", "updated"]],
  ["apply", ["apply", "applied"]],
  ["patch", ["patch", "patched"]],
  ["delete", ["delete", "deleted"]],
  ["deletecollection", ["delete", "deleted"]],
  ["evict", ["evict", "evicted"]],
  ["exec", ["run a command in", "ran a command in"]],
  ["add", ["add", "added"]],
  ["remove", ["remove", "removed"]],
]);

function pastOf(verb: string, result: SentWrite["result"]): string {
  const [present, past] = said.get(verb) ?? [verb, verb];
  if (result === "Written") return past;
  return `${result === "Refused" ? "was refused to" : "no answer to"} ${present}`;
}

/** `250 ms`, `30 s`, `10 min`, `2 h`. */
export function spanWords(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 120_000) return `${Number((ms / 1000).toFixed(1))} s`;
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
}

/** The first few, and how many more there are. */
function shortened(words: readonly string[], atMost: number): string {
  const rest = words.length - atMost;
  // One more takes no more room than saying that there is one.
  if (rest <= 1) return words.join(", ");
  return `${words.slice(0, atMost).join(", ")} and ${rest} more`;
}
