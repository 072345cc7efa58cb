import type { Access, Authorizer, UserInfo } from "@kaji/apiserver";
import { FieldPath, invalid, invalidValue } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { withoutFields } from "../../field-defaults.ts";
import { internalForm } from "../../internal-form.ts";
import { has, objectField, optionalObject, stringField, stringsField } from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";
import { ignoredSelectors, validateSelectors } from "./review-selectors.ts";

const path = FieldPath.of("spec");

/** `SubjectAccessReview`: asks whether a user may do something. */
export function subjectAccessReview(authorize: Authorizer): KindDetails {
  return review(authorize, (object) => [...validateSubject(object), ...validateEmptyMetadata(object, "must be empty")]);
}

/** `LocalSubjectAccessReview`: asks the same about one namespace. */
export function localSubjectAccessReview(authorize: Authorizer): KindDetails {
  return review(authorize, (object) => [
    ...validateSubject(object),
    ...validateEmptyMetadata(object, "must be empty except for namespace", "namespace"),
    ...validateLocal(object),
  ]);
}

/** `SelfSubjectAccessReview`: asks whether the asker may do something. */
export function selfSubjectAccessReview(authorize: Authorizer): KindDetails {
  return review(
    authorize,
    (object) => [...validateAttributes(objectField(object, "spec")), ...validateEmptyMetadata(object, "must be empty")],
    (_object, asker) => asker,
  );
}

function review(
  authorize: Authorizer,
  validate: (object: DynamicObject) => readonly FieldError[],
  subjectOf: (object: DynamicObject, asker: UserInfo) => UserInfo = subjectInSpec,
): KindDetails {
  return {
    answer: async (object, { request }) => {
      const errors = validate(object);
      // The real server leaves the kind out here.
      if (errors.length > 0) throw invalid({ group: "authorization.k8s.io", kind: "" }, "", errors);
      const spec = objectField(object, "spec");
      const { allowed, reason } = await authorize(subjectOf(object, request.user), accessOf(spec));
      const evaluationError = ignoredSelectors(spec);
      const said = { ...(reason === "" ? {} : { reason }), ...(evaluationError === "" ? {} : { evaluationError }) };
      return { ...object, status: { allowed, ...said } };
    },
  };
}

function subjectInSpec(object: DynamicObject): UserInfo {
  const spec = objectField(object, "spec");
  const extra = Object.entries(objectField(spec, "extra")).map(([key, values]) => [key, stringsField({ values }, "values")] as const);
  return {
    username: stringField(spec, "user"),
    uid: stringField(spec, "uid"),
    groups: stringsField(spec, "groups"),
    extra: Object.fromEntries(extra),
  };
}

function accessOf(spec: JsonObject): Access {
  const attributes = optionalObject(spec, "resourceAttributes");
  if (attributes === undefined) {
    const url = objectField(spec, "nonResourceAttributes");
    return { type: "Path", verb: stringField(url, "verb"), path: stringField(url, "path") };
  }
  const text = (name: string): string | undefined => stringField(attributes, name) || undefined;
  return {
    type: "Resource",
    verb: stringField(attributes, "verb"),
    group: stringField(attributes, "group"),
    version: stringField(attributes, "version"),
    resource: stringField(attributes, "resource"),
    namespace: text("namespace"),
    name: text("name"),
    subresource: text("subresource"),
  };
}

function validateSubject(object: DynamicObject): readonly FieldError[] {
  const spec = objectField(object, "spec");
  const isNobody = stringField(spec, "user") === "" && stringsField(spec, "groups").length === 0;
  const [choice, selectors] = [validateChoice(spec), validateSelectors(spec)];
  return [
    ...choice,
    ...(isNobody ? [invalidValue(path.child("user"), "", "at least one of user or group must be specified")] : []),
    ...selectors,
  ];
}

function validateAttributes(spec: JsonObject): readonly FieldError[] {
  return [...validateChoice(spec), ...validateSelectors(spec)];
}

function validateChoice(spec: JsonObject): readonly FieldError[] {
  const url = optionalObject(spec, "nonResourceAttributes");
  const shown = url === undefined ? null : internalForm("authorization.v1.NonResourceAttributes", url);
  if (has(spec, "resourceAttributes"))
    return url === undefined
      ? []
      : [invalidValue(path.child("nonResourceAttributes"), shown, "cannot be specified in combination with resourceAttributes")];
  return url === undefined
    ? [
        invalidValue(
          path.child("resourceAttributes"),
          shown,
          "exactly one of nonResourceAttributes or resourceAttributes must be specified",
        ),
      ]
    : [];
}

function validateLocal(object: DynamicObject): readonly FieldError[] {
  const spec = objectField(object, "spec");
  const attributes = optionalObject(spec, "resourceAttributes");
  const url = optionalObject(spec, "nonResourceAttributes");
  const namespace = stringField(attributes, "namespace");
  const isElsewhere = attributes !== undefined && namespace !== (object.metadata.namespace ?? "");
  return [
    ...(isElsewhere ? [invalidValue(path.child("resourceAttributes", "namespace"), namespace, "must match metadata.namespace")] : []),
    ...(url === undefined
      ? []
      : [
          invalidValue(
            path.child("nonResourceAttributes"),
            internalForm("authorization.v1.NonResourceAttributes", url),
            "disallowed on this kind of request",
          ),
        ]),
  ];
}

function validateEmptyMetadata(object: DynamicObject, rule: string, ...allowed: readonly string[]): readonly FieldError[] {
  const shown = internalForm("meta.v1.ObjectMeta", objectField(object, "metadata"));
  const given = withoutFields(shown, "managedFields", ...allowed);
  return Object.keys(given).length === 0 ? [] : [invalidValue(FieldPath.of("metadata"), shown, rule)];
}
