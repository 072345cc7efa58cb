import { localCondition } from "@kaji/apiserver";
import { FieldPath, dns1035LabelErrors, dns1123SubdomainErrors, formatTime, invalidValue, required } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { mapField, mapPart, withDefaults } from "../../field-defaults.ts";
import { eachItem, invalidFor, requiredFields } from "../../field-rules.ts";
import { booleanField, field, has, numberField, objectField, objectsField, optionalObject, stringField } from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";
import { ageColumn, nameColumn } from "../../name-and-age.ts";
import { portNumberProblems } from "../../scalar-rules.ts";
import { statusAlone } from "../../status-strategy.ts";

const path = FieldPath.of("spec");

/** `APIService`: who serves a version of a group. */
export const apiService: KindDetails = {
  storagePrefix: "/registry/apiregistration.k8s.io/apiservices/",
  strategy: {
    unconditionalUpdate: false,
    default: (object) => mapPart(object, "spec", (spec) => mapField(spec, "service", (service) => withDefaults(service, { port: 443 }))),
    prepareCreate: (object, { nowMs }) =>
      has(objectField(object, "spec"), "service") ? object : { ...object, status: { conditions: [localCondition(formatTime(nowMs))] } },
    validateCreate: validateApiService,
    validateUpdate: validateApiService,
  },
  status: { ...statusAlone, unconditionalUpdate: false, validateUpdate: validateStatus },
  columns: [
    nameColumn,
    { name: "Service", type: "string", description: "who serves it", cell: serviceCell },
    { name: "Available", type: "string", description: "whether it is served now", cell: availableCell },
    ageColumn,
  ],
};

function validateApiService(object: DynamicObject): readonly FieldError[] {
  const spec = objectField(object, "spec");
  const [group, version] = [stringField(spec, "group"), stringField(spec, "version")];
  const wanted = `${version}.${group}`;
  const service = optionalObject(spec, "service");
  const isNamed = object.metadata.name === wanted;
  return [
    ...(isNamed
      ? []
      : [
          invalidValue(
            FieldPath.of("metadata", "name"),
            object.metadata.name,
            `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(wanted)}`,
          ),
        ]),
    ...(group === "" && version !== "v1"
      ? [required(path.child("group"), "only v1 may have an empty group and it better be legacy kube")]
      : []),
    ...(group === "" ? [] : invalidFor(path.child("group"), group, dns1123SubdomainErrors(group))),
    ...invalidFor(path.child("version"), version, dns1035LabelErrors(version)),
    ...validatePriority(spec, "groupPriorityMinimum", 20_000),
    ...validatePriority(spec, "versionPriority", 1000),
    ...(service === undefined ? validateLocal(spec) : validateRemote(spec, service)),
  ];
}

function validatePriority(spec: JsonObject, name: string, most: number): readonly FieldError[] {
  const value = numberField(spec, name) ?? 0;
  return value > 0 && value <= most ? [] : [invalidValue(path.child(name), value, `must be positive and less than ${most}`)];
}

function validateLocal(spec: JsonObject): readonly FieldError[] {
  const bundle = Buffer.from(stringField(spec, "caBundle"), "base64");
  return [
    ...(bundle.length === 0
      ? []
      : [invalidValue(path.child("caBundle"), `${bundle.length} bytes`, "local APIServices may not have a caBundle")]),
    ...(booleanField(spec, "insecureSkipTLSVerify")
      ? [invalidValue(path.child("insecureSkipTLSVerify"), true, "local APIServices may not have insecureSkipTLSVerify")]
      : []),
  ];
}

function validateRemote(spec: JsonObject, service: JsonObject): readonly FieldError[] {
  const at = path.child("service");
  const port = numberField(service, "port") ?? 0;
  const isMixed = booleanField(spec, "insecureSkipTLSVerify") && stringField(spec, "caBundle") !== "";
  return [
    ...requiredFields(service, ["namespace", "name"], at),
    ...invalidFor(
      at.child("port"),
      port,
      portNumberProblems(port).map((problem) => `port is not valid: ${problem}`),
    ),
    ...(isMixed ? [invalidValue(path.child("insecureSkipTLSVerify"), true, "may not be true if caBundle is present")] : []),
  ];
}

function validateStatus(object: DynamicObject): readonly FieldError[] {
  const statuses = ["True", "False", "Unknown"];
  return eachItem(objectsField(objectField(object, "status"), "conditions"), FieldPath.of("status", "conditions"), (condition, at) => {
    const status = stringField(condition, "status");
    return statuses.includes(status) ? [] : [notEnumerated(at.child("status"), status, statuses)];
  });
}

function serviceCell(object: DynamicObject): string {
  const service = optionalObject(objectField(object, "spec"), "service");
  return service === undefined ? "Local" : `${stringField(service, "namespace")}/${stringField(service, "name")}`;
}

function availableCell(object: DynamicObject): string {
  const condition = objectsField(objectField(object, "status"), "conditions").find((each) => stringField(each, "type") === "Available");
  if (condition === undefined) return "Unknown";
  const status = stringField(condition, "status");
  return status === "True" || field(condition, "reason") === undefined ? status : `${status} (${stringField(condition, "reason")})`;
}
