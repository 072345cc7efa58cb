import type { Propagation, Strategy } from "@kaji/apiserver";
import { FieldPath, formatTime, invalidValue, qualifiedNameErrors } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { mapPart, withPresence } from "../field-defaults.ts";
import { objectField, stringField, stringsField } from "../json-fields.ts";
import type { KindDetails } from "../kind-details.ts";
import {
  finalizerNameErrors,
  labelName,
  metadataErrorsAgain,
  metadataUpdateErrors,
  standardFinalizerErrors,
} from "../metadata-validation.ts";
import { ageColumn, nameColumn } from "../name-and-age.ts";

const finalizersPath = FieldPath.of("spec", "finalizers");

/** Namespaces: they end only after all that is in them, which their own finalizer in `spec` is for. */
export const namespaceDetails: KindDetails = {
  strategy: {
    validateName: labelName,
    default: (namespace) => mapPart(withNameLabel(namespace), "status", (status) => withPresence(status, { phase: "Active" })),
    prepareCreate: (namespace) => ({ ...mapPart(withGeneratedName(namespace), "spec", withOwnFinalizer), status: { phase: "Active" } }),
    prepareUpdate: (namespace, old) => ({ ...namespace, spec: old["spec"] }),
    validateCreate: (namespace) => [...finalizerNameErrors(namespace), ...finalizerErrors(namespace)],
    validateUpdate: (namespace, old) => [
      ...metadataErrorsAgain(namespace, labelName),
      ...finalizerErrors(namespace),
      ...metadataUpdateErrors(namespace, old),
    ],
    holdDeletion: (namespace, { nowMs }, { propagation }) => {
      if (namespace.metadata.deletionTimestamp === undefined) return ending(withPropagation(namespace, propagation), nowMs);
      return isFinal(namespace) ? undefined : namespace;
    },
    isFinal,
  },
  status: {
    validateUpdate: (namespace, old) => [...metadataUpdateErrors(namespace, old), ...phaseErrors(namespace)],
  },
  subresources: { finalize: { type: "Update", strategy: finalizeStrategy(), verbs: ["update"] } },
  columns: [
    nameColumn,
    { name: "Status", type: "string", description: "whether it is there to stay", cell: (namespace) => phaseOf(namespace) },
    ageColumn,
  ],
  selectableFields: { "status.phase": phaseOf, name: ({ metadata }) => metadata.name },
};

/** `namespaces/finalize`: lets go of a namespace that is ending. */
function finalizeStrategy(): Strategy {
  return {
    generationOf: "none",
    resetFields: [["status"]],
    prepareUpdate: (namespace, old) => ({ ...namespace, status: old["status"] }),
    validateUpdate: (namespace, old) => [
      ...metadataUpdateErrors(namespace, old),
      ...stringsField(objectField(namespace, "spec"), "finalizers").flatMap((name, index) => nameErrors(name, finalizersPath.index(index))),
    ],
  };
}

/** Everything in a namespace is gone when nothing is left in `spec.finalizers`. */
function isFinal(namespace: DynamicObject): boolean {
  return stringsField(objectField(namespace, "spec"), "finalizers").length === 0;
}

/** The propagation of a deletion, kept as a finalizer. */
function withPropagation(namespace: DynamicObject, propagation: Propagation | undefined): DynamicObject {
  if (propagation === undefined) return namespace;
  const own: Partial<Record<Propagation, string>> = { Orphan: "orphan", Foreground: "foregroundDeletion" };
  const others = (namespace.metadata.finalizers ?? []).filter((finalizer) => !Object.values(own).includes(finalizer));
  const chosen = own[propagation];
  const { finalizers: _finalizers, ...metadata } = namespace.metadata;
  const finalizers = chosen === undefined ? others : [...others, chosen];
  return { ...namespace, metadata: { ...metadata, ...(finalizers.length === 0 ? {} : { finalizers }) } };
}

function ending(namespace: DynamicObject, nowMs: number): DynamicObject {
  const marked = { ...namespace, metadata: { ...namespace.metadata, deletionTimestamp: formatTime(nowMs) } };
  return mapPart(marked, "status", (status) => ({ ...status, phase: "Terminating" }));
}

function withNameLabel(namespace: DynamicObject): DynamicObject {
  const { name, labels } = namespace.metadata;
  if ((name ?? "") === "") return namespace;
  return { ...namespace, metadata: { ...namespace.metadata, labels: { ...labels, "kubernetes.io/metadata.name": name } } };
}

/** A name that was generated is not known when defaults are filled in; one that is refused is not refused twice. */
function withGeneratedName(namespace: DynamicObject): DynamicObject {
  const isFine = labelName(namespace.metadata.name ?? "", { prefix: false }).length === 0;
  return isFine ? withNameLabel(namespace) : namespace;
}

function withOwnFinalizer(spec: JsonObject): JsonObject {
  const finalizers = stringsField(spec, "finalizers");
  return finalizers.includes("kubernetes") ? spec : { ...spec, finalizers: [...finalizers, "kubernetes"] };
}

function phaseOf(namespace: DynamicObject): string {
  return stringField(objectField(namespace, "status"), "phase");
}

function finalizerErrors(namespace: DynamicObject): readonly FieldError[] {
  return stringsField(objectField(namespace, "spec"), "finalizers").flatMap((name) => nameErrors(name, finalizersPath));
}

function nameErrors(name: string, path: FieldPath): readonly FieldError[] {
  return [...qualifiedNameErrors(name).map((problem) => invalidValue(path, name, problem)), ...standardFinalizerErrors(name, path)];
}

function phaseErrors(namespace: DynamicObject): readonly FieldError[] {
  const phase = phaseOf(namespace);
  const path = FieldPath.of("status", "Phase");
  if (namespace.metadata.deletionTimestamp === undefined) {
    return phase === "Active" ? [] : [invalidValue(path, phase, "may only be 'Active' if `deletionTimestamp` is empty")];
  }
  return phase === "Terminating" ? [] : [invalidValue(path, phase, "may only be 'Terminating' if `deletionTimestamp` is not empty")];
}
