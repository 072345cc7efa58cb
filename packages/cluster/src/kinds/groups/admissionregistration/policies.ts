import { FieldPath, duplicate, invalidValue, notSupported, qualifiedNameErrors, required } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { validateConditions } from "../../condition-rules.ts";
import { mapPart, withPresence } from "../../field-defaults.ts";
import { eachItem, invalidFor, oneOf, optionalOneOf } from "../../field-rules.ts";
import { has, listField, objectField, objectsField, optionalObject, stringField } from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";
import { subdomainName } from "../../metadata-validation.ts";
import { ageColumn, nameColumn } from "../../name-and-age.ts";
import { statusAlone } from "../../status-strategy.ts";
import { validateMatchConditions } from "./match-conditions.ts";
import { defaultMatch, validateConstraints, validateMutatingOperations, validateParamKind } from "./policy-match.ts";
import { validateVariables } from "./policy-variables.ts";
import { staticNameWarnings } from "./static-name.ts";

const path = FieldPath.of("spec");
const mostAnnotations = 20;
const longestValueExpression = 5 * 1024;

/** Rules in CEL that objects must keep. */
export const validatingAdmissionPolicy: KindDetails = {
  ...policy("Validations", "validations", validateValidating),
  status: { ...statusAlone, validateUpdate: (object) => validateConditions(objectField(object, "status"), FieldPath.of("status")) },
};

/** Changes in CEL that are made to objects. */
export const mutatingAdmissionPolicy: KindDetails = policy("Mutations", "mutations", validateMutating);

function policy(column: string, list: string, validate: (object: DynamicObject) => readonly FieldError[]): KindDetails {
  return {
    strategy: {
      generationOf: "spec",
      unconditionalUpdate: false,
      validateName: subdomainName,
      default: (object) =>
        mapPart(object, "spec", (spec) => defaultMatch(withPresence(spec, { failurePolicy: "Fail" }), "matchConstraints")),
      validateCreate: validate,
      validateUpdate: validate,
      warnings: staticNameWarnings,
    },
    columns: [
      nameColumn,
      {
        name: column,
        type: "integer",
        description: "how many there are",
        cell: (object) => listField(objectField(object, "spec"), list).length,
      },
      { name: "ParamKind", type: "string", description: "the kind of its parameters", cell: paramKindCell },
      ageColumn,
    ],
  };
}

function validateCommon(spec: JsonObject): readonly FieldError[] {
  return [
    ...optionalOneOf(spec, "failurePolicy", ["Fail", "Ignore"], path),
    ...validateParamKind(spec, path),
    ...validateConstraints(spec, path),
  ];
}

function validateValidating(object: DynamicObject): readonly FieldError[] {
  const spec = objectField(object, "spec");
  const [validations, annotations] = [objectsField(spec, "validations"), objectsField(spec, "auditAnnotations")];
  const rule = "validations or auditAnnotations must contain at least one item";
  const isEmpty = validations.length === 0 && annotations.length === 0;
  return [
    ...validateCommon(spec),
    ...validateMatchConditions(spec, path),
    ...validateVariables(spec, path),
    ...(isEmpty ? [required(path.child("validations"), rule), required(path.child("auditAnnotations"), rule)] : []),
    ...eachItem(validations, path.child("validations"), validateValidation),
    ...validateAnnotations(object.metadata.name, annotations),
  ];
}

function validateValidation(validation: JsonObject, at: FieldPath): readonly FieldError[] {
  const [expression, message, messageExpression] = ["expression", "message", "messageExpression"].map((name) =>
    stringField(validation, name),
  );
  const isBlank = (text = ""): boolean => text !== "" && text.trim() === "";
  const messageError = isBlank(message)
    ? ["must be non-empty if specified"]
    : /[\n\r]/.test(message?.trim() ?? "")
      ? ["must not contain line breaks"]
      : [];
  return [
    ...(expression?.trim() === "" ? [required(at.child("expression"), "expression is not specified")] : []),
    ...(isBlank(messageExpression)
      ? [invalidValue(at.child("messageExpression"), messageExpression, "must be non-empty if specified")]
      : []),
    ...invalidFor(at.child("message"), message, messageError),
    ...optionalOneOf(validation, "reason", ["Forbidden", "Invalid", "RequestEntityTooLarge"], at),
  ];
}

function validateAnnotations(policyName: string, annotations: readonly JsonObject[]): readonly FieldError[] {
  const at = path.child("auditAnnotations");
  const keys = annotations.map((annotation) => stringField(annotation, "key"));
  const tooMany =
    annotations.length > mostAnnotations
      ? [invalidValue(at, annotations, `must not have more than ${mostAnnotations} auditAnnotations`)]
      : [];
  const ofEach = eachItem(annotations, at, (annotation, each, index) => {
    const [key, value] = [stringField(annotation, "key"), stringField(annotation, "valueExpression").trim()];
    const name = `${policyName}/${key}`;
    const isLong = Buffer.byteLength(value) > longestValueExpression;
    return [
      ...invalidFor(each.child("key"), name, qualifiedNameErrors(name)),
      ...(value === "" ? [required(each.child("valueExpression"), "valueExpression is not specified")] : []),
      ...(isLong ? [required(each.child("valueExpression"), `must not exceed ${longestValueExpression} bytes in length`)] : []),
      ...(keys.indexOf(key) < index ? [duplicate(each.child("key"), key)] : []),
    ];
  });
  return [...tooMany, ...ofEach];
}

function validateMutating(object: DynamicObject): readonly FieldError[] {
  const spec = objectField(object, "spec");
  const mutations = objectsField(spec, "mutations");
  return [
    ...validateCommon(spec),
    ...validateMutatingOperations(spec, "matchConstraints", path),
    ...validateMatchConditions(spec, path),
    ...validateVariables(spec, path),
    ...(mutations.length === 0
      ? [required(path.child("mutations"), "mutations must contain at least one item")]
      : eachItem(mutations, path.child("mutations"), validateMutation)),
    ...oneOf(stringField(spec, "reinvocationPolicy"), ["IfNeeded", "Never"], path.child("reinvocationPolicy")),
  ];
}

/** Each type of patch has a field of its own, and no other one. */
const patchFields: ReadonlyMap<string, readonly [own: string, other: string]> = new Map([
  ["JSONPatch", ["jsonPatch", "applyConfiguration"]],
  ["ApplyConfiguration", ["applyConfiguration", "jsonPatch"]],
]);

function validateMutation(mutation: JsonObject, at: FieldPath): readonly FieldError[] {
  const type = stringField(mutation, "patchType");
  const fields = patchFields.get(type);
  if (type === "") return [required(at.child("patchType"))];
  if (fields === undefined) return [notSupported(at.child("patchType"), type, ["ApplyConfiguration", "JSONPatch"])];
  const [own, other] = fields;
  const patch = optionalObject(mutation, own);
  const isBlank = patch !== undefined && stringField(patch, "expression").trim() === "";
  return [
    ...(patch === undefined ? [required(at.child(own), `must be specified when patchType is ${type}`)] : []),
    ...(isBlank ? [required(at.child(own, "expression"))] : []),
    ...(has(mutation, other) ? [invalidValue(at.child(other), `{${other}}`, `must not be specified when patchType is ${type}`)] : []),
  ];
}

function paramKindCell(object: DynamicObject): string {
  const paramKind = optionalObject(objectField(object, "spec"), "paramKind");
  return paramKind === undefined ? "<unset>" : `${stringField(paramKind, "apiVersion")}/${stringField(paramKind, "kind")}`;
}
