import { isJsonArray, isJsonObject } from "../json/json.ts";
import type { JsonArray, JsonObject, JsonValue } from "../json/json.ts";
import { structuralEqual } from "../json/structural-equal.ts";

/** From a value to one inside it. */
export type FieldStep =
  | { readonly type: "Field"; readonly name: string }
  /** Of a list whose items have names, with that name. */
  | { readonly type: "Item"; readonly item: JsonObject; readonly label: string }
  | { readonly type: "Index"; readonly index: number };

/** A value that is not what it was. */
export interface FieldDifference {
  readonly steps: readonly FieldStep[];
  /** Undefined where there was none. */
  readonly before: JsonValue | undefined;
  /** Undefined where there is none any more. */
  readonly after: JsonValue | undefined;
}

/** What the server does to metadata at each write says nothing about the write. */
const bookkeeping: ReadonlySet<string> = new Set(["generation", "managedFields", "resourceVersion"]);

/** What differs between two versions of an object, field by field, in the order of the fields. */
export function fieldDifferences(before: JsonObject, after: JsonObject): readonly FieldDifference[] {
  return [...ofObjects(withoutBookkeeping(before), withoutBookkeeping(after), [])];
}

/** The fields that differ between two versions of an object, with the way to them, by their paths. An item that differs as a whole and has no name is told by its list. */
export function changedFields(before: JsonObject, after: JsonObject): ReadonlyMap<string, readonly FieldStep[]> {
  const fields = fieldDifferences(before, after).map(({ steps }) =>
    steps.slice(0, steps.findLastIndex(({ type }) => type !== "Index") + 1),
  );
  return new Map(fields.map((steps) => [formatFieldSteps(steps), steps]));
}

/** Such as `spec.containers[web].image`. */
export function formatFieldSteps(steps: readonly FieldStep[]): string {
  const texts = steps.map((step) => {
    switch (step.type) {
      case "Field":
        return /^[\w-]+$/.test(step.name) ? `.${step.name}` : `[${JSON.stringify(step.name)}]`;
      case "Item":
        return `[${step.label}]`;
      case "Index":
        return `[${step.index}]`;
    }
  });
  return texts.join("").replace(/^\./, "");
}

function* ofValues(before: JsonValue | undefined, after: JsonValue | undefined, steps: readonly FieldStep[]): Generator<FieldDifference> {
  if (structuralEqual(before, after)) return;
  const last = steps.at(-1);
  // A map that comes or goes is told field by field, and a list whose items have names by these; an item is told as a whole.
  const [left, right] = last?.type === "Field" ? [before ?? empty(after), after ?? empty(before)] : [before, after];
  if (isJsonObject(left) && isJsonObject(right)) yield* ofObjects(left, right, steps);
  else if (isJsonArray(left) && isJsonArray(right)) yield* ofArrays(left, right, steps);
  else yield { steps, before, after };
}

function* ofObjects(before: JsonObject, after: JsonObject, steps: readonly FieldStep[]): Generator<FieldDifference> {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
    yield* ofValues(before[name], after[name], [...steps, { type: "Field", name }]);
}

function* ofArrays(before: JsonArray, after: JsonArray, steps: readonly FieldStep[]): Generator<FieldDifference> {
  const nameOf = namer(before, after);
  if (nameOf === undefined) {
    for (let index = 0; index < Math.max(before.length, after.length); index++)
      yield* ofValues(before[index], after[index], [...steps, { type: "Index", index }]);
    return;
  }
  const [old, present] = [byName(before, nameOf), byName(after, nameOf)];
  for (const [key, item] of new Map([...old, ...present]))
    yield* ofValues(old.get(key), present.get(key), [...steps, { type: "Item", item, label: key }]);
}

type Namer = (item: JsonObject) => JsonValue | undefined;

/** What tells the items of most lists in Kubernetes apart, the most telling first. */
const namers: readonly Namer[] = [...["name", "type", "key", "uid", "containerPort", "port", "ip"].map(fieldNamed), ruleName];

/** By what all items of both lists can be told apart; undefined where there is nothing. */
function namer(...lists: readonly JsonArray[]): Namer | undefined {
  return namers.find((nameOf) => lists.every((list) => byName(list, nameOf).size === list.length));
}

function fieldNamed(name: string): Namer {
  return (item) => item[name];
}

/** What a rule of a role is about, such as `deployments.apps` or `leases.coordination.k8s.io/lock`. */
function ruleName({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: JsonObject): string | undefined {
  if (!isJsonArray(verbs)) return undefined;
  if (isJsonArray(nonResourceURLs)) return textsOf(nonResourceURLs).join();
  const groups = textsOf(apiGroups);
  const kinds = groups.flatMap((group) => textsOf(resources).map((resource) => (group === "" ? resource : `${resource}.${group}`)));
  if (kinds.length === 0) return undefined;
  return isJsonArray(resourceNames) ? `${kinds.join()}/${textsOf(resourceNames).join()}` : kinds.join();
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  return isJsonArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function byName(list: JsonArray, nameOf: Namer): ReadonlyMap<string, JsonObject> {
  const named = list.flatMap((item): [string, JsonObject][] => {
    const name = isJsonObject(item) ? nameOf(item) : undefined;
    return isJsonObject(item) && (typeof name === "string" || typeof name === "number") ? [[String(name), item]] : [];
  });
  return new Map(named);
}

/** The counterpart of a map or a list of named items that has none, and has something in it; anything else is told as it is. */
function empty(other: JsonValue | undefined): JsonObject | JsonArray | undefined {
  if (isJsonObject(other)) return Object.keys(other).length > 0 ? {} : undefined;
  return isJsonArray(other) && other.length > 0 && namer(other) !== undefined ? [] : undefined;
}

function withoutBookkeeping(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isJsonObject(metadata)) return object;
  return { ...object, metadata: Object.fromEntries(Object.entries(metadata).filter(([name]) => !bookkeeping.has(name))) };
}
