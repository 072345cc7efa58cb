import { duplicate, invalidValue, required, tooLong } from "@kaji/core";
import type { FieldError, FieldPath, JsonObject, JsonValue } from "@kaji/core";
import { oneOf, optionalOneOf } from "../field-rules.ts";
import {
  booleanField,
  field,
  has,
  listField,
  numberField,
  objectField,
  objectsField,
  optionalObject,
  stringField,
  stringsField,
} from "../json-fields.ts";
import { idProblems } from "../scalar-rules.ts";
import { descendingPathErrors } from "./path-rules.ts";
import { validateWindowsOptions } from "./windows-options-validation.ts";

/** What is wrong with the security context of a container. It may be privileged, as in all clusters that run their own network and storage. */
export function validateSecurityContext(
  context: JsonObject,
  path: FieldPath,
  options: { readonly hostUsers: boolean },
): readonly FieldError[] {
  const errors = [
    ...idErrors(context, ["runAsUser", "runAsGroup"], path),
    ...optionalOneOf(context, "procMount", ["Default", "Unmasked"], path),
  ];
  if (options.hostUsers && stringField(context, "procMount") === "Unmasked") {
    errors.push(invalidValue(path.child("procMount"), "Unmasked", "`hostUsers` must be false to use `Unmasked`"));
  }
  errors.push(...seccompErrors(context, path));
  if (field(context, "allowPrivilegeEscalation") === false) errors.push(...escalationErrors(context, path));
  return [...errors, ...validateWindowsOptions(context, path), ...validateAppArmor(context, path)];
}

/** What is wrong with the security context of a pod. */
export function validatePodSecurityContext(spec: JsonObject, path: FieldPath): readonly FieldError[] {
  const context = objectField(spec, "securityContext");
  const errors = [...idErrors(context, ["fsGroup", "runAsUser", "runAsGroup"], path)];
  listField(context, "supplementalGroups").forEach((group, index) => {
    errors.push(...idProblems(Number(group)).map((problem) => invalidValue(path.child("supplementalGroups").index(index), group, problem)));
  });
  if (booleanField(spec, "shareProcessNamespace") && booleanField(spec, "hostPID")) {
    errors.push(invalidValue(path.child("shareProcessNamespace"), true, "ShareProcessNamespace and HostPID cannot both be enabled"));
  }
  return [
    ...errors,
    ...sysctlErrors(spec, context, path.child("sysctls")),
    ...optionalOneOf(context, "fsGroupChangePolicy", ["Always", "OnRootMismatch"], path),
    ...seccompErrors(context, path),
    ...validateWindowsOptions(context, path),
    ...validateAppArmor(context, path),
    ...optionalOneOf(context, "supplementalGroupsPolicy", ["Merge", "Strict"], path),
    ...optionalOneOf(context, "seLinuxChangePolicy", ["MountOption", "Recursive"], path),
  ];
}

function idErrors(context: JsonObject, names: readonly string[], path: FieldPath): readonly FieldError[] {
  return names.flatMap((name) => {
    const id = numberField(context, name);
    return id === undefined ? [] : idProblems(id).map((problem) => invalidValue(path.child(name), field(context, name), problem));
  });
}

function escalationErrors(context: JsonObject, path: FieldPath): readonly FieldError[] {
  const rule = "cannot set `allowPrivilegeEscalation` to false and";
  const errors: FieldError[] = [];
  if (booleanField(context, "privileged")) errors.push(invalidValue(path, internalForm(context), `${rule} \`privileged\` to true`));
  if (stringsField(objectField(context, "capabilities"), "add").includes("CAP_SYS_ADMIN")) {
    errors.push(invalidValue(path, internalForm(context), `${rule} \`capabilities.Add\` CAP_SYS_ADMIN`));
  }
  return errors;
}

/** The server shows a security context in its internal form, whose fields are named as in Go and all there. */
function internalForm(context: JsonObject): JsonObject {
  const capabilities = optionalObject(context, "capabilities");
  const shown = { Add: field(capabilities, "add") ?? null, Drop: field(capabilities, "drop") ?? null };
  const value = (name: string): JsonValue => field(context, name) ?? null;
  const profile = (name: string): JsonValue => profileForm(optionalObject(context, name));
  return {
    Capabilities: capabilities === undefined ? null : shown,
    Privileged: value("privileged"),
    SELinuxOptions: value("seLinuxOptions"),
    WindowsOptions: value("windowsOptions"),
    RunAsUser: value("runAsUser"),
    RunAsGroup: value("runAsGroup"),
    RunAsNonRoot: value("runAsNonRoot"),
    ReadOnlyRootFilesystem: value("readOnlyRootFilesystem"),
    AllowPrivilegeEscalation: value("allowPrivilegeEscalation"),
    ProcMount: value("procMount"),
    SeccompProfile: profile("seccompProfile"),
    AppArmorProfile: profile("appArmorProfile"),
  };
}

function profileForm(profile: JsonObject | undefined): JsonValue {
  return profile === undefined
    ? null
    : { Type: stringField(profile, "type"), LocalhostProfile: field(profile, "localhostProfile") ?? null };
}

const profileTypes = ["Localhost", "RuntimeDefault", "Unconfined"];

function seccompErrors(context: JsonObject, path: FieldPath): readonly FieldError[] {
  const profile = optionalObject(context, "seccompProfile");
  if (profile === undefined) return [];
  const at = path.child("seccompProfile");
  const type = stringField(profile, "type");
  const errors =
    type === ""
      ? [required(at.child("type"), "type is required when seccompProfile is set")]
      : [...oneOf(type, profileTypes, at.child("type"))];
  const file = at.child("localhostProfile");
  if (type !== "Localhost") {
    if (has(profile, "localhostProfile"))
      errors.push(invalidValue(file, profileForm(profile), "can only be set when seccomp type is Localhost"));
    return errors;
  }
  if (!has(profile, "localhostProfile")) return [...errors, required(file, "must be set when seccomp type is Localhost")];
  return [...errors, ...descendingPathErrors(stringField(profile, "localhostProfile"), file)];
}

/** As long as a path may be, less the zero at its end. */
const longestProfile = 4095;

/** What is wrong with the profile by which a security context confines. */
export function validateAppArmor(context: JsonObject, path: FieldPath): readonly FieldError[] {
  const profile = optionalObject(context, "appArmorProfile");
  if (profile === undefined) return [];
  const at = path.child("appArmorProfile");
  const type = stringField(profile, "type");
  if (type === "") return [required(at.child("type"), "type is required when appArmorProfile is set")];
  const file = at.child("localhostProfile");
  const name = stringField(profile, "localhostProfile");
  if (type !== "Localhost") {
    const unknown = oneOf(type, profileTypes, at.child("type"));
    if (unknown.length > 0 || !has(profile, "localhostProfile")) return unknown;
    return [invalidValue(file, name, "can only be set when AppArmor type is Localhost")];
  }
  const errors: FieldError[] = [];
  if (name.trim() !== name) errors.push(invalidValue(file, name, "must not be padded with whitespace"));
  else if (name === "") errors.push(required(file, "must be set when AppArmor type is Localhost"));
  return Buffer.byteLength(name) > longestProfile ? [...errors, tooLong(file, longestProfile)] : errors;
}

const sysctlName = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;
const sysctlRule =
  "must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";

function sysctlErrors(spec: JsonObject, context: JsonObject, path: FieldPath): readonly FieldError[] {
  const seen = new Set<string>();
  return objectsField(context, "sysctls").flatMap((sysctl, index) => {
    const at = path.index(index).child("name");
    const name = stringField(sysctl, "name");
    const errors: FieldError[] = [];
    if (name === "") errors.push(required(at));
    else if (name.length > 253 || !sysctlName.test(name)) errors.push(invalidValue(at, name, sysctlRule));
    else if (seen.has(name)) errors.push(duplicate(at, name));
    seen.add(name);
    const dotted = name.replaceAll("/", ".");
    if (booleanField(spec, "hostNetwork") && dotted.startsWith("net.")) {
      errors.push(invalidValue(at, name, "may not be specified when 'hostNetwork' is true"));
    } else if (booleanField(spec, "hostIPC") && /^(kernel\.(sem|shm)|kernel\.msg|fs\.mqueue\.)/.test(dotted)) {
      errors.push(invalidValue(at, name, "may not be specified when 'hostIPC' is true"));
    }
    return errors;
  });
}
