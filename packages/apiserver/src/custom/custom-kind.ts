import { formatApiVersion } from "@kaji/core";
import { byPreference } from "../discovery/api-resources.ts";
import type { Kind, KindVerb } from "../kind.ts";
import { storageVersionOf } from "./crd.ts";
import type { CrdNames, CustomResourceDefinition } from "./crd.ts";
import { CustomConversion } from "./custom-conversion.ts";
import type { RuleCompiler } from "./custom-validation.ts";
import { CustomVersion } from "./custom-version.ts";

/** All verbs, in the order in which the real server lists those of custom kinds. */
const customVerbs: readonly KindVerb[] = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];

/** What a custom kind needs to know beyond its definition. */
export interface CustomKindOptions {
  /** The names it was given, which are not all it asked for when others have them already. */
  readonly names: CrdNames;
  /** The revision at which its schemas last changed: objects written before are read by the new ones. */
  readonly changedAt?: number;
  /** Whether the definition is on its way out, so that there may be no new objects. */
  readonly isTerminating?: () => boolean;
  /** Evaluates the CEL rules in schemas. Without it, they are kept but not evaluated. */
  readonly rules?: RuleCompiler | undefined;
}

/** The kind that a definition defines. Schemas are compiled when they are first used. */
export function createCustomKind({ spec }: CustomResourceDefinition, options: CustomKindOptions): Kind {
  const { names } = options;
  const { group, scope, versions } = spec;
  const { plural, kind, singular = kind.toLowerCase(), listKind = `${kind}List`, shortNames = [], categories = [] } = names;
  const storageVersion = formatApiVersion({ group, version: storageVersionOf(spec)?.name ?? "" });
  const conversion = new CustomConversion({ ...spec, names });
  return {
    group,
    kind,
    plural,
    singular,
    listKind,
    scope,
    shortNames,
    categories,
    storagePrefix: `/registry/${group}/${plural}/`,
    storageVersion,
    itemsNameType: true,
    versions: versions
      .filter(({ served }) => served)
      .toSorted((left, right) => byPreference(left.name, right.name))
      .map((version) => new CustomVersion({ version, spec: { ...spec, names }, conversion, ...options })),
    verbs: customVerbs,
  };
}
