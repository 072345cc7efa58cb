import {
  FieldPath,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  forbiddenField,
  notSupported,
  pathSegmentErrors,
  required,
  tooLong,
} from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { mapField, mapPart, withPresence } from "../../field-defaults.ts";
import { immutable, invalidFor, requiredText } from "../../field-rules.ts";
import { has, objectField, optionalObject, stringField } from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";
import { ageColumn, nameColumn } from "../../name-and-age.ts";
import { subdomainName } from "../../metadata-validation.ts";
import { validateDomainPrefixedPath } from "../../text-rules.ts";

const longestController = 250;
const defaultAnnotation = "ingressclass.kubernetes.io/is-default-class";

/** `IngressClass`: who implements ingresses. */
export const ingressClass: KindDetails = {
  strategy: {
    generationOf: "spec",
    validateName: subdomainName,
    default: (object) =>
      mapPart(object, "spec", (spec) => mapField(spec, "parameters", (parameters) => withPresence(parameters, { scope: "Cluster" }))),
    validateCreate: validateIngressClass,
    validateUpdate: (object, old) => [
      ...immutable({ controller: controllerOf(object) }, { controller: controllerOf(old) }, ["controller"], FieldPath.of("spec")),
      ...validateIngressClass(object),
    ],
  },
  columns: [
    {
      ...nameColumn,
      cell: ({ metadata }) => (metadata.annotations?.[defaultAnnotation] === "true" ? `${metadata.name} (default)` : metadata.name),
    },
    {
      name: "Controller",
      type: "string",
      description: "who implements the class",
      cell: (object) => stringField(objectField(object, "spec"), "controller"),
    },
    { name: "Parameters", type: "string", description: "what the controller reads besides", cell: parametersCell },
    ageColumn,
  ],
};

function validateIngressClass(object: DynamicObject): readonly FieldError[] {
  const path = FieldPath.of("spec");
  const spec = objectField(object, "spec");
  const controller = stringField(spec, "controller");
  const parameters = optionalObject(spec, "parameters");
  return [
    ...(Buffer.byteLength(controller) > longestController ? [tooLong(path.child("controller"), longestController)] : []),
    ...validateDomainPrefixedPath(path.child("controller"), controller),
    ...(parameters === undefined ? [] : validateParameters(parameters, path.child("parameters"))),
  ];
}

function validateParameters(parameters: JsonObject, path: FieldPath): readonly FieldError[] {
  const group = stringField(parameters, "apiGroup");
  return [
    ...(has(parameters, "apiGroup") ? invalidFor(path.child("apiGroup"), group, dns1123SubdomainErrors(group)) : []),
    ...requiredText(parameters, "kind", path, pathSegmentErrors),
    ...requiredText(parameters, "name", path, pathSegmentErrors),
    ...validateScope(parameters, path),
  ];
}

function validateScope(parameters: JsonObject, path: FieldPath): readonly FieldError[] {
  const [scope, namespace] = [stringField(parameters, "scope"), stringField(parameters, "namespace")];
  const isGiven = has(parameters, "namespace");
  switch (scope) {
    case "Namespace":
      if (!isGiven) return [required(path.child("namespace"), "`parameters.scope` is set to 'Namespace'")];
      return invalidFor(path.child("namespace"), namespace, dns1123LabelErrors(namespace));
    case "Cluster":
      return isGiven ? [forbiddenField(path.child("namespace"), "`parameters.scope` is set to 'Cluster'")] : [];
    default:
      return [notSupported(path.child("scope"), scope, ["Cluster", "Namespace"])];
  }
}

function parametersCell(object: DynamicObject): string {
  const parameters = optionalObject(objectField(object, "spec"), "parameters");
  if (parameters === undefined) return "<none>";
  const group = has(parameters, "apiGroup") ? `.${stringField(parameters, "apiGroup")}` : "";
  return `${stringField(parameters, "kind")}${group}/${stringField(parameters, "name")}`;
}

function controllerOf(object: DynamicObject): string {
  return stringField(objectField(object, "spec"), "controller");
}
