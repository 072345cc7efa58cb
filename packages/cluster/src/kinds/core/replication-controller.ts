import { FieldPath, dns1123LabelErrors, forbiddenField, invalidValue, required } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { mapField, mapPart, withPresence } from "../field-defaults.ts";
import { nonNegative } from "../field-rules.ts";
import { field, has, numberField, objectField, objectsField, optionalObject, stringField, stringMapField } from "../json-fields.ts";
import type { KindDetails } from "../kind-details.ts";
import { formatLabels } from "../labels-text.ts";
import { finalizerNameErrors, metadataUpdateErrors, subdomainName } from "../metadata-validation.ts";
import { ageColumn, nameColumn } from "../name-and-age.ts";
import { defaultPodTemplate, podTemplateWarnings, validatePodTemplate, withoutDisabledTemplateFields } from "../pod-template.ts";

const specPath = FieldPath.of("spec");
const statusPath = FieldPath.of("status");

/** `ReplicationController`: what ReplicaSets were before there were ReplicaSets. */
export const replicationControllerDetails: KindDetails = {
  storagePrefix: "/registry/controllers/",
  strategy: {
    generationOf: "spec",
    defaultPropagation: "Orphan",
    validateName: (name, options) => (options.prefix ? [] : subdomainName(name, options)),
    default: defaultController,
    prepareCreate: withoutDisabled,
    prepareUpdate: withoutDisabled,
    validateCreate: (controller) => [...finalizerNameErrors(controller), ...specErrors(objectField(controller, "spec"))],
    validateUpdate: (controller, old) => [...metadataUpdateErrors(controller, old), ...specErrors(objectField(controller, "spec"))],
    warnings: (controller, old) => {
      const template = objectField(objectField(controller, "spec"), "template");
      if (old !== undefined && old.metadata.generation === controller.metadata.generation) return [];
      const ofName = old === undefined ? nameWarnings(controller.metadata.name) : [];
      return [...ofName, ...podTemplateWarnings(template, specPath.child("template"))];
    },
  },
  status: {
    validateUpdate: (controller, old) => [...metadataUpdateErrors(controller, old), ...statusErrors(objectField(controller, "status"))],
  },
  subresources: {
    scale: {
      type: "Scale",
      replicasPath: ["spec", "replicas"],
      read: (controller) => ({
        specReplicas: numberField(objectField(controller, "spec"), "replicas") ?? 0,
        statusReplicas: numberField(objectField(controller, "status"), "replicas") ?? 0,
        selector: selectorText(objectField(controller, "spec")),
      }),
      write: (controller, replicas) => mapPart(controller, "spec", (spec) => ({ ...spec, replicas })),
    },
  },
  columns: [
    nameColumn,
    {
      name: "Desired",
      type: "integer",
      description: "how many pods there should be",
      cell: (controller) => count(controller, "spec", "replicas"),
    },
    {
      name: "Current",
      type: "integer",
      description: "how many pods there are",
      cell: (controller) => count(controller, "status", "replicas"),
    },
    {
      name: "Ready",
      type: "integer",
      description: "how many of them are ready",
      cell: (controller) => count(controller, "status", "readyReplicas"),
    },
    ageColumn,
    {
      name: "Containers",
      type: "string",
      priority: 1,
      description: "the containers of each pod",
      cell: (controller) => containers(controller, "name"),
    },
    {
      name: "Images",
      type: "string",
      priority: 1,
      description: "what the containers run",
      cell: (controller) => containers(controller, "image"),
    },
    {
      name: "Selector",
      type: "string",
      priority: 1,
      description: "which pods are its own",
      cell: (controller) => formatLabels(stringMapField(objectField(controller, "spec"), "selector")),
    },
  ],
  selectableFields: { "status.replicas": (controller) => String(count(controller, "status", "replicas")) },
};

/** The labels of its pods are also its own, and what it selects by, unless it says otherwise. */
function defaultController(controller: DynamicObject): DynamicObject {
  const spec = objectField(controller, "spec");
  const labels = stringMapField(objectField(objectField(spec, "template"), "metadata"), "labels");
  const isLabelled = Object.keys(controller.metadata.labels ?? {}).length > 0 || Object.keys(labels).length === 0;
  const named = isLabelled ? controller : { ...controller, metadata: { ...controller.metadata, labels } };
  const isSelecting = Object.keys(objectField(spec, "selector")).length > 0 || Object.keys(labels).length === 0;
  return mapPart(named, "spec", (given) => {
    const selecting = isSelecting ? given : { ...given, selector: labels };
    return mapField(withPresence(selecting, { replicas: 1 }), "template", defaultPodTemplate);
  });
}

function withoutDisabled(controller: DynamicObject): DynamicObject {
  return mapPart(controller, "spec", (spec) => mapField(spec, "template", withoutDisabledTemplateFields));
}

function nameWarnings(name: string): readonly string[] {
  const problems = dns1123LabelErrors(name);
  const warning =
    "metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended";
  return problems.length === 0 ? [] : [`${warning}: [${problems.join(" ")}]`];
}

function count(controller: DynamicObject, part: string, name: string): number {
  return numberField(objectField(controller, part), name) ?? 0;
}

function containers(controller: DynamicObject, name: string): string {
  const template = objectField(objectField(controller, "spec"), "template");
  return objectsField(objectField(template, "spec"), "containers")
    .map((container) => stringField(container, name))
    .join(",");
}

function selectorText(spec: JsonObject): string {
  const selector = stringMapField(spec, "selector");
  return Object.keys(selector).length === 0 ? "" : formatLabels(selector);
}

function specErrors(spec: JsonObject): readonly FieldError[] {
  const isSelecting = Object.keys(objectField(spec, "selector")).length > 0;
  return [
    ...nonNegative(spec, "minReadySeconds", specPath),
    ...(isSelecting ? [] : [required(specPath.child("selector"))]),
    ...(has(spec, "replicas") ? nonNegative(spec, "replicas", specPath) : [required(specPath.child("replicas"))]),
    ...templateErrors(spec),
  ];
}

function templateErrors(spec: JsonObject): readonly FieldError[] {
  const path = specPath.child("template");
  const template = optionalObject(spec, "template");
  if (template === undefined) return [required(path)];
  const labels = stringMapField(objectField(template, "metadata"), "labels");
  const isMatching = Object.entries(stringMapField(spec, "selector")).every(([key, value]) => labels[key] === value);
  const podSpec = objectField(template, "spec");
  const restartPolicy = stringField(podSpec, "restartPolicy");
  return [
    ...(isMatching
      ? []
      : [
          invalidValue(
            path.child("metadata", "labels"),
            field(objectField(template, "metadata"), "labels"),
            "`selector` does not match template `labels`",
          ),
        ]),
    ...validatePodTemplate(template, path),
    ...(restartPolicy === "Always" ? [] : [notEnumerated(path.child("spec", "restartPolicy"), restartPolicy, ["Always"])]),
    ...(has(podSpec, "activeDeadlineSeconds")
      ? [forbiddenField(path.child("spec", "activeDeadlineSeconds"), "activeDeadlineSeconds in ReplicationController is not Supported")]
      : []),
  ];
}

function statusErrors(status: JsonObject): readonly FieldError[] {
  const of = (name: string): number => numberField(status, name) ?? 0;
  const more = (name: string, than: string, rule: string): readonly FieldError[] =>
    of(name) > of(than) ? [invalidValue(statusPath.child(name), of(name), rule)] : [];
  return [
    ...["replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas", "observedGeneration"].flatMap((name) =>
      nonNegative(status, name, statusPath),
    ),
    ...["fullyLabeledReplicas", "readyReplicas", "availableReplicas"].flatMap((name) =>
      more(name, "replicas", "cannot be greater than status.replicas"),
    ),
    ...more("availableReplicas", "readyReplicas", "cannot be greater than readyReplicas"),
  ];
}
