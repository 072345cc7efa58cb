import { fieldDifferences, formatFieldSteps, isJsonObject, jsonOf, stringifyJson } from "@kaji/core";
import type { DynamicObject, FieldDifference, JsonValue } from "@kaji/core";
import type { Change } from "../page/live-message.ts";
import { lastManagers, managerOf, touchedManagers } from "./field-manager.ts";
import type { Limits } from "./limits.ts";

/** What a change says of itself, whenever and to whatever it happened. */
export type ChangeText = Pick<Change, "type" | "fields" | "hidden" | "managers" | "isHeartbeat">;

/** Two versions of an object. */
export interface Versions {
  /** `Forgotten` where there was one that was not kept; undefined of an object that was created. */
  readonly before: DynamicObject | "Forgotten" | undefined;
  /** Undefined of one that was deleted. */
  readonly after: DynamicObject | undefined;
}

/** Tells what happened between two versions of an object, with who did it. */
export function changeOf(versions: Versions, limits: Pick<Limits, "fieldsPerChange" | "valueLength">): ChangeText {
  const { after } = versions;
  const before = versions.before === "Forgotten" ? undefined : versions.before;
  const managed = { before: before?.metadata.managedFields ?? [], after: after?.metadata.managedFields ?? [] };
  const whole = {
    fields: [],
    hidden: 0,
    isHeartbeat: false,
    managers: before === undefined ? lastManagers(managed) : touchedManagers(managed),
  };
  if (after === undefined) return { ...whole, type: "Deleted" };
  if (before === undefined)
    return versions.before === undefined ? { ...whole, type: "Created" } : { ...whole, type: "Changed", fields: undefined };
  const differences = fieldDifferences(jsonOf(before), jsonOf(after));
  const all = tellingOf(differences);
  const text = (value: JsonValue | undefined): string | undefined =>
    value === undefined ? undefined : shortText(value, limits.valueLength);
  const fields = all.slice(0, limits.fieldsPerChange).map((difference) => ({
    path: shortText(formatFieldSteps(difference.steps), limits.valueLength),
    before: text(difference.before),
    after: text(difference.after),
    manager: managerOf(difference, managed),
  }));
  const managers = new Set(fields.flatMap(({ manager }) => manager ?? []));
  return {
    type: "Changed",
    fields,
    hidden: all.length - fields.length,
    managers: managers.size === 0 ? whole.managers : [...managers],
    isHeartbeat: differences.length > 0 && differences.every(isBeat),
  };
}

/** Fields that go along with others, and say nothing that these do not. */
const attendants: ReadonlySet<string> = new Set([
  "lastHeartbeatTime",
  "lastProbeTime",
  "lastTransitionTime",
  "lastUpdateTime",
  "observedGeneration",
]);

/** Fields that say when somebody was last there: the status of a node, a condition, a lease in an annotation. */
const beats: ReadonlySet<string> = new Set(["lastHeartbeatTime", "lastProbeTime", "renewTime", "control-plane.alpha.kubernetes.io/leader"]);

function isBeat({ steps }: FieldDifference): boolean {
  const last = steps.at(-1);
  return last?.type === "Field" && beats.has(last.name);
}

/** Without such fields, unless there is nothing else. What is gone comes after what is there. */
function tellingOf(all: readonly FieldDifference[]): readonly FieldDifference[] {
  const telling = all.filter(({ steps }) => {
    const last = steps.at(-1);
    return last?.type !== "Field" || !attendants.has(last.name);
  });
  const told = telling.length === 0 ? all : telling;
  return told.toSorted((left, right) => Number(left.after === undefined) - Number(right.after === undefined));
}

/** A value in as many characters as there is room for: a text as it is, a condition by its status and reason, anything else as JSON. */
function shortText(value: JsonValue, length: number): string {
  const text = typeof value === "string" ? value : (conditionText(value) ?? stringifyJson(value));
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

function conditionText(value: JsonValue): string | undefined {
  if (!isJsonObject(value)) return undefined;
  const { type, status, reason, message } = value;
  if (typeof type !== "string" || typeof status !== "string") return undefined;
  return [status, reason, message].flatMap((part) => (typeof part === "string" && part !== "" ? [part] : [])).join(" ");
}
