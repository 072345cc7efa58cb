import { FieldPath, duplicate, forbiddenField, invalidValue, required, structuralEqual } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject, JsonValue } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { eachItem } from "../../field-rules.ts";
import { field, numberField, objectField, objectsField, stringField, stringsField } from "../../json-fields.ts";
import { validateSignerName } from "./signer-name.ts";

const conditionsPath = FieldPath.of("status", "conditions");
const certificatePath = FieldPath.of("status", "certificate");
const finalTypes = ["Approved", "Denied", "Failed"];
const legacySigner = "kubernetes.io/legacy-unknown";
const shortestSeconds = 600;
const usages = [
  "any",
  "cert sign",
  "client auth",
  "code signing",
  "content commitment",
  "crl sign",
  "data encipherment",
  "decipher only",
  "digital signature",
  "email protection",
  "encipher only",
  "ipsec end system",
  "ipsec tunnel",
  "ipsec user",
  "key agreement",
  "key encipherment",
  "microsoft sgc",
  "netscape sgc",
  "ocsp signing",
  "s/mime",
  "server auth",
  "signing",
  "timestamping",
];

/** What is wrong with a request for a certificate, and with what was made of it. */
export function validateRequest(object: DynamicObject, old: DynamicObject | undefined): readonly FieldError[] {
  const path = FieldPath.of("spec");
  const spec = objectField(object, "spec");
  const [signer, seconds] = [stringField(spec, "signerName"), numberField(spec, "expirationSeconds")];
  const isLegacy = signer === legacySigner && stringField(objectField(old, "spec"), "signerName") !== legacySigner;
  return [
    ...validatePem(field(spec, "request"), path.child("request")),
    ...validateUsages(stringsField(spec, "usages"), path.child("usages")),
    ...(isLegacy
      ? [invalidValue(path.child("signerName"), signer, "the legacy signerName is not allowed via this API version")]
      : validateSignerName(signer, path.child("signerName"))),
    ...(seconds !== undefined && seconds < shortestSeconds
      ? [invalidValue(path.child("expirationSeconds"), seconds, "may not specify a duration less than 600 seconds (10 minutes)")]
      : []),
    ...validateConditions(conditionsOf(object), old),
    ...validateCertificate(object, old),
  ];
}

/** What is wrong with a change of it, made through the object itself or one of its subresources. */
export function validateRequestChange(
  object: DynamicObject,
  old: DynamicObject,
  through: "object" | "status" | "approval",
): readonly FieldError[] {
  const certificates = [object, old].map((each) => stringField(objectField(each, "status"), "certificate"));
  const errors = [...validateRequest(object, old)];
  for (const type of finalTypes) {
    if (ofType(object, type).length < ofType(old, type).length)
      errors.push(forbiddenField(conditionsPath, `updates may not remove a condition of type "${type}"`));
  }
  if (through !== "approval")
    errors.push(...["Approved", "Denied"].flatMap((type) => validateApproval(ofType(object, type), ofType(old, type), type)));
  if (certificates[0] === certificates[1]) return errors;
  if (through !== "status") return [...errors, forbiddenField(certificatePath, "updates may not set certificate content")];
  return certificates[1] === ""
    ? errors
    : [...errors, forbiddenField(certificatePath, "updates may not modify existing certificate content")];
}

function validateApproval(next: readonly JsonObject[], before: readonly JsonObject[], type: string): readonly FieldError[] {
  if (next.length > before.length) return [forbiddenField(conditionsPath, `updates may not add a condition of type "${type}"`)];
  if (next.length < before.length || structuralEqual(next, before)) return [];
  return [forbiddenField(conditionsPath, `updates may not modify a condition of type "${type}"`)];
}

function validatePem(base64: JsonValue | undefined, path: FieldPath): readonly FieldError[] {
  const pem = Buffer.from(typeof base64 === "string" ? base64 : "", "base64").toString("latin1");
  const isRequest = /-----BEGIN CERTIFICATE REQUEST-----\s[A-Za-z0-9+/=\s]+-----END CERTIFICATE REQUEST-----/.test(pem);
  return isRequest ? [] : [invalidValue(path, base64, "PEM block type must be CERTIFICATE REQUEST")];
}

function validateUsages(given: readonly string[], path: FieldPath): readonly FieldError[] {
  if (given.length === 0) return [required(path)];
  return [
    ...given.flatMap((usage, index) => (usages.includes(usage) ? [] : [notEnumerated(path.index(index), usage, usages)])),
    ...given.flatMap((usage, index) => (given.indexOf(usage) < index ? [duplicate(path.index(index), usage)] : [])),
  ];
}

function validateConditions(conditions: readonly JsonObject[], old: DynamicObject | undefined): readonly FieldError[] {
  const types = conditions.map((condition) => stringField(condition, "type"));
  const before = old === undefined ? [] : conditionsOf(old).map((condition) => stringField(condition, "type"));
  const wasBoth = before.includes("Approved") && before.includes("Denied");
  const hadDuplicates = new Set(before).size < before.length;
  return eachItem(conditions, conditionsPath, (condition, path, index) => {
    const [type, status] = [stringField(condition, "type"), stringField(condition, "status")];
    const allowed = finalTypes.includes(type) ? ["True"] : ["False", "True", "Unknown"];
    const other = type === "Approved" ? "Denied" : type === "Denied" ? "Approved" : undefined;
    const isBoth = !wasBoth && other !== undefined && types.slice(0, index).includes(other);
    const ofStatus = allowed.includes(status) ? [] : [notEnumerated(path.child("status"), status, allowed)];
    return [
      ...(type === "" && !before.includes("") ? [required(path.child("type"))] : []),
      ...(status === "" ? [required(path.child("status"))] : ofStatus),
      ...(isBoth ? [invalidValue(conditionsPath, type, "Approved and Denied conditions are mutually exclusive")] : []),
      ...(!hadDuplicates && types.indexOf(type) < index ? [duplicate(path.child("type"), type)] : []),
    ];
  });
}

function validateCertificate(object: DynamicObject, old: DynamicObject | undefined): readonly FieldError[] {
  const certificate = stringField(objectField(object, "status"), "certificate");
  if (certificate === "" || certificate === stringField(objectField(old, "status"), "certificate")) return [];
  const pem = Buffer.from(certificate, "base64").toString("latin1");
  const types = [...pem.matchAll(/-----BEGIN ([^-]+)-----/g)].map(([, type = ""]) => type);
  const other = types.find((type) => type !== "CERTIFICATE");
  if (types.length === 0) return [invalidValue(certificatePath, "<certificate data>", "must contain at least one CERTIFICATE PEM block")];
  return other === undefined
    ? []
    : [invalidValue(certificatePath, "<certificate data>", `only CERTIFICATE PEM blocks are allowed, found ${JSON.stringify(other)}`)];
}

function ofType(object: DynamicObject, type: string): readonly JsonObject[] {
  return conditionsOf(object).filter((condition) => stringField(condition, "type") === type);
}

function conditionsOf(object: DynamicObject): readonly JsonObject[] {
  return objectsField(objectField(object, "status"), "conditions");
}
