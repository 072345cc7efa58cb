import { FieldPath, dns1123LabelErrors, duplicate, validateLabels } from "@kaji/core";
import type { DynamicObject, FieldError } from "@kaji/core";
import { deprecatedNodeLabel } from "../../core/node-label.ts";
import { validateContainerResources } from "../../core/resources-validation.ts";
import { validateTolerations } from "../../core/scheduling-validation.ts";
import { withoutFields } from "../../field-defaults.ts";
import { immutable, requiredText } from "../../field-rules.ts";
import { internalForm } from "../../internal-form.ts";
import { objectField, objectsField, stringField, stringMapField } from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";
import { ageColumn, nameColumn } from "../../name-and-age.ts";
import { subdomainName } from "../../metadata-validation.ts";

/** `RuntimeClass`: what runs the containers of a pod. */
export const runtimeClass: KindDetails = {
  strategy: {
    createOnUpdate: true,
    unconditionalUpdate: false,
    validateName: subdomainName,
    validateCreate: validateRuntimeClass,
    validateUpdate: (object, old) => [...validateRuntimeClass(object), ...immutable(object, old, ["handler"], FieldPath.root)],
    warnings: (object) =>
      Object.keys(stringMapField(objectField(object, "scheduling"), "nodeSelector")).flatMap((key) => {
        const why = deprecatedNodeLabel(key);
        return why === undefined ? [] : [`scheduling.nodeSelector: ${why}`];
      }),
  },
  columns: [
    nameColumn,
    { name: "Handler", type: "string", description: "what a node calls it", cell: (object) => stringField(object, "handler") },
    ageColumn,
  ],
};

function validateRuntimeClass(object: DynamicObject): readonly FieldError[] {
  const scheduling = objectField(object, "scheduling");
  const tolerations = objectsField(scheduling, "tolerations");
  const keys = tolerations.map((toleration) => JSON.stringify(withoutFields(toleration, "tolerationSeconds")));
  const path = FieldPath.of("scheduling");
  return [
    ...requiredText(object, "handler", FieldPath.root, dns1123LabelErrors),
    ...validateContainerResources({ limits: objectField(objectField(object, "overhead"), "podFixed") }, [], FieldPath.of("overhead")),
    ...validateLabels(stringMapField(scheduling, "nodeSelector"), path.child("nodeSelector")),
    ...validateTolerations(tolerations, path.child("tolerations")),
    ...keys.flatMap((key, index) =>
      keys.indexOf(key) < index
        ? [duplicate(path.child("tolerations").index(index), internalForm("core.v1.Toleration", tolerations[index] ?? {}))]
        : [],
    ),
  ];
}
