import { formatApiVersion, formatKind, refusal } from "@kaji/core";
import type { DynamicObject, JsonValue } from "@kaji/core";
import { storageVersionOf } from "./crd.ts";
import type { CrdSpec } from "./crd.ts";
import { CustomSchema } from "./custom-schema.ts";

/**
 * Takes the objects of a custom kind from one of its versions to another.
 * By the strategy `None` they stay as they are but for `apiVersion`, and lose what the other version does not know.
 */
export class CustomConversion {
  readonly #spec: CrdSpec;
  readonly #storage: string;
  /** Made when a version is first used. */
  readonly #schemas = new Map<string, CustomSchema>();

  constructor(spec: CrdSpec) {
    this.#spec = spec;
    this.#storage = storageVersionOf(spec)?.name ?? "";
  }

  /** The schema of a version. */
  schemaOf(version: string): CustomSchema {
    let schema = this.#schemas.get(version);
    if (schema === undefined) {
      schema = new CustomSchema(this.#spec.versions.find(({ name }) => name === version)?.schema?.openAPIV3Schema ?? {});
      this.#schemas.set(version, schema);
    }
    return schema;
  }

  /**
   * An object as it is kept, in a version. It is read by the version it was kept in, whose defaults it gets if it was written before there were
   * any; those of the other version it does not get, as on the real server.
   */
  fromStorage(stored: DynamicObject, version: string): DynamicObject {
    const kept = stored.apiVersion.slice(stored.apiVersion.lastIndexOf("/") + 1);
    const schema = this.schemaOf(kept);
    return this.#convert(schema.default(decoded(schema, stored)), kept, version);
  }

  /** An object of a version, as it is to be kept: with the defaults it would get when it is read. */
  toStorage(object: DynamicObject, version: string): DynamicObject {
    return this.schemaOf(this.#storage).default(this.#convert(object, version, this.#storage));
  }

  #convert(object: DynamicObject, from: string, to: string): DynamicObject {
    if (from === to) return object;
    const { group, names, conversion } = this.#spec;
    if (conversion?.strategy === "Webhook") {
      const what = formatKind({ group, version: from, kind: names.kind });
      throw refusal("", `conversion webhook for ${what} failed: this server does not call conversion webhooks`);
    }
    return decoded(this.schemaOf(to), { ...object, apiVersion: formatApiVersion({ group, version: to }) });
  }
}

function decoded(schema: CustomSchema, object: DynamicObject): DynamicObject {
  return schema.decode(object as unknown as JsonValue).object;
}
