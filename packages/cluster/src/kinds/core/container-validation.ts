import { duplicate, forbiddenField, invalidValue, notFoundValue, required, tooMany } from "@kaji/core";
import type { FieldError, FieldPath, JsonObject } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { labelErrors, oneOf, requiredField } from "../field-rules.ts";
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
} from "../json-fields.ts";
import { portNameProblems, portNumberProblems } from "../scalar-rules.ts";
import { validateEnvironment } from "./env-validation.ts";
import { validateDevices, validateMounts } from "./mount-validation.ts";
import type { Volumes } from "./mount-validation.ts";
import { probeNames, validateLifecycle } from "./probe-validation.ts";
import { validateContainerResources } from "./resources-validation.ts";
import { validateSecurityContext } from "./security-context-validation.ts";

/** What the containers of a pod have in common. */
export interface PodParts {
  readonly volumes: Volumes;
  /** Names of the pod's resource claims. */
  readonly claims: readonly string[];
  readonly restartPolicy: string;
  readonly hostUsers: boolean;
  /** Seconds the pod is given to stop. */
  readonly graceSeconds: number | undefined;
}

/** What is wrong with the containers that do the work of a pod. */
export function validateContainers(containers: readonly JsonObject[], pod: PodParts, path: FieldPath): readonly FieldError[] {
  if (containers.length === 0) return [required(path)];
  const names = new Set<string>();
  const errors = containers.flatMap((container, index) => {
    const at = path.index(index);
    const name = stringField(container, "name");
    const found = [...commonErrors(container, pod, at)];
    if (names.has(name)) found.push(duplicate(at.child("name"), name));
    names.add(name);
    return [...found, ...validateLifecycle(container, pod.graceSeconds, at), ...restartErrors(container, at)];
  });
  return [...errors, ...hostPortConflicts(containers, path)];
}

/** What is wrong with the containers that run before the others. */
export function validateInitContainers(spec: JsonObject, pod: PodParts, path: FieldPath): readonly FieldError[] {
  const names = new Set(objectsField(spec, "containers").map((container) => stringField(container, "name")));
  return objectsField(spec, "initContainers").flatMap((container, index) => {
    const at = path.index(index);
    const name = stringField(container, "name");
    const isSidecar = stringField(container, "restartPolicy") === "Always";
    const errors = [...commonErrors(container, pod, at), ...restartErrors(container, at)];
    if (names.has(name)) errors.push(duplicate(at.child("name"), name));
    else if (name !== "") names.add(name);
    errors.push(...hostPortConflicts([container], path));
    if (isSidecar) return [...errors, ...validateLifecycle(container, pod.graceSeconds, at)];
    return [...errors, ...onlyForSidecars(container, at)];
  });
}

/** What is wrong with containers that were added to look into a running pod. */
export function validateEphemeralContainers(spec: JsonObject, pod: PodParts, path: FieldPath): readonly FieldError[] {
  const others = [...objectsField(spec, "containers"), ...objectsField(spec, "initContainers")].map((container) =>
    stringField(container, "name"),
  );
  const names = new Set(others);
  return objectsField(spec, "ephemeralContainers").flatMap((container, index) => {
    const at = path.index(index);
    const [name, target] = [stringField(container, "name"), stringField(container, "targetContainerName")];
    const errors = [...commonErrors(container, pod, at), ...imageSpaceErrors(container, at)];
    if (names.has(name)) errors.push(duplicate(at.child("name"), name));
    names.add(name);
    if (target !== "" && !others.includes(target)) errors.push(notFoundValue(at.child("targetContainerName"), target));
    return [...errors, ...notForEphemeral(container, at)];
  });
}

/** What only the image of a pod, not that of a template, is checked for. */
export function imageSpaceErrors(container: JsonObject, path: FieldPath): readonly FieldError[] {
  const image = stringField(container, "image");
  return image === image.trim() ? [] : [invalidValue(path.child("image"), image, "must not have leading or trailing whitespace")];
}

const messagePolicies = ["File", "FallbackToLogsOnError"];
const pullPolicies = ["Always", "IfNotPresent", "Never"];

function commonErrors(container: JsonObject, pod: PodParts, path: FieldPath): readonly FieldError[] {
  const name = stringField(container, "name");
  const security = optionalObject(container, "securityContext");
  return [
    ...(name === "" ? [required(path.child("name"))] : labelErrors(name, path.child("name"))),
    ...requiredField(container, "image", path),
    ...oneOf(stringField(container, "terminationMessagePolicy"), messagePolicies, path.child("terminationMessagePolicy")),
    ...portErrors(objectsField(container, "ports"), path.child("ports")),
    ...validateEnvironment(container, path),
    ...validateMounts(container, pod.volumes, path.child("volumeMounts")),
    ...validateDevices(container, pod.volumes, path.child("volumeDevices")),
    ...oneOf(stringField(container, "imagePullPolicy"), pullPolicies, path.child("imagePullPolicy")),
    ...validateContainerResources(objectField(container, "resources"), pod.claims, path.child("resources")),
    ...resizePolicyErrors(objectsField(container, "resizePolicy"), pod.restartPolicy, path.child("resizePolicy")),
    ...(security === undefined ? [] : validateSecurityContext(security, path.child("securityContext"), pod)),
  ];
}

/** The protocols a port may have. */
export const portProtocols: readonly string[] = ["SCTP", "TCP", "UDP"];

function portErrors(ports: readonly JsonObject[], path: FieldPath): readonly FieldError[] {
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const at = path.index(index);
    const name = stringField(port, "name");
    const [containerPort, hostPort] = [numberField(port, "containerPort") ?? 0, numberField(port, "hostPort") ?? 0];
    const errors: FieldError[] = [];
    const problems = name === "" ? [] : portNameProblems(name);
    if (problems.length > 0) errors.push(...problems.map((problem) => invalidValue(at.child("name"), name, problem)));
    else if (names.has(name)) errors.push(duplicate(at.child("name"), name));
    else if (name !== "") names.add(name);
    if (containerPort === 0) errors.push(required(at.child("containerPort")));
    else
      errors.push(...portNumberProblems(containerPort).map((problem) => invalidValue(at.child("containerPort"), containerPort, problem)));
    if (hostPort !== 0)
      errors.push(...portNumberProblems(hostPort).map((problem) => invalidValue(at.child("hostPort"), hostPort, problem)));
    return [...errors, ...oneOf(stringField(port, "protocol"), portProtocols, at.child("protocol"))];
  });
}

function resizePolicyErrors(policies: readonly JsonObject[], restartPolicy: string, path: FieldPath): readonly FieldError[] {
  const seen = new Set<string>();
  return policies.flatMap((policy, index) => {
    const [resource, restart] = [stringField(policy, "resourceName"), stringField(policy, "restartPolicy")];
    const errors: FieldError[] = [];
    if (seen.has(resource)) errors.push(duplicate(path.index(index), resource));
    seen.add(resource);
    errors.push(...oneOf(resource, ["cpu", "memory"], path), ...oneOf(restart, ["NotRequired", "RestartContainer"], path));
    if (restartPolicy === "Never" && restart !== "NotRequired") {
      errors.push(invalidValue(path, restart, "must be 'NotRequired' when pod `restartPolicy` is 'Never'"));
    }
    return errors;
  });
}

const restartPolicies = ["Always", "Never", "OnFailure"];
const restartActions = ["Restart", "RestartAllContainers"];
const mostRestartRules = 20;
const mostExitCodes = 255;

function restartErrors(container: JsonObject, path: FieldPath): readonly FieldError[] {
  const rules = objectsField(container, "restartPolicyRules");
  const policy = stringField(container, "restartPolicy");
  const errors: FieldError[] = [];
  if (!has(container, "restartPolicy")) {
    if (rules.length > 0) errors.push(required(path.child("restartPolicy"), "must specify restartPolicy when restart rules are used"));
  } else if (!restartPolicies.includes(policy)) {
    errors.push(notEnumerated(path.child("restartPolicy"), policy, restartPolicies));
  }
  const at = path.child("restartPolicyRules");
  if (rules.length > mostRestartRules) errors.push(tooMany(at, rules.length, mostRestartRules));
  return [...errors, ...rules.flatMap((rule, index) => restartRuleErrors(rule, at.index(index)))];
}

function restartRuleErrors(rule: JsonObject, path: FieldPath): readonly FieldError[] {
  const action = stringField(rule, "action");
  const errors = restartActions.includes(action) ? [] : [notEnumerated(path.child("action"), action, restartActions)];
  const codes = optionalObject(rule, "exitCodes");
  const at = path.child("exitCodes");
  if (codes === undefined) return [...errors, required(at, "must be specified")];
  const operator = stringField(codes, "operator");
  const count = listField(codes, "values").length;
  if (operator !== "In" && operator !== "NotIn") errors.push(notEnumerated(at.child("operator"), operator, ["In", "NotIn"]));
  return count > mostExitCodes ? [...errors, tooMany(at.child("values"), count, mostExitCodes)] : errors;
}

function onlyForSidecars(container: JsonObject, path: FieldPath): readonly FieldError[] {
  const errors = ["lifecycle", ...probeNames]
    .filter((name) => has(container, name))
    .map((name) => forbiddenField(path.child(name), "may not be set for init containers without restartPolicy=Always"));
  objectsField(container, "resizePolicy").forEach((policy, index) => {
    if (stringField(policy, "restartPolicy") !== "RestartContainer") return;
    const at = path.child("resizePolicy").index(index).child("restartPolicy");
    errors.push(invalidValue(at, "RestartContainer", "must not be set to 'RestartContainer' for non-sidecar initContainers"));
  });
  return errors;
}

/** In the order in which Go declares them. */
const forbiddenForEphemeral = ["ports", "resources", "resizePolicy", "restartPolicy", "restartPolicyRules", ...probeNames, "lifecycle"];

function notForEphemeral(container: JsonObject, path: FieldPath): readonly FieldError[] {
  const why = "cannot be set for an Ephemeral Container";
  const isSet = (name: string): boolean => has(container, name) && Object.keys(Object(field(container, name))).length > 0;
  const errors = forbiddenForEphemeral.filter(isSet).map((name) => forbiddenField(path.child(name), why));
  objectsField(container, "volumeMounts").forEach((mount, index) => {
    const at = path.child("volumeMounts").index(index);
    for (const name of ["subPath", "subPathExpr"]) if (stringField(mount, name) !== "") errors.push(forbiddenField(at.child(name), why));
  });
  return errors;
}

function hostPortConflicts(containers: readonly JsonObject[], path: FieldPath): readonly FieldError[] {
  const taken = new Set<string>();
  return containers.flatMap((container, index) =>
    objectsField(container, "ports").flatMap((port, position) => {
      const hostPort = numberField(port, "hostPort") ?? 0;
      if (hostPort === 0) return [];
      const key = `${stringField(port, "protocol")}/${stringField(port, "hostIP")}/${hostPort}`;
      if (!taken.has(key)) {
        taken.add(key);
        return [];
      }
      return [duplicate(path.index(index).child("ports").index(position).child("hostPort"), key)];
    }),
  );
}

/** What is wrong with host ports where the pod is on the network of its node; a template may leave them out. */
export function hostNetworkErrors(spec: JsonObject, path: FieldPath, options: { readonly isPod: boolean }): readonly FieldError[] {
  if (!booleanField(spec, "hostNetwork")) return [];
  return objectsField(spec, "containers").flatMap((container, index) =>
    objectsField(container, "ports").flatMap((port, position) => {
      const [containerPort, hostPort] = [numberField(port, "containerPort") ?? 0, numberField(port, "hostPort") ?? 0];
      if (hostPort === containerPort || (hostPort === 0 && !options.isPod)) return [];
      const at = path.child("containers").index(index).child("ports").index(position).child("hostPort");
      return [invalidValue(at, hostPort, "must match `containerPort` when `hostNetwork` is true")];
    }),
  );
}
