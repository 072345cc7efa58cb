import { FieldPath, dns1123SubdomainErrors, forbiddenField, invalidValue, required, tooLong } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { invalidFor, isUnchanged } from "../../field-rules.ts";
import { internalForm } from "../../internal-form.ts";
import { booleanField, has, numberField, objectField, optionalObject, stringField, stringMapField } from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";
import { ageColumn, nameColumn } from "../../name-and-age.ts";
import { subdomainName } from "../../metadata-validation.ts";
import { statusAlone } from "../../status-strategy.ts";
import { validateDriverName } from "./csi.ts";

const largestMetadata = 256 * 1024;
const longestMessage = 1024;

/** `VolumeAttachment`: a volume that is to be at a node. */
export const volumeAttachment: KindDetails = {
  strategy: {
    unconditionalUpdate: false,
    validateName: subdomainName,
    validateCreate: validateAttachment,
    validateUpdate: validateAttachmentUpdate,
  },
  status: { ...statusAlone, validateUpdate: validateAttachmentUpdate },
  columns: [
    nameColumn,
    {
      name: "Attacher",
      type: "string",
      format: "name",
      description: "who attaches it",
      cell: (object) => stringField(objectField(object, "spec"), "attacher"),
    },
    {
      name: "PV",
      type: "string",
      description: "the volume",
      cell: (object) => stringField(objectField(objectField(object, "spec"), "source"), "persistentVolumeName"),
    },
    { name: "Node", type: "string", description: "the node", cell: (object) => stringField(objectField(object, "spec"), "nodeName") },
    {
      name: "Attached",
      type: "boolean",
      description: "whether it is there",
      cell: (object) => booleanField(objectField(object, "status"), "attached"),
    },
    ageColumn,
  ],
};

function validateAttachment(object: DynamicObject): readonly FieldError[] {
  const path = FieldPath.of("spec");
  const spec = objectField(object, "spec");
  const [node, source] = [stringField(spec, "nodeName"), objectField(spec, "source")];
  const volume = stringField(source, "persistentVolumeName");
  return [
    ...validateDriverName(stringField(spec, "attacher"), path.child("attacher")),
    ...validateSource(source, path.child("source")),
    ...invalidFor(path.child("nodeName"), node, dns1123SubdomainErrors(node)),
    ...validateStatus(objectField(object, "status")),
    ...(has(source, "persistentVolumeName")
      ? invalidFor(path.child("source", "persistentVolumeName"), volume, dns1123SubdomainErrors(volume))
      : []),
  ];
}

function validateAttachmentUpdate(object: DynamicObject, old: DynamicObject): readonly FieldError[] {
  const errors = validateAttachment(object);
  if (isUnchanged(object, old, "spec")) return errors;
  const shown = internalForm("storage.v1.VolumeAttachmentSpec", objectField(object, "spec"));
  return [...errors, invalidValue(FieldPath.of("spec"), shown, "field is immutable")];
}

function validateSource(source: JsonObject, path: FieldPath): readonly FieldError[] {
  const rule = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
  const [hasName, hasSpec] = [has(source, "persistentVolumeName"), has(source, "inlineVolumeSpec")];
  if (hasName && hasSpec) return [forbiddenField(path, rule)];
  if (!hasName && !hasSpec) return [required(path, rule)];
  const isEmpty = hasName && stringField(source, "persistentVolumeName") === "";
  return isEmpty ? [required(path.child("persistentVolumeName"), "must specify non empty persistentVolumeName")] : [];
}

function validateStatus(status: JsonObject): readonly FieldError[] {
  const path = FieldPath.of("status");
  const metadata = Object.entries(stringMapField(status, "attachmentMetadata"));
  const sizeBytes = metadata.flat().reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return [
    ...(sizeBytes > largestMetadata ? [tooLong(path.child("attachmentMetadata"), largestMetadata)] : []),
    ...["attachError", "detachError"].flatMap((name) => validateVolumeError(optionalObject(status, name) ?? {}, path.child(name))),
  ];
}

function validateVolumeError(error: JsonObject, path: FieldPath): readonly FieldError[] {
  const code = numberField(error, "errorCode") ?? 0;
  return [
    ...(Buffer.byteLength(stringField(error, "message")) > longestMessage ? [tooLong(path.child("message"), longestMessage)] : []),
    ...(code < 0 ? [invalidValue(path.child("errorCode"), code, "must be between 0 and 2147483647, inclusive")] : []),
  ];
}
