import { FieldPath, dns1123SubdomainErrors, invalidValue } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { eachItem, invalidFor } from "../../field-rules.ts";
import { ipErrors, parseIp } from "../../ip-address.ts";
import { has, objectField, objectsField, stringField, stringsField } from "../../json-fields.ts";
import type { KindDetails } from "../../kind-details.ts";
import { ageColumn, nameColumn } from "../../name-and-age.ts";
import { subdomainName } from "../../metadata-validation.ts";
import { wildcardSubdomainErrors } from "../../text-rules.ts";
import { validateBackend, validateHttpRule } from "./ingress-backend.ts";

const classAnnotation = "kubernetes.io/ingress.class";
const shownHosts = 3;

/** `Ingress`: how requests from outside reach services. */
export const ingress: KindDetails = {
  storagePrefix: "/registry/ingress/",
  strategy: {
    generationOf: "spec",
    validateName: subdomainName,
    validateCreate: (object) => [...validateSpec(object), ...validateClassAnnotation(object)],
    validateUpdate: validateSpec,
    warnings: (object, old) =>
      old === undefined && usesClassAnnotation(object)
        ? [`annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`]
        : [],
  },
  status: { validateUpdate: validateStatus },
  columns: [
    nameColumn,
    {
      name: "Class",
      type: "string",
      description: "who implements it",
      cell: (object) => stringField(objectField(object, "spec"), "ingressClassName") || "<none>",
    },
    { name: "Hosts", type: "string", description: "the hosts it is for", cell: hostsCell },
    { name: "Address", type: "string", description: "where it can be reached", cell: addressCell },
    {
      name: "Ports",
      type: "string",
      description: "80, and 443 with TLS",
      cell: (object) => (objectsField(objectField(object, "spec"), "tls").length > 0 ? "80, 443" : "80"),
    },
    ageColumn,
  ],
};

function validateSpec(object: DynamicObject): readonly FieldError[] {
  const path = FieldPath.of("spec");
  const spec = objectField(object, "spec");
  const rules = objectsField(spec, "rules");
  const errors: FieldError[] = [];
  if (rules.length === 0 && !has(spec, "defaultBackend")) {
    errors.push(invalidValue(path, spec["rules"] ?? null, "either `defaultBackend` or `rules` must be specified"));
  }
  if (has(spec, "defaultBackend")) errors.push(...validateBackend(objectField(spec, "defaultBackend"), path.child("defaultBackend")));
  errors.push(
    ...eachItem(rules, path.child("rules"), validateRule),
    ...eachItem(objectsField(spec, "tls"), path.child("tls"), validateTls),
  );
  const className = stringField(spec, "ingressClassName");
  return has(spec, "ingressClassName")
    ? [...errors, ...invalidFor(path.child("ingressClassName"), className, dns1123SubdomainErrors(className))]
    : errors;
}

function validateRule(rule: JsonObject, path: FieldPath): readonly FieldError[] {
  const host = stringField(rule, "host");
  const errors: FieldError[] = [];
  if (host !== "") {
    if (parseIp(host) !== undefined) errors.push(invalidValue(path.child("host"), host, "must be a DNS name, not an IP address"));
    errors.push(...invalidFor(path.child("host"), host, hostErrors(host)));
  }
  return has(rule, "http") ? [...errors, ...validateHttpRule(objectField(rule, "http"), path.child("http"))] : errors;
}

function validateTls(tls: JsonObject, path: FieldPath): readonly FieldError[] {
  const secret = stringField(tls, "secretName");
  return [
    ...stringsField(tls, "hosts").flatMap((host, index) => invalidFor(path.child("hosts").index(index), host, hostErrors(host))),
    ...(secret === "" ? [] : invalidFor(path.child("secretName"), secret, dns1123SubdomainErrors(secret))),
  ];
}

function validateStatus(object: DynamicObject, old: DynamicObject): readonly FieldError[] {
  const before = objectsField(balancerOf(old), "ingress").map((point) => stringField(point, "ip"));
  return eachItem(objectsField(balancerOf(object), "ingress"), FieldPath.of("status", "loadBalancer", "ingress"), (point, path) => {
    const [ip, hostname] = [stringField(point, "ip"), stringField(point, "hostname")];
    const errors = ip === "" ? [] : [...ipErrors(path.child("ip"), ip, before)];
    if (hostname === "") return errors;
    errors.push(...invalidFor(path.child("hostname"), hostname, dns1123SubdomainErrors(hostname)));
    if (parseIp(hostname) !== undefined)
      errors.push(invalidValue(path.child("hostname"), hostname, "must be a DNS name, not an IP address"));
    return errors;
  });
}

function validateClassAnnotation(object: DynamicObject): readonly FieldError[] {
  const annotation = object.metadata.annotations?.[classAnnotation];
  const spec = objectField(object, "spec");
  if (annotation === undefined || !has(spec, "ingressClassName") || annotation === stringField(spec, "ingressClassName")) return [];
  return [
    invalidValue(FieldPath.of("annotations").child(classAnnotation), annotation, "must match `ingressClassName` when both are specified"),
  ];
}

function usesClassAnnotation({ metadata, ...object }: DynamicObject): boolean {
  return metadata.annotations?.[classAnnotation] !== undefined && !has(objectField(object, "spec"), "ingressClassName");
}

function hostErrors(host: string): readonly string[] {
  return host.includes("*") ? wildcardSubdomainErrors(host) : dns1123SubdomainErrors(host);
}

function hostsCell(object: DynamicObject): string {
  const rules = objectsField(objectField(object, "spec"), "rules");
  const hosts: string[] = [];
  let more = false;
  for (const rule of rules) {
    if (hosts.length === shownHosts) more = true;
    const host = stringField(rule, "host");
    if (!more && host !== "") hosts.push(host);
  }
  if (hosts.length === 0) return "*";
  return more ? `${hosts.join(",")} + ${rules.length - shownHosts} more...` : hosts.join(",");
}

function addressCell(object: DynamicObject): string {
  const points = objectsField(balancerOf(object), "ingress").map((point) => stringField(point, "ip") || stringField(point, "hostname"));
  return [...new Set(points.filter((point) => point !== ""))].toSorted().join(",");
}

function balancerOf(object: DynamicObject): JsonObject {
  return objectField(objectField(object, "status"), "loadBalancer");
}
