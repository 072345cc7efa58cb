import type { JsonObject, JsonValue } from "@kaji/core";
import type { Step } from "@kaji-tools/record";
import { mutated, tame } from "../random/broken-json.ts";
import type { Dice } from "../random/dice.ts";
import { subjects } from "./subjects.ts";
import type { Subject } from "./subjects.ts";

const names = ["a", "b"];
const managers = ["one", "two"];
const writeOptions = ["", "", "", "", "dryRun=All", "fieldValidation=Strict", "fieldManager=three", "dryRun=Nope"];
const listOptions = [
  "",
  "limit=1",
  "labelSelector=app%3Dweb",
  "labelSelector=app",
  "labelSelector=%21app",
  "labelSelector=a%20in",
  "fieldSelector=metadata.name%3Da",
  "fieldSelector=metadata.name%21%3Da",
  "fieldSelector=spec.nope%3Dx",
  "resourceVersion=0",
  "resourceVersionMatch=Exact",
];
const deleteOptions: readonly JsonObject[] = [
  {},
  {},
  { propagationPolicy: "Foreground" },
  { propagationPolicy: "Orphan" },
  { propagationPolicy: "Background", gracePeriodSeconds: 0 },
  { preconditions: { uid: "8a4a4a0e-0000-4000-8000-000000000000" } },
  { preconditions: { resourceVersion: "1" } },
  { dryRun: ["All"] },
  { propagationPolicy: "Nope" },
  { orphanDependents: true, propagationPolicy: "Orphan" },
];

/** A sequence of requests on one kind, most of them sensible. Some begin with a watch that sees the rest. */
export function randomSteps(dice: Dice, namespace: string, length: number): readonly Step[] {
  const subject = dice.of(subjects);
  const path = subject.path(namespace);
  const watch: Step = { method: "GET", path: `${path}?watch=true${dice.of(["", "&labelSelector=app%3Dweb"])}`, live: true };
  const steps = Array.from({ length }, () => randomStep(dice, subject, path));
  return dice.onceIn(3) ? [watch, ...steps] : steps;
}

function randomStep(dice: Dice, subject: Subject, path: string): Step {
  const object = `${path}/${dice.of(names)}${dice.onceIn(10) ? `/${dice.of(subject.subresources)}` : ""}`;
  switch (dice.below(12)) {
    case 0:
    case 1:
    case 2:
      return { method: "POST", path: withQuery(path, dice.of(writeOptions)), body: objectFor(dice, subject, dice.of(names)) };
    case 3:
    case 4:
      return {
        method: "PUT",
        path: withQuery(object, dice.of(writeOptions)),
        body: replacement(dice, subject, object),
      };
    case 5:
    case 6:
      return {
        method: "PATCH",
        path: withQuery(object, dice.of(writeOptions)),
        body: partOf(dice, subject),
        headers: patchType(dice, subject),
      };
    case 7:
      return {
        method: "PATCH",
        path: withQuery(object, dice.of(writeOptions)),
        body: [operation(dice, subject)],
        headers: { "content-type": "application/json-patch+json" },
      };
    case 8:
      return apply(dice, subject, object);
    case 9:
      return { method: "DELETE", path: object, body: dice.of(deleteOptions) };
    case 10:
      return { method: "GET", path: object };
    default:
      return { method: dice.onceIn(6) ? "DELETE" : "GET", path: withQuery(path, dice.of(listOptions)) };
  }
}

function objectFor(dice: Dice, { type, object }: Subject, name: string): JsonValue {
  const metadata = {
    name,
    ...dice.of<JsonObject>([{}, { labels: { app: "web" } }, { annotations: { note: "text" } }, { finalizers: ["example.com/hold"] }]),
  };
  const whole = { ...type, ...dice.of(object), metadata };
  return dice.onceIn(4) ? tame(mutated(whole, dice), whole) : whole;
}

/** Whole objects are sent as what they are; a custom kind's Scale is the one place where a real server is not up to others. */
function replacement(dice: Dice, subject: Subject, path: string): JsonValue {
  const name = /\/([ab])(?:\/|$)/.exec(path)?.[1] ?? "";
  if (path.endsWith("/scale"))
    return { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name }, spec: { replicas: dice.below(5) } };
  return objectFor(dice, subject, name);
}

function partOf(dice: Dice, { parts }: Subject): JsonValue {
  const general: readonly JsonObject[] = [
    { metadata: { labels: { app: dice.of(["web", "other", null]) } } },
    { metadata: { annotations: { note: dice.of(["more", null]) } } },
    { metadata: { finalizers: dice.of([null, ["example.com/hold"], ["example.com/hold", "example.com/more"]]) } },
    { metadata: { resourceVersion: "1" } },
  ];
  const part = dice.of([...general, ...parts, ...parts]);
  return dice.onceIn(6) ? tame(mutated(part, dice), part) : part;
}

function patchType(dice: Dice, { isCustom }: Subject): Readonly<Record<string, string>> {
  const isStrategic = dice.onceIn(isCustom ? 10 : 2);
  return { "content-type": `application/${isStrategic ? "strategic-" : ""}merge-patch+json` };
}

function operation(dice: Dice, { pointers }: Subject): JsonValue {
  const path = dice.of([
    ...pointers,
    "/metadata/labels",
    "/metadata/labels/app",
    "/metadata/annotations/note",
    "/metadata/finalizers/0",
    "/nope",
  ]);
  const op = dice.of(["add", "add", "replace", "remove", "test", "copy", "move"]);
  const from = op === "copy" || op === "move" ? { from: dice.of(pointers) } : {};
  return {
    op,
    path,
    ...from,
    ...(op === "remove" || "from" in from ? {} : { value: dice.of<JsonValue>(["text", 3, { app: "web" }, ["x"], null]) }),
  };
}

function apply(dice: Dice, { type, object }: Subject, path: string): Step {
  const name = /\/([ab])(?:\/|$)/.exec(path)?.[1] ?? "";
  const metadata = { name, ...dice.of<JsonObject>([{}, { labels: { app: "web" } }, { annotations: { note: "applied" } }]) };
  const query = `fieldManager=${dice.of(managers)}${dice.of(["", "", "&force=true", "&dryRun=All"])}`;
  return {
    method: "PATCH",
    path: withQuery(path, query),
    body: { ...type, ...dice.of(object), metadata },
    headers: { "content-type": "application/apply-patch+yaml" },
  };
}

function withQuery(path: string, query: string): string {
  return query === "" ? path : `${path}?${query}`;
}
