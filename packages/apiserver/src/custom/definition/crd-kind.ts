import { addFinalizer, formatTime } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { quote } from "@kaji/core/go";
import { allVerbs } from "../../kind.ts";
import type { Kind, KindVersion } from "../../kind.ts";
import type { Strategy } from "../../strategy.ts";
import { validateMetadataChange } from "../../registry/object-meta-validation.ts";
import { createdAtColumn, nameColumn } from "../../response/metadata-columns.ts";
import { crdDefaults } from "./crd-defaults.ts";
import { validateCrd, validateCrdStatus, validateCrdUpdate } from "./crd-validation.ts";
import { asCrd, cleanupFinalizer, storageVersionOf } from "./crd.ts";
import type { CrdSpec } from "./crd.ts";
import { withCondition } from "./crd-conditions.ts";
import { schemasIn } from "../schema/structural-schema.ts";
import { knownFormat } from "../value/value-validator.ts";

/** Where definitions are kept. */
export const crdStoragePrefix = "/registry/apiextensions.k8s.io/customresourcedefinitions/";

/**
 * The kind of definitions of custom kinds. How its objects are read and merge comes from outside, with those of the other built-in kinds, and is
 * asked for when there is one.
 */
export function createCrdKind(shape: Pick<KindVersion, "empty" | "mergeSchema" | "schema">): Kind {
  return {
    group: "apiextensions.k8s.io",
    kind: "CustomResourceDefinition",
    plural: "customresourcedefinitions",
    singular: "customresourcedefinition",
    listKind: "CustomResourceDefinitionList",
    scope: "Cluster",
    shortNames: ["crd", "crds"],
    categories: ["api-extensions"],
    storagePrefix: crdStoragePrefix,
    storageVersion: "apiextensions.k8s.io/v1",
    isCustom: false,
    versions: [
      {
        version: "v1",
        get schema() {
          return shape.schema;
        },
        get mergeSchema() {
          return shape.mergeSchema;
        },
        get empty() {
          return shape.empty ?? {};
        },
        strategy: crdStrategy,
        columns: [nameColumn, createdAtColumn],
        subresources: { status: { type: "Update", strategy: crdStatusStrategy, verbs: ["get", "patch", "update"] } },
        fromStorage: (object) => object,
        toStorage: (object) => object,
      },
    ],
    verbs: allVerbs,
  };
}

const crdStrategy: Strategy = {
  default: crdDefaults,
  prepareCreate: (object) =>
    withStoredVersion({ ...object, status: { conditions: null, acceptedNames: { plural: "", kind: "" }, storedVersions: null } }),
  prepareUpdate: (object, old) => withStoredVersion({ ...object, status: old["status"] }),
  validateCreate: (object) => validateCrd(asCrd(object)),
  validateUpdate: (object, old) => validateCrdUpdate(asCrd(object), asCrd(old)),
  warnings: formatWarnings,
  generationOf: "spec",
  resetFields: [["status"]],
  unconditionalUpdate: false,
  holdDeletion: (object, { nowMs }) => (object.metadata.deletionTimestamp === undefined ? markedForDeletion(object, nowMs) : undefined),
};

/** Unlike elsewhere, metadata can be changed along with the status: that is how the finalizer goes. */
const crdStatusStrategy: Strategy = {
  prepareUpdate: (object, old) => ({ ...object, spec: old["spec"] }),
  validateUpdate: (object, old) => [...validateMetadataChange(object.metadata, old.metadata), ...validateCrdStatus(asCrd(object))],
  generationOf: "none",
  resetFields: [["spec"]],
  unconditionalUpdate: false,
};

/** Objects may be kept in any version that has been the one for storage. */
function withStoredVersion(object: DynamicObject): DynamicObject {
  const { spec, status } = asCrd(object);
  const stored = status?.storedVersions ?? [];
  const name = storageVersionOf(spec)?.name;
  return name === undefined || stored.includes(name) ? object : { ...object, status: { ...status, storedVersions: [...stored, name] } };
}

/** A definition that is deleted stays until its objects are gone. */
function markedForDeletion(object: DynamicObject, nowMs: number): DynamicObject {
  const deletionTimestamp = formatTime(nowMs);
  const held = addFinalizer({ ...object, metadata: { ...object.metadata, deletionTimestamp } }, cleanupFinalizer);
  const status = withCondition(
    asCrd(object).status,
    {
      type: "Terminating",
      status: "True",
      reason: "InstanceDeletionPending",
      message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
    },
    nowMs,
  );
  return { ...held, status };
}

/** Formats that mean nothing to the server, and did not before. */
function formatWarnings(object: DynamicObject, old: DynamicObject | undefined): readonly string[] {
  const formats = unknownFormats(asCrd(object).spec);
  if (formats.length === 0) return [];
  const before = new Set(old === undefined ? [] : unknownFormats(asCrd(old).spec));
  return formats.filter((format) => !before.has(format)).map((format) => `unrecognized format ${quote(format)}`);
}

function unknownFormats({ versions }: CrdSpec): readonly string[] {
  const schemas = versions.flatMap(({ schema }) => (schema?.openAPIV3Schema === undefined ? [] : [...schemasIn(schema.openAPIV3Schema)]));
  return schemas.flatMap(({ format = "", type = "" }) => (format !== "" && knownFormat(format, [type]) === "" ? [format] : []));
}
