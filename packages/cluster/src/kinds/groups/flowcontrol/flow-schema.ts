import { FieldPath, dns1123LabelErrors, dns1123SubdomainErrors, duplicate, forbiddenField, required } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { mapPart, withZeroDefaults } from "../../field-defaults.ts";
import { eachItem, invalidFor, starAloneErrors } from "../../field-rules.ts";
import { internalForm } from "../../internal-form.ts";
import {
  booleanField,
  has,
  numberField,
  objectField,
  objectsField,
  optionalObject,
  specOf,
  stringField,
  stringsField,
} from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";
import { subdomainName } from "../../metadata-validation.ts";
import { ageColumn, nameColumn } from "../../name-and-age.ts";
import { statusAlone } from "../../status-strategy.ts";

const path = FieldPath.of("spec");
const largestPrecedence = 10_000;
const verbs = ["create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"];
/** Each kind of subject has a field of its own. */
const subjectFields: ReadonlyMap<string, string> = new Map([
  ["ServiceAccount", "serviceAccount"],
  ["User", "user"],
  ["Group", "group"],
]);

/** `FlowSchema`: which requests are of which priority. */
export const flowSchema: KindDetails = {
  strategy: {
    generationOf: "spec",
    validateName: subdomainName,
    default: (object) => mapPart(object, "spec", (spec) => withZeroDefaults(spec, { matchingPrecedence: 1000 })),
    validateCreate: validateFlowSchema,
    validateUpdate: validateFlowSchema,
  },
  status: { ...statusAlone, validateUpdate: validateConditionTypes },
  columns: [
    nameColumn,
    {
      name: "PriorityLevel",
      type: "string",
      description: "the priority",
      cell: (object) => stringField(objectField(specOf(object), "priorityLevelConfiguration"), "name"),
    },
    {
      name: "MatchingPrecedence",
      type: "string",
      description: "the smaller, the earlier",
      cell: (object) => numberField(specOf(object), "matchingPrecedence") ?? 0,
    },
    {
      name: "DistinguisherMethod",
      type: "string",
      description: "what makes a flow",
      cell: (object) => stringField(optionalObject(specOf(object), "distinguisherMethod") ?? { type: "<none>" }, "type"),
    },
    ageColumn,
    { name: "MissingPL", type: "string", description: "whether there is no such priority", cell: missingCell },
  ],
};

/** Each type of condition may be there once. */
export function validateConditionTypes(object: DynamicObject): readonly FieldError[] {
  const conditions = objectsField(objectField(object, "status"), "conditions");
  const types = conditions.map((condition) => stringField(condition, "type"));
  return types.flatMap((type, index) => {
    const at = FieldPath.of("status", "conditions").index(index).child("type");
    return [...(types.indexOf(type) < index ? [duplicate(at, type)] : []), ...(type === "" ? [required(at)] : [])];
  });
}

function validateFlowSchema(object: DynamicObject): readonly FieldError[] {
  const spec = specOf(object);
  const method = optionalObject(spec, "distinguisherMethod");
  const level = stringField(objectField(spec, "priorityLevelConfiguration"), "name");
  const levelPath = path.child("priorityLevelConfiguration", "name");
  const methods = ["ByNamespace", "ByUser"];
  const isMethod = method === undefined || methods.includes(stringField(method, "type"));
  return [
    ...validatePrecedence(object.metadata.name, numberField(spec, "matchingPrecedence") ?? 0),
    ...(isMethod
      ? []
      : [
          notEnumerated(path.child("distinguisherMethod", "type"), internalForm("flowcontrol.v1.FlowDistinguisherMethod", method), methods),
        ]),
    ...(level === ""
      ? [required(levelPath, "must reference a priority level")]
      : invalidFor(levelPath, level, dns1123SubdomainErrors(level))),
    ...eachItem(objectsField(spec, "rules"), path.child("rules"), validateRule),
    ...validateConditionTypes(object),
  ];
}

function validatePrecedence(name: string, precedence: number): readonly FieldError[] {
  const problems: string[] = [];
  if (precedence <= 0) problems.push("must be a positive value");
  if (precedence > largestPrecedence) problems.push(`must not be greater than ${largestPrecedence}`);
  if (precedence === 1 && name !== "exempt") problems.push("only the schema named 'exempt' may have matchingPrecedence 1");
  return invalidFor(path.child("matchingPrecedence"), precedence, problems);
}

function validateRule(rule: JsonObject, at: FieldPath): readonly FieldError[] {
  const [subjects, resources, urls] = ["subjects", "resourceRules", "nonResourceRules"].map((name) => objectsField(rule, name));
  const isEmpty = resources?.length === 0 && urls?.length === 0;
  return [
    ...(subjects?.length === 0 ? [required(at.child("subjects"), "subjects must contain at least one value")] : []),
    ...eachItem(subjects ?? [], at.child("subjects"), validateSubject),
    ...(isEmpty ? [required(at, "at least one of resourceRules and nonResourceRules has to be non-empty")] : []),
    ...eachItem(resources ?? [], at.child("resourceRules"), validateResourceRule),
    ...eachItem(urls ?? [], at.child("nonResourceRules"), validateUrlRule),
  ];
}

function validateSubject(subject: JsonObject, at: FieldPath): readonly FieldError[] {
  const kind = stringField(subject, "kind");
  const own = subjectFields.get(kind);
  if (own === undefined) return [notEnumerated(at.child("kind"), kind, ["Group", "ServiceAccount", "User"])];
  const others = [...subjectFields].filter(([, name]) => name !== own && has(subject, name));
  const details = optionalObject(subject, own);
  return [
    ...(details === undefined
      ? [required(at.child(own), `${own} is required when subject kind is '${kind}'`)]
      : validateSubjectName(own, details, at.child(own))),
    ...others.map(([otherKind, name]) => forbiddenField(at.child(name), `${name} is forbidden when subject kind is not '${otherKind}'`)),
  ];
}

function validateSubjectName(own: string, details: JsonObject, at: FieldPath): readonly FieldError[] {
  const [name, namespace] = [stringField(details, "name"), stringField(details, "namespace")];
  const errors = name === "" ? [required(at.child("name"))] : [];
  if (own !== "serviceAccount") return errors;
  if (name !== "" && name !== "*") errors.push(...invalidFor(at.child("name"), name, dns1123SubdomainErrors(name)));
  if (namespace === "") return [...errors, required(at.child("namespace"), "must specify namespace for service account")];
  return [...errors, ...invalidFor(at.child("namespace"), namespace, dns1123LabelErrors(namespace))];
}

function validateResourceRule(rule: JsonObject, at: FieldPath): readonly FieldError[] {
  const namespaces = stringsField(rule, "namespaces");
  const namespacesPath = at.child("namespaces");
  const isNowhere = namespaces.length === 0 && !booleanField(rule, "clusterScope");
  const ofNames = namespaces.flatMap((namespace, index) =>
    invalidFor(
      namespacesPath.index(index),
      namespace,
      dns1123LabelErrors(namespace).map((problem) => `each member of this list must be '*' or a DNS-1123 label; ${problem}`),
    ),
  );
  return [
    ...validateVerbs(stringsField(rule, "verbs"), at.child("verbs")),
    ...validateList(stringsField(rule, "apiGroups"), at.child("apiGroups"), [
      "resource rules must supply at least one api group",
      "api groups",
    ]),
    ...validateList(stringsField(rule, "resources"), at.child("resources"), [
      "resource rules must supply at least one resource",
      "resources",
    ]),
    ...(isNowhere ? [required(namespacesPath, "resource rules that are not cluster scoped must supply at least one namespace")] : []),
    ...(namespaces.includes("*") ? starAloneErrors(namespaces, namespacesPath, "namespaces") : ofNames),
  ];
}

function validateUrlRule(rule: JsonObject, at: FieldPath): readonly FieldError[] {
  const urls = stringsField(rule, "nonResourceURLs");
  const urlsPath = at.child("nonResourceURLs");
  const ofUrls = urls.includes("*")
    ? starAloneErrors(urls, urlsPath, "non-resource URLs")
    : urls.flatMap((url, index) => invalidFor(urlsPath.index(index), url, urlProblems(url)));
  return [
    ...validateVerbs(stringsField(rule, "verbs"), at.child("verbs")),
    ...(urls.length === 0 ? [required(urlsPath, "nonResourceURLs must contain at least one value")] : ofUrls),
  ];
}

function validateVerbs(given: readonly string[], at: FieldPath): readonly FieldError[] {
  if (given.length === 0) return [required(at, "verbs must contain at least one value")];
  if (given.includes("*")) return starAloneErrors(given, at, "verbs");
  return given.every((verb) => verbs.includes(verb)) ? [] : [notEnumerated(at, given, verbs)];
}

function validateList(
  given: readonly string[],
  at: FieldPath,
  [missing, what]: readonly [missing: string, what: string],
): readonly FieldError[] {
  return given.length === 0 ? [required(at, missing)] : starAloneErrors(given, at, what);
}

function urlProblems(url: string): readonly string[] {
  if (url === "") return ["must not be empty"];
  if (!url.startsWith("/")) return ["must start with slash"];
  if (url.includes(" ")) return ["must not contain white-space"];
  if (url.includes("//")) return ["must not contain double slash"];
  const stars = url.split("*").length - 1;
  return stars > 1 || (stars === 1 && !url.endsWith("/*")) ? ["wildcard can only do suffix matching"] : [];
}

function missingCell(object: DynamicObject): string {
  const dangling = objectsField(objectField(object, "status"), "conditions").find(
    (condition) => stringField(condition, "type") === "Dangling",
  );
  return dangling === undefined ? "?" : stringField(dangling, "status");
}
