import { forbidden, formatApiVersion, invalidValue, FieldPath, qualifiedNameErrors } from "@kaji/core";
import type { DynamicObject, FieldError } from "@kaji/core";
import { quote } from "@kaji/core/go";
import type { Strategy } from "../strategy.ts";
import { validateMetadataChange } from "../registry/object-meta-validation.ts";
import { subdomainName } from "../registry/subdomain-name.ts";
import type { CrdSpec, CrdVersion } from "./definition/crd.ts";
import type { CustomValidation } from "./value/custom-validation.ts";

/** What the strategy of a custom kind is made from. */
export interface CustomStrategyParts {
  readonly spec: CrdSpec;
  readonly version: CrdVersion;
  readonly hasStatus: boolean;
  readonly default: (object: DynamicObject) => DynamicObject;
  readonly rules: () => CustomValidation;
  readonly isTerminating?: () => boolean;
}

/** How objects of a custom kind come to be and change. */
export function customStrategy(parts: CustomStrategyParts): Strategy {
  const { spec, version, hasStatus, rules, isTerminating = () => false } = parts;
  const resource = { group: spec.group, plural: spec.names.plural };
  return {
    default: parts.default,
    ...(hasStatus ? { prepareCreate: withoutStatus, prepareUpdate: withStatusOf } : {}),
    validateCreate: (object) => {
      const errors = typeErrors(object, spec, version);
      return errors.length > 0 ? errors : rules().create(object);
    },
    validateUpdate: (object, old, warn) => {
      const errors = typeErrors(object, spec, version);
      // Metadata is looked at again here, and what is wrong with it listed once more.
      return errors.length > 0 ? errors : [...validateMetadataChange(object.metadata, old.metadata), ...rules().update(object, old, warn)];
    },
    warnings: finalizerWarnings,
    validateName: subdomainName,
    generationOf: hasStatus ? "all-but-metadata-and-status" : "all-but-metadata",
    resetFields: hasStatus ? [["status"]] : [],
    unconditionalUpdate: false,
    guard: (operation, object) => {
      if (operation !== "create" || !isTerminating()) return;
      throw forbidden(resource, object.metadata.name, "create not allowed while custom resource definition is terminating");
    },
  };
}

/** How the status of an object of a custom kind changes: nothing else does. */
export function customStatusStrategy(rules: () => CustomValidation): Strategy {
  return {
    prepareUpdate: (object, old) => {
      const { managedFields } = object.metadata;
      const { managedFields: _oldFields, ...metadata } = old.metadata;
      return withStatusOf({ ...old, metadata: { ...metadata, ...(managedFields === undefined ? {} : { managedFields }) } }, object);
    },
    validateUpdate: (object, old, warn) => rules().updateStatus(object, old, warn),
    generationOf: "none",
    resetFields: [["metadata"], ["spec"]],
    unconditionalUpdate: false,
  };
}

function withoutStatus({ status: _status, ...object }: DynamicObject): DynamicObject {
  return object;
}

/** An object with the status of another, or without one if that has none. */
function withStatusOf(object: DynamicObject, { status }: DynamicObject): DynamicObject {
  return status === undefined ? withoutStatus(object) : { ...object, status };
}

function typeErrors({ kind, apiVersion }: DynamicObject, { names, group }: CrdSpec, { name }: CrdVersion): readonly FieldError[] {
  const expected = formatApiVersion({ group, version: name });
  return [
    ...(kind === names.kind ? [] : [invalidValue(FieldPath.of("kind"), kind, `must be ${names.kind}`)]),
    ...(apiVersion === expected ? [] : [invalidValue(FieldPath.of("apiVersion"), apiVersion, `must be ${expected}`)]),
  ];
}

/** Finalizers of Kubernetes itself, which need no domain. */
const standardFinalizers: ReadonlySet<string> = new Set(["orphan", "foregroundDeletion", "kubernetes"]);

/** Finalizers without a domain, which another program could use too. */
function finalizerWarnings({ metadata }: DynamicObject, old: DynamicObject | undefined): readonly string[] {
  const { finalizers = [] } = metadata;
  if (finalizers.length === 0) return [];
  const before = new Set(old?.metadata.finalizers ?? []);
  const added = finalizers.filter((finalizer) => !before.has(finalizer)).toSorted();
  return added.flatMap((finalizer) => {
    const about = `metadata.finalizers: ${quote(finalizer)}`;
    const problems = qualifiedNameErrors(finalizer).map((problem) => `${about}: ${problem}`);
    if (finalizer.includes("/") || standardFinalizers.has(finalizer)) return problems;
    const name = finalizer.includes(".") ? "name including a path (/)" : "name";
    return [
      ...problems,
      `${about}: prefer a domain-qualified finalizer ${name} to avoid accidental conflicts with other finalizer writers`,
    ];
  });
}
