import { goSyntaxError } from "@kaji/apiserver";
import { FieldPath, invalidValue, parseJson, required, tooLong } from "@kaji/core";
import type { DynamicObject, FieldError } from "@kaji/core";
import { has, objectField, stringField, stringMapField } from "../json-fields.ts";
import type { KindDetails } from "../kind-details.ts";
import { finalizerNameErrors, metadataErrorsAgain, metadataUpdateErrors, subdomainName } from "../metadata-validation.ts";
import { ageColumn, nameColumn } from "../name-and-age.ts";
import { bytesIn, immutableErrors, keyErrors, mostDataBytes } from "./config-map.ts";
import { keyPairProblem } from "./tls-key-pair.ts";

const dataPath = FieldPath.of("data");

/** Secrets. What is given as plain text in `stringData` is kept in `data`. */
export const secretDetails: KindDetails = {
  strategy: {
    validateName: subdomainName,
    default: withEncodedData,
    prepareCreate: withoutPlainText,
    prepareUpdate: withoutPlainText,
    validateCreate: (secret) => [...finalizerNameErrors(secret), ...secretErrors(secret)],
    validateUpdate: (secret, old) => [
      ...metadataUpdateErrors(secret, old),
      ...typeErrors(secret, old),
      ...immutableErrors(secret, old, ["data"]),
      ...metadataErrorsAgain(secret, subdomainName),
      ...secretErrors(secret),
    ],
    warnings: (secret) => {
      if (stringField(secret, "type") !== "kubernetes.io/tls") return [];
      const problem = keyPairProblem(decoded(secret, "tls.crt"), decoded(secret, "tls.key"));
      return problem === undefined ? [] : [problem];
    },
  },
  columns: [
    nameColumn,
    { name: "Type", type: "string", description: "what it is for", cell: (secret) => stringField(secret, "type") },
    {
      name: "Data",
      type: "string",
      description: "how many entries there are",
      cell: (secret) => Object.keys(objectField(secret, "data")).length,
    },
    ageColumn,
  ],
  selectableFields: { type: (secret) => stringField(secret, "type") },
};

function withEncodedData(secret: DynamicObject): DynamicObject {
  const texts = Object.entries(stringMapField(secret, "stringData"));
  const typed = stringField(secret, "type") === "" ? { ...secret, type: "Opaque" } : secret;
  if (texts.length === 0) return withoutPlainText(typed);
  const encoded = texts.map(([key, text]) => [key, Buffer.from(text).toString("base64")]);
  return withoutPlainText({ ...typed, data: { ...objectField(secret, "data"), ...Object.fromEntries(encoded) } });
}

function withoutPlainText(secret: DynamicObject): DynamicObject {
  const { stringData: _plain, ...rest } = secret;
  return rest;
}

function typeErrors(secret: DynamicObject, old: DynamicObject): readonly FieldError[] {
  const type = stringField(secret, "type");
  return type === stringField(old, "type") ? [] : [invalidValue(FieldPath.of("type"), type, "field is immutable")];
}

function secretErrors(secret: DynamicObject): readonly FieldError[] {
  const data = stringMapField(secret, "data");
  return [
    ...Object.keys(data).flatMap((key) => keyErrors(key, dataPath.key(key))),
    ...(bytesIn(data) > mostDataBytes ? [tooLong(dataPath, mostDataBytes)] : []),
    ...contentErrors(secret),
  ];
}

function contentErrors(secret: DynamicObject): readonly FieldError[] {
  const data = objectField(secret, "data");
  const missing = (...keys: readonly string[]): readonly FieldError[] =>
    keys.filter((key) => !has(data, key)).map((key) => required(dataPath.key(key)));
  switch (stringField(secret, "type")) {
    case "kubernetes.io/service-account-token": {
      const key = "kubernetes.io/service-account.name";
      return (secret.metadata.annotations?.[key] ?? "") === "" ? [required(FieldPath.of("metadata", "annotations").key(key))] : [];
    }
    case "kubernetes.io/dockercfg":
      return has(data, ".dockercfg") ? jsonErrors(secret, ".dockercfg") : missing(".dockercfg");
    case "kubernetes.io/dockerconfigjson":
      return has(data, ".dockerconfigjson") ? jsonErrors(secret, ".dockerconfigjson") : missing(".dockerconfigjson");
    case "kubernetes.io/basic-auth":
      return has(data, "username") || has(data, "password") ? [] : missing("username", "password");
    case "kubernetes.io/ssh-auth":
      return stringField(data, "ssh-privatekey") === "" ? [required(dataPath.key("ssh-privatekey"))] : [];
    case "kubernetes.io/tls":
      return missing("tls.crt", "tls.key");
    default:
      return [];
  }
}

/** The server says where JSON is broken, but not what is in a secret. */
function jsonErrors(secret: DynamicObject, key: string): readonly FieldError[] {
  const bytes = Buffer.from(stringField(objectField(secret, "data"), key), "base64");
  const refused = (why: string): readonly FieldError[] => [invalidValue(dataPath.key(key), "<secret contents redacted>", why)];
  const broken = goSyntaxError(bytes);
  if (broken !== undefined) return refused(broken);
  const value = parseJson(bytes.toString("utf8"));
  const type = Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
  return type === "object" ? [] : refused(`json: cannot unmarshal ${type} into Go value of type map[string]interface {}`);
}

function decoded(secret: DynamicObject, key: string): string {
  return Buffer.from(stringField(objectField(secret, "data"), key), "base64").toString("utf8");
}
