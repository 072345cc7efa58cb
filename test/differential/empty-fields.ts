import { isJsonArray, isJsonObject, parseApiVersion } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";
import { readRecording } from "@kaji-tools/record";
import type { Exchange, Step } from "@kaji-tools/record";
import { structTable } from "@kaji/types/tables";

/** Kinds whose answers are not about the object alone: they tell who asks, or somebody else on the real server writes to them. */
const others = new Set(["CertificateSigningRequest", "FlowSchema", "VolumeAttributesClass"]);

/** An object that a real server has taken once. */
interface Taken {
  readonly path: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly body: JsonObject;
}

/**
 * For each kind that has been recorded, the requests that make and replace an object with each list and map of it, one at a time, there and
 * empty. Nothing of it is stored but the object that is replaced.
 */
export function emptyFieldSteps(run: string): ReadonlyMap<string, (namespace: string) => readonly Step[]> {
  const recordings = ["core-kinds", "group-kinds"].map((name) => new URL(`../../packages/cluster/testdata/${name}.json`, import.meta.url));
  const taken = recordings.flatMap((file) => readRecording(file).scenarios.flatMap(({ exchanges }) => exchanges.flatMap(takenIn)));
  const byKind = Map.groupBy(taken, ({ apiVersion, kind }) => `${apiVersion} ${kind}`);
  return new Map(
    [...byKind].flatMap(([kinds, objects]) => {
      const [largest] = objects.toSorted((left, right) => sizeOf(right) - sizeOf(left));
      if (largest === undefined || others.has(largest.kind)) return [];
      const struct = structTable.structOf({ ...parseApiVersion(largest.apiVersion), kind: largest.kind });
      return struct === undefined ? [] : [[kinds, (namespace: string) => stepsFor(inPlace(largest, namespace, run), struct)] as const];
    }),
  );
}

function stepsFor({ path, name, body }: Taken, struct: string): readonly Step[] {
  const variants = emptied(body, struct);
  return [
    ...variants.map((variant): Step => ({ method: "POST", path: `${path}?dryRun=All`, body: variant })),
    { method: "POST", path, body },
    ...variants.map((variant): Step => ({ method: "PUT", path: `${path}/${name}?dryRun=All`, body: variant })),
    { method: "DELETE", path: `${path}/${name}`, body: { gracePeriodSeconds: 0 } },
  ];
}

/** The object with one of its lists and maps empty, for each that it has or could have. */
function emptied(object: JsonObject, struct: string): readonly JsonObject[] {
  return [...(structTable.propertiesOf(struct)?.values() ?? [])].flatMap(({ name, type }) => {
    if (name === "managedFields" || name === "status") return [];
    const value = object[name];
    const set = (part: JsonValue): JsonObject => ({ ...object, [name]: part });
    if (type.type === "struct") return isJsonObject(value) ? emptied(value, type.name).map(set) : [];
    if (type.type === "map") return [set({})];
    if (type.type !== "list") return [];
    const [first, ...rest] = isJsonArray(value) ? value : [];
    const inside = type.items.type === "struct" && isJsonObject(first) ? emptied(first, type.items.name) : [];
    return [set([]), ...inside.map((item) => set([item, ...rest]))];
  });
}

function takenIn({ request, answer }: Exchange): readonly Taken[] {
  const { method, path, body } = request;
  const collection = /^\/apis?\/(?:[^/]+\/)?v[^/]+\/(?:namespaces\/[^/]+\/)?[^/?]+$/;
  const stored = answer.body;
  if (method !== "POST" || answer.status !== 201 || !collection.test(path) || !isJsonObject(body) || !isJsonObject(stored)) return [];
  const { apiVersion, kind } = stored;
  const { name } = objectIn(body, "metadata");
  if (typeof name !== "string" || typeof apiVersion !== "string" || typeof kind !== "string") return [];
  return [{ path, apiVersion, kind, name, body: { metadata: {}, ...body, apiVersion, kind } }];
}

/** Objects without a namespace get names of their own, lest runs on one server meet. */
function inPlace(taken: Taken, namespace: string, run: string): Taken {
  const { path, body } = taken;
  if (path.includes("/namespaces/")) return { ...taken, path: path.replace(/\/namespaces\/[^/]+\//, `/namespaces/${namespace}/`) };
  const name = `${taken.name}-${run}`;
  return { ...taken, name, body: { ...body, metadata: { ...objectIn(body, "metadata"), name } } };
}

function objectIn(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}

function sizeOf({ body }: Taken): number {
  return JSON.stringify(body).length;
}
