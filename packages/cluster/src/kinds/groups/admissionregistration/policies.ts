import { FieldPath, duplicate, invalidValue, qualifiedNameErrors, required } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { validateConditions } from "../../condition-rules.ts";
import { mapPart, withPresence } from "../../field-defaults.ts";
import { eachItem, invalidFor, oneOf, optionalOneOf } from "../../field-rules.ts";
import { has, listField, objectField, objectsField, optionalObject, stringField } from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";
import { subdomainName } from "../../metadata-validation.ts";
import { ageColumn, nameColumn } from "../../name-and-age.ts";
import { statusAlone } from "../../status-strategy.ts";
import { validateExpression } from "./cel-expression.ts";
import { validateMatchConditions } from "./match-conditions.ts";
import { defaultMatch, validateConstraints, validateMutatingOperations, validateParamKind } from "./policy-match.ts";
import { mutationScope, policyScope, validateVariables } from "./policy-variables.ts";
import { staticNameWarnings } from "./static-name.ts";

type Scope = ReturnType<typeof policyScope>;

const path = FieldPath.of("spec");
const mostAnnotations = 20;
const longestValueExpression = 5 * 1024;

/** `ValidatingAdmissionPolicy`: rules in CEL that objects must keep. */
export const validatingAdmissionPolicy: KindDetails = {
  ...policy("Validations", "validations", validateValidating),
  status: { ...statusAlone, validateUpdate: (object) => validateConditions(objectField(object, "status"), FieldPath.of("status")) },
};

/** `MutatingAdmissionPolicy`: changes in CEL that are made to objects. */
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
  const scope = policyScope(spec);
  return [
    ...validateCommon(spec),
    ...validateMatchConditions(spec, path),
    ...validateVariables(spec, path),
    ...(isEmpty ? [required(path.child("validations"), rule), required(path.child("auditAnnotations"), rule)] : []),
    ...eachItem(validations, path.child("validations"), (validation, at) => validateValidation(validation, at, scope)),
    ...validateAnnotations(object.metadata.name, annotations, scope),
  ];
}

function validateValidation(validation: JsonObject, at: FieldPath, scope: Scope): readonly FieldError[] {
  const expression = stringField(validation, "expression");
  const message = stringField(validation, "message");
  const messageExpression = stringField(validation, "messageExpression");
  const isBlank = (text: string): boolean => text.trim() === "";
  const empty = "must be non-empty if specified";
  const messageError = message !== "" && isBlank(message) ? [empty] : /[\n\r]/.test(message.trim()) ? ["must not contain line breaks"] : [];
  const [here, there] = [at.child("expression"), at.child("messageExpression")];
  return [
    ...(isBlank(expression)
      ? [required(here, "expression is not specified")]
      : validateExpression(expression, { ...scope, hasAuthorizer: true }, "bool", here)),
    ...(messageExpression !== "" && isBlank(messageExpression) ? [invalidValue(there, messageExpression, empty)] : []),
    ...(isBlank(messageExpression) ? [] : validateExpression(messageExpression, { ...scope, hasAuthorizer: false }, "string", there)),
    ...invalidFor(at.child("message"), message, messageError),
    ...optionalOneOf(validation, "reason", ["Forbidden", "Invalid", "RequestEntityTooLarge"], at),
  ];
}

function validateAnnotations(policyName: string, annotations: readonly JsonObject[], scope: Scope): readonly FieldError[] {
  const list = path.child("auditAnnotations");
  const keys = annotations.map((annotation) => stringField(annotation, "key"));
  const tooMany =
    annotations.length > mostAnnotations
      ? [invalidValue(list, annotations, `must not have more than ${mostAnnotations} auditAnnotations`)]
      : [];
  const ofEach = eachItem(annotations, list, (annotation, each, index) => {
    const [key, written] = [stringField(annotation, "key"), stringField(annotation, "valueExpression")];
    const value = written.trim();
    const at = each.child("valueExpression");
    const name = `${policyName}/${key}`;
    const isLong = Buffer.byteLength(value) > longestValueExpression;
    return [
      ...invalidFor(each.child("key"), name, qualifiedNameErrors(name)),
      ...(value === "" ? [required(at, "valueExpression is not specified")] : []),
      ...(isLong ? [required(at, `must not exceed ${longestValueExpression} bytes in length`)] : []),
      ...(value === "" || isLong ? [] : validateExpression(value, { ...scope, hasAuthorizer: true }, "string or null", at, written)),
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
      : eachItem(mutations, path.child("mutations"), (mutation, at) => validateMutation(mutation, at, mutationScope(spec)))),
    ...oneOf(stringField(spec, "reinvocationPolicy"), ["IfNeeded", "Never"], path.child("reinvocationPolicy")),
  ];
}

/** Each type of patch has a field of its own, and no other one. */
const patchFields: ReadonlyMap<string, readonly [own: string, other: string, result: "JSON patch" | "object"]> = new Map([
  ["JSONPatch", ["jsonPatch", "applyConfiguration", "JSON patch"]],
  ["ApplyConfiguration", ["applyConfiguration", "jsonPatch", "object"]],
]);

function validateMutation(mutation: JsonObject, at: FieldPath, scope: Scope): readonly FieldError[] {
  const type = stringField(mutation, "patchType");
  const fields = patchFields.get(type);
  if (type === "") return [required(at.child("patchType"))];
  if (fields === undefined) return [notEnumerated(at.child("patchType"), type, ["ApplyConfiguration", "JSONPatch"])];
  const [own, other, result] = fields;
  const patch = optionalObject(mutation, own);
  const expression = stringField(patch ?? {}, "expression").trim();
  const where = at.child(own, "expression");
  const inPatches = { ...scope, hasAuthorizer: true };
  return [
    ...(patch === undefined ? [required(at.child(own), `must be specified when patchType is ${type}`)] : []),
    ...(patch !== undefined && expression === "" ? [required(where)] : []),
    ...(expression === "" ? [] : validateExpression(expression, inPatches, result, where)),
    ...(has(mutation, other) ? [invalidValue(at.child(other), `{${other}}`, `must not be specified when patchType is ${type}`)] : []),
  ];
}

function paramKindCell(object: DynamicObject): string {
  const paramKind = optionalObject(objectField(object, "spec"), "paramKind");
  return paramKind === undefined ? "<unset>" : `${stringField(paramKind, "apiVersion")}/${stringField(paramKind, "kind")}`;
}
