import { isJsonObject, jsonOf, objectOf, RecentMap } from "@kaji/core";
import type { DynamicObject, JsonObject } from "@kaji/core";
import type { FieldSet } from "./field-set.ts";
import type { MergeSchema } from "./merge-schema.ts";
import type { TypedValue, Versions } from "./typed-value.ts";
import { MergeSchemaError, validate } from "./validate.ts";

/** What field ownership needs to know of a kind. */
export interface ManagedKind {
  readonly kind: string;
  /** How its objects merge at a version; undefined for versions there are not. */
  schemaAt(apiVersion: string): MergeSchema | undefined;
  /** Why no object can be had at a version there is not, if ownership in it stands in the way of writes. Default: it does not, and is dropped. */
  readonly missing?: (apiVersion: string) => string | undefined;
  /** An object at another version. Default: the same but for `apiVersion`. */
  readonly convert?: (object: DynamicObject, apiVersion: string) => DynamicObject;
  /**
   * An object nobody has written yet. What it has already is owned by nobody who writes the object for the first time, so kinds whose
   * objects always have some fields (`spec` of a Deployment) list them. Default: `apiVersion` and `kind`.
   */
  readonly empty?: (apiVersion: string) => DynamicObject;
  /** An object as its JSON has it, where it may have more in memory. Default as it is. */
  readonly shown?: (object: DynamicObject, apiVersion: string) => DynamicObject;
  /** The fields a write in the version `asked`, through a subresource or none, never takes from a client, as they are at a version: no manager comes to own them by it. */
  readonly resetFields?: (apiVersion: string, subresource: string, asked: string) => FieldSet | undefined;
}

/** The versions of a kind, as one write in one of them, through a subresource, sees them. */
export class KindVersions implements Versions {
  readonly #kind: ManagedKind;
  readonly #subresource: string;
  readonly #asked: string;
  /** What each value is at other versions. */
  readonly #converted = new Map<TypedValue, Map<string, TypedValue | undefined>>();

  constructor(kind: ManagedKind, subresource: string, asked: string) {
    this.#kind = kind;
    this.#asked = asked;
    this.#subresource = subresource;
  }

  at(typed: TypedValue, apiVersion: string): TypedValue | undefined {
    if (isJsonObject(typed.value) && typed.value["apiVersion"] === apiVersion) return typed;
    let known = this.#converted.get(typed);
    if (known === undefined) this.#converted.set(typed, (known = new Map()));
    if (!known.has(apiVersion)) known.set(apiVersion, this.#convert(typed, apiVersion));
    return known.get(apiVersion);
  }

  ignoredAt(apiVersion: string): FieldSet | undefined {
    return this.#kind.resetFields?.(apiVersion, this.#subresource, this.#asked);
  }

  #convert({ value }: TypedValue, apiVersion: string): TypedValue | undefined {
    if (this.#kind.schemaAt(apiVersion) === undefined) {
      const why = this.#kind.missing?.(apiVersion);
      if (why !== undefined) throw new Error(why);
      return undefined;
    }
    const object = objectOf(value);
    const converted = this.#kind.convert?.(object, apiVersion) ?? { ...object, apiVersion };
    return typedObject(converted, this.#kind, apiVersion, "refused");
  }
}

/** An object with its type at a version, of which it is checked to be. */
export function typedObject(object: DynamicObject, kind: ManagedKind, apiVersion: string, duplicates: "allowed" | "refused"): TypedValue {
  const schema = kind.schemaAt(apiVersion);
  if (schema === undefined) throw new MergeSchemaError(`no corresponding type for ${formatGvk(apiVersion, kind.kind)}`);
  const value = jsonOf(object);
  if (duplicates === "allowed" && isJsonObject(value)) validateParts(value, schema);
  else validate(value, schema, { duplicates });
  return { value, schema };
}

/** Parts of objects that fit what they were held against: most writes leave most of an object as it is. */
const fitting = new RecentMap<object, MergeSchema>(128);

function validateParts(object: JsonObject, schema: MergeSchema): void {
  const schemaOf = (name: string): MergeSchema | undefined => schema.map?.field(name) ?? schema.map?.element;
  const all = Object.entries(object);
  const parts = all.filter(([name, part]) => !isJsonObject(part) || fitting.get(part) !== schemaOf(name));
  validate(parts.length === all.length ? object : Object.fromEntries(parts), schema, { duplicates: "allowed" });
  for (const [name, part] of parts) {
    const held = schemaOf(name);
    if (isJsonObject(part) && held !== undefined) fitting.set(part, held);
  }
}

/** `apps/v1, Kind=Deployment`; unlike elsewhere, the core group shows as an empty one: `/v1, Kind=Pod`. What is no text shows as empty. */
export function formatGvk(apiVersion: unknown, kind: unknown): string {
  const version = typeof apiVersion === "string" ? apiVersion : "";
  return `${version.includes("/") ? "" : "/"}${version}, Kind=${typeof kind === "string" ? kind : ""}`;
}
