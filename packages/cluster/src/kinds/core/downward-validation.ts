import { invalidValue, notSupported, required } from "@kaji/core";
import type { FieldError, FieldPath, JsonObject } from "@kaji/core";
import { qualifiedErrors } from "../field-rules.ts";
import { stringField } from "../json-fields.ts";

/** Fields of a pod that an environment variable may show. */
export const envFieldPaths: readonly string[] = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];

/** Fields of a pod that a file may show. */
export const fileFieldPaths: readonly string[] = [
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
];

const resourceFields = ["cpu", "ephemeral-storage", "memory"].flatMap((name) => [`limits.${name}`, `requests.${name}`]).toSorted();
const amounts = ["1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"];

/** What is wrong with a reference to a field of the pod itself. */
export function validateFieldRef(reference: JsonObject, allowed: readonly string[], path: FieldPath): readonly FieldError[] {
  const fieldPath = stringField(reference, "fieldPath");
  const apiVersion = stringField(reference, "apiVersion");
  if (apiVersion === "") return [required(path.child("apiVersion"))];
  if (fieldPath === "") return [required(path.child("fieldPath"))];
  const subscripted = /^(.+)\['(.*)'\]$/.exec(fieldPath);
  if (apiVersion !== "v1") {
    return [invalidValue(path.child("fieldPath"), fieldPath, `error converting fieldPath: unsupported pod version: ${apiVersion}`)];
  }
  if (subscripted !== null) {
    const [, base = "", key = ""] = subscripted;
    if (base === "metadata.annotations") return qualifiedErrors(key.toLowerCase(), path);
    if (base === "metadata.labels") return qualifiedErrors(key, path);
    return [
      invalidValue(path.child("fieldPath"), fieldPath, `error converting fieldPath: field label does not support subscript: ${fieldPath}`),
    ];
  }
  if (!convertible.has(fieldPath)) {
    return [invalidValue(path.child("fieldPath"), fieldPath, `error converting fieldPath: field label not supported: ${fieldPath}`)];
  }
  return allowed.includes(fieldPath) ? [] : [notSupported(path.child("fieldPath"), fieldPath, allowed)];
}

/** Fields that the server knows by name at all. */
const convertible = new Set([...envFieldPaths, ...fileFieldPaths, "spec.restartPolicy", "spec.schedulerName", "status.phase"]);

/** What is wrong with a reference to what a container asks for or is limited to. */
export function validateResourceFieldRef(
  reference: JsonObject,
  path: FieldPath,
  options: { readonly inVolume: boolean },
): readonly FieldError[] {
  const resource = stringField(reference, "resource");
  const errors: FieldError[] = [];
  if (options.inVolume && stringField(reference, "containerName") === "") errors.push(required(path.child("containerName")));
  else if (resource === "") errors.push(required(path.child("resource")));
  else if (!resourceFields.includes(resource) && !/^(requests|limits)\.hugepages-/.test(resource)) {
    errors.push(notSupported(path.child("resource"), resource, resourceFields));
  }
  return [...errors, ...divisorErrors(resource, stringField(reference, "divisor"), path.child("divisor"))];
}

function divisorErrors(resource: string, divisor: string, path: FieldPath): readonly FieldError[] {
  if (divisor === "" || divisor === "0") return [];
  const [, name = ""] = /^(?:limits|requests)\.(.*)$/.exec(resource) ?? [];
  if (name === "cpu") {
    return ["1m", "1"].includes(divisor)
      ? []
      : [invalidValue(path, resource, "only divisor's values 1m and 1 are supported with the cpu resource")];
  }
  const what = divided(name);
  if (what === undefined || amounts.includes(divisor)) return [];
  return [invalidValue(path, resource, `only divisor's values ${amounts.join(", ")} are supported with the ${what} resource`)];
}

function divided(name: string): string | undefined {
  if (name === "memory") return "memory";
  if (name === "ephemeral-storage") return "local ephemeral storage";
  return name.startsWith("hugepages-") ? "hugepages" : undefined;
}
