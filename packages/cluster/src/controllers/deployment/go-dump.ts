import { compareGoStrings } from "@kaji/core/go";
import { podTemplateTypes } from "@kaji/types/tables";
import type { PodTemplateSpec } from "@kaji/types/core/v1";
import { dumpIntOrString, dumpQuantity, dumpZeroTime } from "./go-dump-leaves.ts";

/**
 * A pod template as go-spew prints it in Kubernetes, where the hash of this text stands in the names of ReplicaSets and in labels of pods. An empty list or map is
 * printed as none: it does not survive being stored.
 */
export function dumpPodTemplate(template: PodTemplateSpec): string {
  return `(v1.PodTemplateSpec)${dumpStruct("v1.PodTemplateSpec", template)}`;
}

/** A type as Go prints it, and how to print a value of it. */
interface GoType {
  readonly name: string;
  readonly dump: (value: unknown) => string;
}

interface GoField {
  readonly goName: string;
  /** Undefined for a struct whose fields are inline. */
  readonly jsonName: string | undefined;
  readonly type: GoType;
}

/** By the name of the struct; parsed when it is first asked for. */
const structs = new Map<string, readonly GoField[]>();

function dumpStruct(name: string, value: unknown): string {
  const fields = fieldsOf(name).map(({ goName, jsonName, type }) => {
    const field = jsonName === undefined ? value : property(value, jsonName);
    return `${goName}:(${type.name})${type.dump(field)}`;
  });
  return `{${fields.join(" ")}}`;
}

function fieldsOf(name: string): readonly GoField[] {
  if (structs.size === 0) {
    for (const line of podTemplateTypes.trimEnd().split("\n")) {
      const [struct = "", fields = ""] = line.split(": ");
      structs.set(struct, fields === "" ? [] : fields.split(",").map(parseField));
    }
  }
  return structs.get(name) ?? [];
}

function parseField(text: string): GoField {
  const [goName = "", json = "", type = ""] = text.split(" ");
  const jsonName = json === "-" ? undefined : json === "=" ? goName.slice(0, 1).toLowerCase() + goName.slice(1) : json;
  return { goName, jsonName, type: parseType(type) };
}

function parseType(text: string): GoType {
  if (text.startsWith("*")) {
    const { name, dump } = parseType(text.slice(1));
    return { name: `*${name}`, dump: (value) => (value === undefined ? nil : dump(value)) };
  }
  const [, alias, rest = text] = /^([\w.]+):(.+)$/.exec(text) ?? [];
  const type = parseUnnamed(rest);
  return alias === undefined ? type : { ...type, name: alias };
}

function parseUnnamed(text: string): GoType {
  const items = parseTypeIfAny(text.slice(2));
  if (text.startsWith("[]") && items !== undefined) {
    return { name: `[]${items.name}`, dump: (value) => (isFilledList(value) ? `[${value.map(items.dump).join(" ")}]` : nil) };
  }
  if (text.startsWith("{}") && items !== undefined) {
    const entry = ([key, value]: readonly [string, unknown]): string => `${key}:${items.dump(value)}`;
    return { name: `map[string]${items.name}`, dump: (value) => (isEmptyMap(value) ? nil : `map[${sorted(value).map(entry).join(" ")}]`) };
  }
  const leaf = leaves.get(text);
  return { name: text, dump: leaf ?? ((value) => dumpStruct(text, value)) };
}

function parseTypeIfAny(text: string): GoType | undefined {
  return text === "" ? undefined : parseType(text);
}

const nil = "<nil>";

const leaves: ReadonlyMap<string, (value: unknown) => string> = new Map<string, (value: unknown) => string>([
  ["string", (value) => (typeof value === "string" ? value : "")],
  ["bool", (value) => String(value === true)],
  ["int32", dumpInteger],
  ["int64", dumpInteger],
  ["v1.Time", dumpZeroTime],
  ["intstr.IntOrString", dumpIntOrString],
  ["resource.Quantity", dumpQuantity],
]);

function dumpInteger(value: unknown): string {
  return typeof value === "number" || typeof value === "bigint" ? String(value) : "0";
}

function property(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function isFilledList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0;
}

function isEmptyMap(value: unknown): boolean {
  return !isRecord(value) || Object.keys(value).length === 0;
}

function sorted(map: unknown): readonly (readonly [string, unknown])[] {
  return Object.entries(isRecord(map) ? map : {}).toSorted(([left], [right]) => compareGoStrings(left, right));
}
