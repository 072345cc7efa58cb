import { invalidValue, required } from "@kaji/core";
import type { FieldError, FieldPath, JsonObject } from "@kaji/core";
import { labelErrors } from "../field-rules.ts";
import { has, objectsField, optionalObject, stringField } from "../json-fields.ts";
import { subdomainName } from "../metadata-validation.ts";
import { configKeyProblems, envVarNameProblems } from "../scalar-rules.ts";
import { envFieldPaths, validateFieldRef, validateResourceFieldRef } from "./downward-validation.ts";
import { backstepErrors } from "./path-rules.ts";

/** What is wrong with the environment of a container: `env` and `envFrom`. */
export function validateEnvironment(container: JsonObject, path: FieldPath): readonly FieldError[] {
  return [
    ...objectsField(container, "env").flatMap((variable, index) => validateVariable(variable, path.child("env").index(index))),
    ...objectsField(container, "envFrom").flatMap((source, index) => validateEnvFrom(source, path.child("envFrom"), index)),
  ];
}

function validateVariable(variable: JsonObject, path: FieldPath): readonly FieldError[] {
  const name = stringField(variable, "name");
  const named =
    name === ""
      ? [required(path.child("name"))]
      : envVarNameProblems(name).map((problem) => invalidValue(path.child("name"), name, problem));
  const source = optionalObject(variable, "valueFrom");
  return source === undefined ? named : [...named, ...validateSource(source, stringField(variable, "value"), path.child("valueFrom"))];
}

type SourceRule = (source: JsonObject, path: FieldPath) => readonly FieldError[];

const sourceRules: Readonly<Record<string, SourceRule>> = {
  fieldRef: (source, path) => validateFieldRef(source, envFieldPaths, path),
  resourceFieldRef: (source, path) => validateResourceFieldRef(source, path, { inVolume: false }),
  configMapKeyRef: validateKeyRef,
  secretKeyRef: validateKeyRef,
  fileKeyRef: validateFileKeyRef,
};

function validateSource(source: JsonObject, value: string, path: FieldPath): readonly FieldError[] {
  const given = Object.keys(sourceRules).filter((name) => has(source, name));
  const errors = given.flatMap((name) => sourceRules[name]?.(optionalObject(source, name) ?? {}, path.child(name)) ?? []);
  if (given.length === 0) {
    const choice = "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`";
    return [...errors, invalidValue(path, "", choice)];
  }
  if (value !== "") return [...errors, invalidValue(path, "", "may not be specified when `value` is not empty")];
  return given.length > 1 ? [...errors, invalidValue(path, "", "may not have more than one field specified at a time")] : errors;
}

function validateKeyRef(reference: JsonObject, path: FieldPath): readonly FieldError[] {
  const name = stringField(reference, "name");
  const key = stringField(reference, "key");
  const keyProblems =
    key === "" ? [required(path.child("key"))] : configKeyProblems(key).map((problem) => invalidValue(path.child("key"), key, problem));
  return [...subdomainName(name, { prefix: false }).map((problem) => invalidValue(path.child("name"), name, problem)), ...keyProblems];
}

function validateFileKeyRef(reference: JsonObject, path: FieldPath): readonly FieldError[] {
  const [key, volume, file] = [stringField(reference, "key"), stringField(reference, "volumeName"), stringField(reference, "path")];
  return [
    ...(key === ""
      ? [required(path.child("key"))]
      : envVarNameProblems(key).map((problem) => invalidValue(path.child("key"), key, problem))),
    ...(volume === "" ? [required(path.child("volumeName"))] : labelErrors(volume, path.child("volumeName"))),
    ...(file === "" ? [required(path.child("path"))] : backstepErrors(file, path.child("path"))),
  ];
}

function validateEnvFrom(source: JsonObject, list: FieldPath, index: number): readonly FieldError[] {
  const path = list.index(index);
  const prefix = stringField(source, "prefix");
  const errors: FieldError[] =
    prefix === "" ? [] : envVarNameProblems(prefix).map((problem) => invalidValue(path.child("prefix"), prefix, problem));
  const given = ["configMapRef", "secretRef"].filter((name) => has(source, name));
  for (const reference of given) {
    const at = path.child(reference, "name");
    const name = stringField(optionalObject(source, reference), "name");
    if (name === "") errors.push(required(at));
    else errors.push(...subdomainName(name, { prefix: true }).map((problem) => invalidValue(at, name, problem)));
  }
  if (given.length === 0) errors.push(invalidValue(list, "", "must specify one of: `configMapRef` or `secretRef`"));
  if (given.length > 1) errors.push(invalidValue(list, "", "may not have more than one field specified at a time"));
  return errors;
}
