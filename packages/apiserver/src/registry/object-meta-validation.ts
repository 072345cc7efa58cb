import {
  FieldPath,
  dns1123LabelErrors,
  forbiddenField,
  invalidValue,
  parseApiVersion,
  pathSegmentErrors,
  qualifiedNameErrors,
  required,
  structuralEqual,
  validateAnnotations,
  validateLabels,
} from "@kaji/core";
import type { DynamicObject, FieldError, ObjectMeta, OwnerReference } from "@kaji/core";
import { quote } from "@kaji/core/go";
import type { Kind } from "../kind.ts";
import type { Strategy } from "../strategy.ts";
import { validateManagers } from "../apply/manager-validation.ts";

type NameRule = NonNullable<Strategy["validateName"]>;

const metadataPath = FieldPath.of("metadata");
const orphanFinalizer = "orphan";
const foregroundFinalizer = "foregroundDeletion";

/** What is wrong with the metadata of a new object. */
export function validateMetadata(
  { metadata }: DynamicObject,
  kind: Pick<Kind, "scope">,
  strategy: Pick<Strategy, "validateName">,
): readonly FieldError[] {
  return [
    ...validateName(metadata, strategy.validateName ?? pathSegmentName),
    ...namespaceErrors(metadata, kind),
    ...generationErrors(metadata),
    ...fieldErrors(metadata),
  ];
}

/** What is wrong with metadata of which the namespace has been looked at, by a rule for names. */
export function validateMetadataAgain(metadata: ObjectMeta, rule: NameRule): readonly FieldError[] {
  return [...validateName(metadata, rule), ...fieldErrors(metadata)];
}

function fieldErrors(metadata: ObjectMeta): readonly FieldError[] {
  const { finalizers } = metadata;
  return [...sharedFieldErrors(metadata), ...(finalizers === undefined ? [] : finalizerErrors(finalizers))];
}

/** What is wrong with changed metadata: what may not be so at all, and what may not change. Some of it is said twice, as on the real server. */
export function validateMetadataUpdate(object: DynamicObject, old: DynamicObject, kind: Kind): readonly FieldError[] {
  // A name that was accepted once stays acceptable, whatever the kind's rule for new names is.
  const unnamed = { validateName: pathSegmentName, generationOf: "none", resetFields: [] } as const;
  return [...validateMetadata(object, kind, unnamed), ...validateMetadataChange(object.metadata, old.metadata)];
}

/** What is wrong with metadata, given what it was: new finalizers once a deletion has begun, changes to what identifies the object. */
export function validateMetadataChange(metadata: ObjectMeta, old: ObjectMeta): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (old.deletionTimestamp !== undefined) errors.push(...newFinalizerErrors(metadata, old));
  for (const field of ["name", "namespace", "uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"] as const) {
    if (!structuralEqual(metadata[field], old[field]))
      errors.push(invalidValue(metadataPath.child(field), metadata[field], "field is immutable"));
  }
  return [...errors, ...sharedFieldErrors(metadata)];
}

/** What was looked at last and found right: every update asks twice, and one of a custom kind three times. */
let sound: ObjectMeta | undefined;

function sharedFieldErrors(metadata: ObjectMeta): readonly FieldError[] {
  if (metadata === sound) return [];
  const { labels, annotations, ownerReferences, managedFields } = metadata;
  const errors = [
    ...(labels === undefined ? [] : validateLabels(labels, metadataPath.child("labels"))),
    ...(annotations === undefined ? [] : validateAnnotations(annotations, metadataPath.child("annotations"))),
    ...(ownerReferences === undefined ? [] : ownerErrors(ownerReferences)),
    ...(managedFields === undefined ? [] : validateManagers(managedFields, metadataPath.child("managedFields"))),
  ];
  if (errors.length === 0) sound = metadata;
  return errors;
}

function validateName({ name, generateName }: ObjectMeta, rule: NameRule): readonly FieldError[] {
  const errors: FieldError[] = [];
  if ((generateName ?? "") !== "") {
    for (const message of rule(generateName ?? "", { prefix: true })) {
      errors.push(invalidValue(metadataPath.child("generateName"), generateName, message));
    }
  }
  if ((name ?? "") === "") return [...errors, required(metadataPath.child("name"), "name or generateName is required")];
  return [...errors, ...rule(name, { prefix: false }).map((message) => invalidValue(metadataPath.child("name"), name, message))];
}

function pathSegmentName(name: string): readonly string[] {
  return pathSegmentErrors(name);
}

function namespaceErrors({ namespace = "" }: ObjectMeta, kind: Pick<Kind, "scope">): FieldError[] {
  const path = metadataPath.child("namespace");
  if (kind.scope === "Cluster") return namespace === "" ? [] : [forbiddenField(path, "not allowed on this type")];
  if (namespace === "") return [required(path)];
  return dns1123LabelErrors(namespace).map((message) => invalidValue(path, namespace, message));
}

function generationErrors({ generation = 0 }: ObjectMeta): FieldError[] {
  return generation >= 0 ? [] : [invalidValue(metadataPath.child("generation"), generation, "must be greater than or equal to 0")];
}

/** Several times the largest request, in letters. */
const mostShown = 8 * 1024 * 1024;

function ownerErrors(owners: readonly OwnerReference[]): FieldError[] {
  const path = metadataPath.child("ownerReferences");
  const errors = owners.flatMap((owner) => ownerReferenceErrors(owner, path));
  const [first, ...more] = owners.filter(({ controller }) => controller === true).map(({ kind, name }) => `${kind}/${name}`);
  // Each shows all owners: of thousands, memory could not hold what there would be to say.
  let left = mostShown;
  for (const other of more) {
    if (left < 0) break;
    const rule = `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${other}`;
    const error = invalidValue(path, owners, rule);
    left -= error.body.length;
    errors.push(error);
  }
  return errors;
}

function ownerReferenceErrors(owner: OwnerReference, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (!hasVersion(owner.apiVersion))
    errors.push(invalidValue(path.child("apiVersion"), owner.apiVersion ?? "", "version must not be empty"));
  for (const field of ["kind", "name", "uid"] as const) {
    if ((owner[field] ?? "") === "") errors.push(invalidValue(path.child(field), owner[field] ?? "", "must not be empty"));
  }
  if (owner.apiVersion === "v1" && owner.kind === "Event") {
    errors.push(invalidValue(path, owner, "/v1, Kind=Event is disallowed from being an owner"));
  }
  return errors;
}

function hasVersion(apiVersion: string | undefined): boolean {
  try {
    return parseApiVersion(apiVersion ?? "").version !== "";
  } catch {
    return false;
  }
}

function finalizerErrors(finalizers: readonly string[]): FieldError[] {
  const path = metadataPath.child("finalizers");
  const errors = finalizers.flatMap((name) => qualifiedNameErrors(name).map((message) => invalidValue(path, name, message)));
  if (finalizers.includes(orphanFinalizer) && finalizers.includes(foregroundFinalizer)) {
    errors.push(invalidValue(path, finalizers, `finalizer ${orphanFinalizer} and ${foregroundFinalizer} cannot be both set`));
  }
  return errors;
}

function newFinalizerErrors(metadata: ObjectMeta, old: ObjectMeta): FieldError[] {
  const added = new Set(metadata.finalizers).difference(new Set(old.finalizers));
  if (added.size === 0) return [];
  const shown = `[]string{${[...added].toSorted().map(quote).join(", ")}}`;
  const why = `no new finalizers can be added if the object is being deleted, found new finalizers ${shown}`;
  return [forbiddenField(metadataPath.child("finalizers"), why)];
}
