import { FieldPath, forbiddenField, invalidValue, structuralEqual } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject, JsonValue } from "@kaji/core";
import { withField, withoutFields } from "../field-defaults.ts";
import { requiredField } from "../field-rules.ts";
import { field, has, numberField, objectField, objectsField, optionalObject, stringField, stringMapField } from "../json-fields.ts";
import { finalizerNameErrors, metadataErrorsAgain, metadataUpdateErrors, subdomainName } from "../metadata-validation.ts";
import { largestInt32, rangeProblems } from "../scalar-rules.ts";
import { imageSpaceErrors } from "./container-validation.ts";
import { appArmorPrefix, mirrorAnnotation, podAnnotationErrors } from "./pod-annotation-validation.ts";
import { validateProfileAgreement } from "./profile-agreement.ts";
import { validatePodSpec } from "./pod-spec-validation.ts";
import { validateTolerations } from "./scheduling-validation.ts";
import { podSpecDiff } from "./spec-diff.ts";

const metadataPath = FieldPath.of("metadata");
const specPath = FieldPath.of("spec");

/** What is wrong with a new pod. */
export function validatePod(pod: DynamicObject): readonly FieldError[] {
  const spec = objectField(pod, "spec");
  const errors = [...finalizerNameErrors(pod), ...podErrors(pod)];
  if (objectsField(spec, "ephemeralContainers").length > 0) {
    errors.push(forbiddenField(specPath.child("ephemeralContainers"), "cannot be set on create"));
  }
  if (stringField(spec, "nodeName") !== "" && objectsField(spec, "schedulingGates").length > 0) {
    errors.push(forbiddenField(specPath.child("nodeName"), "cannot be set until all schedulingGates have been cleared"));
  }
  return [...errors, ...validateProfileAgreement(pod.metadata.annotations ?? {}, spec, specPath)];
}

/** What is wrong with a pod however it came to be so. */
export function validateChangedPod(pod: DynamicObject, old: DynamicObject): readonly FieldError[] {
  return [...metadataUpdateErrors(pod, old), ...metadataErrorsAgain(pod, subdomainName), ...podErrors(pod)];
}

/** What is wrong with a changed pod: little of its `spec` may change. */
export function validatePodUpdate(pod: DynamicObject, old: DynamicObject): readonly FieldError[] {
  const [spec, oldSpec] = [objectField(pod, "spec"), objectField(old, "spec")];
  const errors = [...validateChangedPod(pod, old), ...annotationUpdateErrors(pod, old)];
  for (const list of ["containers", "initContainers"]) {
    const found = containerUpdateErrors(spec, oldSpec, list);
    errors.push(...found.errors);
    if (found.stop) return errors;
  }
  const deadline = deadlineErrors(spec, oldSpec);
  errors.push(...deadline.errors);
  if (deadline.stop) return errors;
  errors.push(...tolerationUpdateErrors(spec, oldSpec), ...addedGateErrors(spec, oldSpec));
  if (structuralEqual(spec, oldSpec)) return errors;
  return [...errors, ...immutableErrors(spec, oldSpec)];
}

/** What is wrong with annotations that may not change once a pod runs. */
export function annotationUpdateErrors(pod: DynamicObject, old: DynamicObject): readonly FieldError[] {
  const [annotations = {}, before = {}] = [pod.metadata.annotations, old.metadata.annotations];
  const path = metadataPath.child("annotations");
  const name = (key: string): string | undefined =>
    key.startsWith(appArmorPrefix) ? "AppArmor annotations" : key === mirrorAnnotation ? "mirror pod annotation" : undefined;
  const changed = Object.keys(before).filter((key) => annotations[key] !== before[key]);
  const added = Object.keys(annotations).filter((key) => !Object.hasOwn(before, key));
  return [
    ...changed.flatMap((key) => (name(key) === undefined ? [] : [forbiddenField(path.key(key), `may not remove or update ${name(key)}`)])),
    ...added.flatMap((key) => (name(key) === undefined ? [] : [forbiddenField(path.key(key), `may not add ${name(key)}`)])),
    ...podAnnotationErrors(annotations, objectField(pod, "spec"), path),
  ];
}

function podErrors(pod: DynamicObject): readonly FieldError[] {
  const spec = objectField(pod, "spec");
  const { annotations = {} } = pod.metadata;
  return [
    ...podAnnotationErrors(annotations, spec, metadataPath.child("annotations")),
    ...validatePodSpec(spec, { isPod: true, name: pod.metadata.name ?? "" }, specPath),
    ...(stringField(spec, "serviceAccountName") === "" ? tokensWithoutAccount(spec) : []),
    ...["containers", "initContainers"].flatMap((list) =>
      objectsField(spec, list).flatMap((container, index) => imageSpaceErrors(container, specPath.child(list).index(index))),
    ),
  ];
}

function tokensWithoutAccount(spec: JsonObject): readonly FieldError[] {
  return objectsField(spec, "volumes").flatMap((volume, index) =>
    objectsField(optionalObject(volume, "projected"), "sources").flatMap((source, position) => {
      if (!has(source, "serviceAccountToken")) return [];
      const path = specPath.child("volumes").index(index).child("projected", "sources").index(position).child("serviceAccountToken");
      return [forbiddenField(path, "must not be specified when serviceAccountName is not set")];
    }),
  );
}

/** What was found, and whether looking further makes no sense. */
interface Finding {
  readonly errors: readonly FieldError[];
  readonly stop: boolean;
}

function containerUpdateErrors(spec: JsonObject, old: JsonObject, list: string): Finding {
  const path = specPath.child(list);
  const containers = objectsField(spec, list);
  if (containers.length !== objectsField(old, list).length) {
    return { errors: [forbiddenField(path, "pod updates may not add or remove containers")], stop: true };
  }
  const errors = containers.flatMap((container, index) => [
    ...requiredField(container, "image", path.index(index)),
    ...imageSpaceErrors(container, path.index(index)),
  ]);
  return { errors, stop: false };
}

function deadlineErrors(spec: JsonObject, old: JsonObject): Finding {
  const path = specPath.child("activeDeadlineSeconds");
  const [seconds, before] = [numberField(spec, "activeDeadlineSeconds"), numberField(old, "activeDeadlineSeconds")];
  if (seconds === undefined) {
    const errors = before === undefined ? [] : [invalidValue(path, null, "must not update from a positive integer to nil value")];
    return { errors, stop: false };
  }
  const problems = [...rangeProblems(seconds, 0, largestInt32)];
  if (problems.length === 0 && before !== undefined && before < seconds) problems.push("must be less than or equal to previous value");
  return { errors: problems.map((problem) => invalidValue(path, seconds, problem)), stop: problems.length > 0 };
}

function tolerationUpdateErrors(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  const path = specPath.child("tolerations");
  const tolerations = objectsField(spec, "tolerations");
  const untimed = (toleration: JsonObject): JsonObject => withoutFields(toleration, "tolerationSeconds");
  const isKept = objectsField(old, "tolerations").every((before) =>
    tolerations.some((toleration) => structuralEqual(untimed(toleration), untimed(before))),
  );
  if (!isKept) return [forbiddenField(path, "existing toleration can not be modified except its tolerationSeconds")];
  return validateTolerations(tolerations, path);
}

function addedGateErrors(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  const before = objectsField(old, "schedulingGates").map((gate) => stringField(gate, "name"));
  return objectsField(spec, "schedulingGates").flatMap((gate, index) => {
    const name = stringField(gate, "name");
    if (before.includes(name)) return [];
    const path = specPath.child("schedulingGates").index(index).child("name");
    return [forbiddenField(path, `only deletion is allowed, but found new scheduling gate '${name}'`)];
  });
}

const updatable = [
  "`spec.containers[*].image`",
  "`spec.initContainers[*].image`",
  "`spec.activeDeadlineSeconds`",
  "`spec.tolerations` (only additions to existing tolerations)",
  "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
];

/** Everything but what may change must be as it was. Pods that wait at a gate may still narrow down their nodes. */
function immutableErrors(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  let kept = withFieldsOf(spec, old, ["activeDeadlineSeconds", "schedulingGates", "tolerations"]);
  for (const list of ["containers", "initContainers"]) {
    const before = objectsField(old, list);
    const images = objectsField(kept, list).map((container, index) => withFieldsOf(container, before[index] ?? {}, ["image"]));
    if (images.length > 0) kept = withField(kept, list, images);
  }
  if (objectsField(old, "schedulingGates").length > 0) {
    errors.push(...nodeSelectorErrors(kept, old), ...nodeAffinityErrors(kept, old));
    kept = withNodeAffinityOf(withFieldsOf(kept, old, ["nodeSelector"]), old);
  }
  if (structuralEqual(kept, old)) return errors;
  return [
    ...errors,
    forbiddenField(specPath, `pod updates may not change fields other than ${updatable.join(",")}\n${podSpecDiff(old, kept)}`),
  ];
}

/** An object with some fields as another has them. */
export function withFieldsOf(object: JsonObject, other: JsonObject, names: readonly string[]): JsonObject {
  const taken = names.flatMap((name): [string, JsonValue][] => {
    const value = field(other, name);
    return value === undefined ? [] : [[name, value]];
  });
  return { ...withoutFields(object, ...names), ...Object.fromEntries(taken) };
}

function nodeSelectorErrors(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  const [selector, before] = [stringMapField(spec, "nodeSelector"), stringMapField(old, "nodeSelector")];
  if (Object.entries(before).every(([key, value]) => selector[key] === value)) return [];
  const rule = "only additions to spec.nodeSelector are allowed (no mutations or deletions)";
  return [invalidValue(specPath.child("nodeSelector"), selector, rule)];
}

function nodeAffinityErrors(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  const path = specPath.child("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms");
  const [terms, before] = [requiredTerms(spec), requiredTerms(old)];
  if (before.length === 0) return [];
  if (terms.length !== before.length)
    return [invalidValue(path, terms, "no additions/deletions to non-empty NodeSelectorTerms list are allowed")];
  return before.flatMap((term, index) => {
    const now = terms[index] ?? {};
    if (hasOnlyAdditions(now, term)) return [];
    return [invalidValue(path.index(index), now, "only additions are allowed (no mutations or deletions)")];
  });
}

function hasOnlyAdditions(term: JsonObject, before: JsonObject): boolean {
  const lists = ["matchExpressions", "matchFields"];
  if (lists.every((list) => objectsField(before, list).length === 0)) return lists.every((list) => objectsField(term, list).length === 0);
  return lists.every((list) => objectsField(before, list).every((each, index) => structuralEqual(objectsField(term, list)[index], each)));
}

function requiredTerms(spec: JsonObject): readonly JsonObject[] {
  const affinity = objectField(objectField(spec, "affinity"), "nodeAffinity");
  return objectsField(objectField(affinity, "requiredDuringSchedulingIgnoredDuringExecution"), "nodeSelectorTerms");
}

function withNodeAffinityOf(spec: JsonObject, old: JsonObject): JsonObject {
  const affinity = withFieldsOf(objectField(spec, "affinity"), objectField(old, "affinity"), ["nodeAffinity"]);
  if (Object.keys(affinity).length === 0 && !has(old, "affinity")) return withoutFields(spec, "affinity");
  return has(spec, "affinity") || has(old, "affinity") ? { ...spec, affinity } : spec;
}
