import { FieldPath, dns1035LabelErrors, dns1123SubdomainErrors, invalidValue, isConditionTrue, notSupported, required } from "@kaji/core";
import type { FieldError, JsonValue } from "@kaji/core";
import { validateMetadataAgain, validateMetadataChange } from "../../registry/object-meta-validation.ts";
import type { Strategy } from "../../strategy.ts";
import { subdomainName } from "../../registry/subdomain-name.ts";
import { validateApproval } from "./api-approval.ts";
import { isCaBundle, validateConversion } from "./conversion-validation.ts";
import { internalSpec, shownVersion } from "./crd-internal.ts";
import { hasStatus, validateParts, validateVersion } from "./crd-version-validation.ts";
import { noVersions } from "./crd.ts";
import type { CrdNames, CrdSpec, CrdStatus, CrdVersion, CustomResourceDefinition } from "./crd.ts";
import { schemasIn } from "../schema/structural-schema.ts";

const specPath = FieldPath.of("spec");
const statusPath = FieldPath.of("status");

/** What is wrong with a new definition, its metadata included. */
export function validateCrd(crd: CustomResourceDefinition): readonly FieldError[] {
  const { spec, metadata } = crd;
  return [
    ...validateMetadataAgain(metadata, definitionName(spec)),
    ...specErrors(spec, { allowsAnyCaBundle: true }),
    ...validateCrdStatus(crd),
    ...storedVersionErrors(crd),
    ...validateApproval(crd, undefined),
    ...preserveErrors(spec),
  ];
}

function definitionName({ names, group }: CrdSpec): NonNullable<Strategy["validateName"]> {
  const wanted = `${names.plural}.${group}`;
  return (name, options) => [...subdomainName(name, options), ...(name === wanted ? [] : ['must be spec.names.plural+"."+spec.group'])];
}

/** What is wrong with a changed definition; what is wrong with its metadata is listed once more. */
export function validateCrdUpdate(crd: CustomResourceDefinition, old: CustomResourceDefinition): readonly FieldError[] {
  const isEstablished = isConditionTrue(old.status?.conditions ?? [], "Established");
  const immutableName = (name: keyof CrdNames): readonly FieldError[] =>
    immutableErrors(crd.spec.names, old.spec.names, name, specPath.child("names"));
  const oldBundle = old.spec.conversion?.webhook?.clientConfig?.caBundle ?? "";
  return [
    ...validateMetadataChange(crd.metadata, old.metadata),
    ...specErrors(crd.spec, { allowsAnyCaBundle: !isEstablished || !isCaBundle(oldBundle) }),
    ...(isEstablished ? [...immutableErrors(crd.spec, old.spec, "scope", specPath), ...immutableName("kind")] : []),
    ...immutableErrors(crd.spec, old.spec, "group", specPath),
    ...immutableName("plural"),
    ...validateCrdStatus(crd),
    ...storedVersionErrors(crd),
    ...validateApproval(crd, old),
    ...(old.spec.preserveUnknownFields === true ? [] : preserveErrors(crd.spec)),
  ];
}

/** What is wrong with the status of a definition. */
export function validateCrdStatus({ status }: CustomResourceDefinition): readonly FieldError[] {
  const { acceptedNames }: Partial<CrdStatus> = status ?? {};
  return acceptedNames === undefined ? [] : nameErrors(acceptedNames, statusPath.child("acceptedNames"));
}

function specErrors(spec: CrdSpec, { allowsAnyCaBundle }: { readonly allowsAnyCaBundle: boolean }): readonly FieldError[] {
  const internal = internalSpec(spec);
  const { names, conversion, versions } = spec;
  const anyStatus = hasStatus(internal.subresources) || internal.versions.some(({ subresources }) => hasStatus(subresources));
  return [
    ...groupErrors(spec.group),
    ...scopeErrors(spec.scope),
    ...versions.flatMap(({ schema }, index) =>
      schema?.openAPIV3Schema === undefined ? [required(specPath.child("versions").index(index).child("schema", "openAPIV3Schema"))] : [],
    ),
    ...preservedDefaultErrors(spec),
    ...internal.versions.flatMap((version, index) => validateVersion(version, internal, specPath.child("versions").index(index))),
    ...versionListErrors(internal.versions, () => (versions === noVersions ? null : internal.versions.map(shownVersion))),
    ...requiredNameErrors(names),
    ...nameErrors(names, specPath.child("names")),
    ...validateParts({ ...internal, schema: internal.validation }, { path: specPath, schemaField: "validation", hasStatus: anyStatus }),
    ...(spec.preserveUnknownFields === true && conversion !== undefined && conversion.strategy !== "None"
      ? [invalidValue(specPath.child("conversion", "strategy"), conversion.strategy, "must be None if spec.preserveUnknownFields is true")]
      : []),
    ...(conversion === undefined ? [] : validateConversion(conversion, specPath.child("conversion"), { allowsAnyCaBundle })),
  ];
}

function groupErrors(group: string): readonly FieldError[] {
  const path = specPath.child("group");
  if (group === "") return [required(path)];
  const errors = dns1123SubdomainErrors(group);
  if (errors.length > 0) return [invalidValue(path, group, errors.join(","))];
  return group.includes(".") ? [] : [invalidValue(path, group, "should be a domain with at least one dot")];
}

function scopeErrors(scope: string): readonly FieldError[] {
  const path = specPath.child("scope");
  const supported = ["Cluster", "Namespaced"];
  if (scope === "") return [required(path)];
  return supported.includes(scope) ? [] : [notSupported(path, scope, supported)];
}

/** Defaults and preserved unknown fields do not go together. */
function preservedDefaultErrors({ preserveUnknownFields, versions }: CrdSpec): readonly FieldError[] {
  if (preserveUnknownFields !== true) return [];
  const schemas = versions.flatMap(({ schema }) => (schema?.openAPIV3Schema === undefined ? [] : [schema.openAPIV3Schema]));
  const hasDefaults = schemas.some((schema) => schemasIn(schema).some(({ default: value }) => (value ?? null) !== null));
  if (!hasDefaults) return [];
  return [invalidValue(specPath.child("preserveUnknownFields"), true, "must be false in order to use defaults in the schema")];
}

function preserveErrors({ preserveUnknownFields }: CrdSpec): readonly FieldError[] {
  if (preserveUnknownFields !== true) return [];
  const rule = "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
  return [invalidValue(specPath.child("preserveUnknownFields"), true, rule)];
}

function versionListErrors(versions: readonly CrdVersion[], shown: () => JsonValue): readonly FieldError[] {
  const path = specPath.child("versions");
  const errors: FieldError[] = [];
  if (new Set(versions.map(({ name }) => name)).size < versions.length)
    errors.push(invalidValue(path, shown(), "must contain unique version names"));
  if (versions.filter(({ storage }) => storage).length !== 1) {
    errors.push(invalidValue(path, shown(), "must have exactly one version marked as storage version"));
  }
  const first = versions[0]?.name ?? "";
  const problems = first === "" ? [] : dns1035LabelErrors(first);
  if (problems.length > 0) errors.push(invalidValue(specPath.child("version"), first, problems.join(",")));
  return errors;
}

function requiredNameErrors(names: CrdNames): readonly FieldError[] {
  const path = specPath.child("names");
  return (["plural", "singular", "kind", "listKind"] as const).flatMap((name) =>
    (names[name] ?? "") === "" ? [required(path.child(name))] : [],
  );
}

function nameErrors(names: Partial<CrdNames>, path: FieldPath): readonly FieldError[] {
  const { plural = "", singular = "", kind = "", listKind = "", shortNames = [], categories = [] } = names;
  const label = (at: FieldPath, name: string): FieldError[] => {
    const problems = dns1035LabelErrors(name);
    return problems.length === 0 ? [] : [invalidValue(at, name, problems.join(","))];
  };
  const mixed = (at: FieldPath, name: string): FieldError[] => {
    const problems = name === "" ? [] : dns1035LabelErrors(name.toLowerCase());
    return problems.length === 0 ? [] : [invalidValue(at, name, `may have mixed case, but should otherwise match: ${problems.join(",")}`)];
  };
  const isAmbiguous = kind !== "" && kind === listKind;
  return [
    ...(plural === "" ? [] : label(path.child("plural"), plural)),
    ...(singular === "" ? [] : label(path.child("singular"), singular)),
    ...mixed(path.child("kind"), kind),
    ...mixed(path.child("listKind"), listKind),
    ...shortNames.flatMap((name, index) => label(path.child("shortNames").index(index), name)),
    ...(isAmbiguous ? [invalidValue(path.child("listKind"), listKind, "kind and listKind may not be the same")] : []),
    ...categories.flatMap((name, index) => label(path.child("categories").index(index), name)),
  ];
}

function storedVersionErrors({ spec, status }: CustomResourceDefinition): readonly FieldError[] {
  const path = statusPath.child("storedVersions");
  const stored: CrdStatus["storedVersions"] = status?.storedVersions ?? [];
  if (stored.length === 0) return [invalidValue(path, null, "must have at least one stored version")];
  // Each stored version is accounted for by the first version of its name.
  const left = new Map(stored.map((name, index) => [name, index]));
  const errors: FieldError[] = [];
  for (const { name, storage } of spec.versions) {
    if (!left.delete(name) && storage) errors.push(invalidValue(path, stored, `must have the storage version ${name}`));
  }
  for (const [name, index] of left) errors.push(invalidValue(path.index(index), name, missingVersion(name)));
  return errors;
}

function missingVersion(name: string): string {
  return (
    `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ` +
    `ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`
  );
}

function immutableErrors<Fields extends object>(
  fields: Fields,
  old: Fields,
  name: keyof Fields & string,
  path: FieldPath,
): readonly FieldError[] {
  return fields[name] === old[name] ? [] : [invalidValue(path.child(name), fields[name], "field is immutable")];
}
