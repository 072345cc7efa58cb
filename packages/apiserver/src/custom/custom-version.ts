import { jsonOf } from "@kaji/core";
import type { DynamicObject, JsonValue } from "@kaji/core";
import { formatGo } from "@kaji/core/go";
import type { MergeSchema } from "../apply/merge-schema.ts";
import { byPreference } from "../discovery/api-resources.ts";
import type { Column, KindVersion } from "../kind.ts";
import type { Strategy } from "../strategy.ts";
import type { Subresource } from "../subresource.ts";
import { compiledVersion } from "./compiled-version.ts";
import type { CompiledVersion } from "./compiled-version.ts";
import type { CrdSpec, CrdVersion } from "./definition/crd.ts";
import type { CustomConversion } from "./custom-conversion.ts";
import type { CustomSchema } from "./schema/custom-schema.ts";
import { customStatusStrategy, customStrategy } from "./custom-strategy.ts";
import type { CustomValidation } from "./value/custom-validation.ts";
import { evaluateJsonPath } from "./json-path-evaluation.ts";
import { parseJsonPath } from "./json-path.ts";
import { scaleSubresource } from "./scale-subresource.ts";
import type { JsonSchemaProps } from "./schema/structural-schema.ts";

/** What one version of a custom kind is made from. */
export interface CustomVersionParts {
  readonly version: CrdVersion;
  readonly spec: CrdSpec;
  readonly conversion: CustomConversion;
  readonly changedAt?: number;
  readonly isTerminating?: () => boolean;
  readonly compute?: KindVersion["compute"];
}

/** One version of a custom kind. A server may have hundreds that are never used, so its parts are made on first use. */
export class CustomVersion implements KindVersion {
  readonly version: string;
  readonly subresources: Readonly<Record<string, Subresource>>;
  readonly rewriteUpTo: number;
  /** A new object is kept without its status, which may have a default. */
  readonly mayBeKeptIncomplete: boolean;
  readonly selectableFields: Readonly<Record<string, (object: DynamicObject) => string>>;
  readonly deprecation?: string;
  readonly openapi: JsonSchemaProps;
  readonly strategy: Strategy;
  readonly compute?: NonNullable<KindVersion["compute"]>;
  readonly #parts: CustomVersionParts;
  readonly #compiled: CompiledVersion;

  constructor(parts: CustomVersionParts) {
    const { version, spec, changedAt = 0 } = parts;
    const { status, scale } = version.subresources ?? {};
    const compiled = compiledVersion(version);
    const rules = (): CustomValidation => compiled.validation;
    this.#parts = parts;
    this.#compiled = compiled;
    if (parts.compute !== undefined) this.compute = parts.compute;
    this.version = version.name;
    this.openapi = compiled.openapi;
    this.rewriteUpTo = changedAt;
    this.mayBeKeptIncomplete = status !== undefined && (this.openapi.properties?.["status"]?.default ?? null) !== null;
    this.selectableFields = selectableFields(version);
    this.strategy = customStrategy({ ...parts, hasStatus: status !== undefined, rules, default: (object) => this.schema.default(object) });
    this.subresources = {
      ...(status === undefined
        ? {}
        : { status: { type: "Update", strategy: customStatusStrategy(rules), verbs: ["get", "patch", "update"] } }),
      ...(scale === undefined ? {} : { scale: scaleSubresource(scale) }),
    };
    if (version.deprecated === true) this.deprecation = version.deprecationWarning ?? deprecationWarning(version.name, spec);
  }

  get schema(): CustomSchema {
    return this.#compiled.schema;
  }

  get mergeSchema(): MergeSchema {
    return this.#compiled.mergeSchema;
  }

  get columns(): readonly Column[] {
    return this.#compiled.columns;
  }

  readonly fromStorage = (stored: DynamicObject): DynamicObject => this.#parts.conversion.fromStorage(stored, this.version);

  readonly toStorage = (object: DynamicObject): DynamicObject => this.#parts.conversion.toStorage(object);
}

/** By the path without the dot it begins with; what is not there selects as empty text. */
function selectableFields({ selectableFields: fields = [] }: CrdVersion): KindVersion["selectableFields"] & object {
  return Object.fromEntries(
    fields.map(({ jsonPath }) => {
      const path = parseJsonPath(jsonPath);
      return [jsonPath.replace(/^\./, ""), (object: DynamicObject) => shown(evaluateJsonPath(path, jsonOf(object))[0])];
    }),
  );
}

function shown(value: JsonValue | undefined): string {
  return value === undefined || value === null ? "" : formatGo(value);
}

/** Names the version to use instead: the most preferred that is served and not deprecated itself, if it is newer. */
function deprecationWarning(version: string, { group, names, versions }: CrdSpec): string {
  const warning = `${group}/${version} ${names.kind} is deprecated`;
  const [better] = versions
    .filter(({ name, served, deprecated = false }) => served && !deprecated && byPreference(name, version) < 0)
    .map(({ name }) => name)
    .toSorted(byPreference);
  return better === undefined ? warning : `${warning}; use ${group}/${better} ${names.kind}`;
}
