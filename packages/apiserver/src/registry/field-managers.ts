import { formatApiVersion, stringifyJson } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { FieldManager } from "../apply/field-manager.ts";
import { FieldSet } from "../apply/field-set.ts";
import type { Kind, KindVersion, RemoteConversion } from "../kind.ts";
import type { Strategy } from "../strategy.ts";

/** Who keeps track of the owners of fields, for each kind. */
export class FieldManagers {
  /** Made when a kind is first written, and let go of with it. */
  readonly #managers = new WeakMap<Kind, FieldManager>();

  /** Does something pure with the field manager of a kind. Where conversion is remote, it is done again with each conversion that it lacked. */
  async run<T>(kind: Kind, step: (fields: FieldManager) => T): Promise<T> {
    const { remoteConversion } = kind;
    return remoteConversion === undefined ? step(this.#of(kind)) : withConversions(kind, remoteConversion, step);
  }

  #of(kind: Kind): FieldManager {
    let manager = this.#managers.get(kind);
    if (manager === undefined) {
      const versions = versionsOf(kind);
      manager = fieldManager(kind, (object, apiVersion) => {
        const [from, to] = [versions.get(object.apiVersion), versions.get(apiVersion)];
        const isNamed = kind.convertsByName === true || from === undefined || to === undefined;
        return isNamed ? { ...object, apiVersion } : to.fromStorage(from.toStorage(object));
      });
      this.#managers.set(kind, manager);
    }
    return manager;
  }
}

type Convert = (object: DynamicObject, apiVersion: string) => DynamicObject;

async function withConversions<T>(kind: Kind, remote: RemoteConversion, step: (fields: FieldManager) => T): Promise<T> {
  /** By object and version: what it became, or why it did not. */
  const known = new Map<string, () => DynamicObject>();
  for (;;) {
    const missing = new Map<string, () => Promise<DynamicObject>>();
    const convert: Convert = (object, apiVersion) => {
      if (object.apiVersion === apiVersion) return object;
      const key = `${apiVersion} ${stringifyJson(object)}`;
      const converted = known.get(key);
      if (converted !== undefined) return converted();
      missing.set(key, () => remote.convert(object, apiVersion.slice(apiVersion.lastIndexOf("/") + 1)));
      throw new Error(`the conversion to ${apiVersion} is not known yet`);
    };
    const outcome = outcomeOf(() => step(fieldManager(kind, convert)));
    if (missing.size === 0) return outcome();
    for (const [key, ask] of missing) {
      known.set(
        key,
        await ask().then(
          (object) => () => object,
          (error: unknown) => outcomeOf(() => fail(error)),
        ),
      );
    }
  }
}

/** What a step returns or throws, to be had later. */
function outcomeOf<T>(step: () => T): () => T {
  try {
    const value = step();
    return () => value;
  } catch (error) {
    return () => fail(error);
  }
}

function fail(error: unknown): never {
  throw error;
}

function versionsOf({ group, versions, unservedVersions = [] }: Kind): ReadonlyMap<string, KindVersion> {
  return new Map([...versions, ...unservedVersions].map((version) => [formatApiVersion({ group, version: version.version }), version]));
}

function fieldManager(kind: Kind, convert: Convert): FieldManager {
  const versions = versionsOf(kind);
  const resetFields = new Map<string, FieldSet | undefined>();
  return new FieldManager({
    kind: kind.kind,
    schemaAt: (apiVersion) => versions.get(apiVersion)?.mergeSchema,
    missing: (apiVersion) => (kind.isCustom ? `request to convert CR to an invalid group/version: ${apiVersion}` : undefined),
    convert,
    empty: (apiVersion) => ({ ...versions.get(apiVersion)?.empty, kind: kind.kind, apiVersion, metadata: { name: "" } }),
    shown: (object, apiVersion) => versions.get(apiVersion)?.schema.shown?.(object) ?? object,
    resetFields: (apiVersion, subresource, asked) => {
      // A version of a custom kind says of itself alone that it does not take the status; what the status does not take, it does not in any version.
      if (kind.isCustom && subresource === "" && apiVersion !== asked) return undefined;
      const [key, version] = [`${apiVersion} ${subresource}`, versions.get(apiVersion)];
      if (version !== undefined && !resetFields.has(key)) resetFields.set(key, resetFieldsOf(version, subresource));
      return resetFields.get(key);
    },
  });
}

function resetFieldsOf({ strategy, subresources }: KindVersion, name: string): FieldSet | undefined {
  const subresource = name === "" ? undefined : subresources[name];
  const { resetFields }: Pick<Strategy, "resetFields"> = subresource?.type === "Update" ? subresource.strategy : strategy;
  return resetFields.length === 0 ? undefined : FieldSet.ofFields(...resetFields);
}
