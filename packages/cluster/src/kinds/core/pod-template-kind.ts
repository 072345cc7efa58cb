import { FieldPath } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { mapPart } from "../field-defaults.ts";
import { objectField, objectsField, stringField, stringMapField } from "../json-fields.ts";
import type { KindDetails } from "../kind-details.ts";
import { formatLabels } from "../labels-text.ts";
import { finalizerNameErrors, metadataUpdateErrors, subdomainName } from "../metadata-validation.ts";
import { nameColumn } from "../name-and-age.ts";
import { defaultPodTemplate, podTemplateWarnings, validatePodTemplate, withoutDisabledTemplateFields } from "../pod-template.ts";

const path = FieldPath.of("template");

/** `PodTemplate`: templates of pods that stand on their own. */
export const podTemplateDetails: KindDetails = {
  strategy: {
    generationOf: "all-but-metadata",
    validateName: subdomainName,
    default: (object) => mapPart(object, "template", defaultPodTemplate),
    prepareCreate: withoutDisabled,
    prepareUpdate: withoutDisabled,
    validateCreate: (object) => [...finalizerNameErrors(object), ...validatePodTemplate(objectField(object, "template"), path)],
    validateUpdate: (object, old) => [...metadataUpdateErrors(object, old), ...validatePodTemplate(objectField(object, "template"), path)],
    warnings: (object, old) =>
      old?.metadata.generation === object.metadata.generation ? [] : podTemplateWarnings(objectField(object, "template"), path),
  },
  columns: [
    nameColumn,
    { name: "Containers", type: "string", description: "the containers of each pod", cell: (object) => containers(object, "name") },
    { name: "Images", type: "string", description: "what the containers run", cell: (object) => containers(object, "image") },
    {
      name: "Pod Labels",
      type: "string",
      description: "the labels of each pod",
      cell: (object) => formatLabels(stringMapField(objectField(objectField(object, "template"), "metadata"), "labels")),
    },
  ],
};

function withoutDisabled(object: DynamicObject): DynamicObject {
  return mapPart(object, "template", withoutDisabledTemplateFields);
}

function containers(object: DynamicObject, name: string): string {
  const spec = objectField(objectField(object, "template"), "spec");
  return objectsField(spec, "containers")
    .map((container) => stringField(container, name))
    .join(",");
}
