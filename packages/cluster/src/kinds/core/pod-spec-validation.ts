import { duplicate, forbiddenField, invalidValue, notFoundValue, required, tooLong, validateAnnotations, validateLabels } from "@kaji/core";
import type { FieldError, FieldPath, JsonObject } from "@kaji/core";
import { labelErrors, oneOf, qualifiedErrors, subdomainErrors } from "../field-rules.ts";
import { ipErrors } from "../ip-address.ts";
import {
  booleanField,
  field,
  has,
  numberField,
  objectField,
  objectsField,
  optionalObject,
  stringField,
  stringMapField,
  stringsField,
} from "../json-fields.ts";
import { largestInt32, rangeProblems } from "../scalar-rules.ts";
import { validateAffinity } from "./affinity-validation.ts";
import { hostNetworkErrors, validateContainers, validateEphemeralContainers, validateInitContainers } from "./container-validation.ts";
import type { PodParts } from "./container-validation.ts";
import { validateHostProcesses, validateOs } from "./os-validation.ts";
import { podAnnotationErrors } from "./pod-annotation-validation.ts";
import { containersOf } from "./pod-containers.ts";
import { validatePodNetwork } from "./pod-network-validation.ts";
import { validateProfileAgreement } from "./profile-agreement.ts";
import { validateContainerResources, validatePodResources } from "./resources-validation.ts";
import { validateSpread, validateTolerations } from "./scheduling-validation.ts";
import { validatePodSecurityContext } from "./security-context-validation.ts";
import { validateVolumes } from "./volume-validation.ts";
import type { VolumeOwner } from "./volume-validation.ts";

/** What is wrong with a template: the metadata its pods get, and their `spec`. */
export function validatePodTemplateSpec(template: JsonObject, path: FieldPath): readonly FieldError[] {
  const metadata = objectField(template, "metadata");
  const spec = objectField(template, "spec");
  const annotations = stringMapField(metadata, "annotations");
  return [
    // The server leaves `metadata` out of these paths.
    ...validateLabels(stringMapField(metadata, "labels"), path.child("labels")),
    ...validateAnnotations(annotations, path.child("annotations")),
    ...podAnnotationErrors(annotations, spec, path.child("annotations")),
    ...validatePodSpec(spec, { isPod: false, name: "" }, path.child("spec")),
    ...validateProfileAgreement(annotations, spec, path.child("spec")),
    ...podTemplateOnlyErrors(spec, path.child("spec")),
  ];
}

/** What is wrong with the `spec` of a pod or of a template. */
export function validatePodSpec(spec: JsonObject, owner: VolumeOwner, path: FieldPath): readonly FieldError[] {
  const { volumes, errors: volumeErrors } = validateVolumes(objectsField(spec, "volumes"), owner, path.child("volumes"));
  const claims = objectsField(spec, "resourceClaims");
  const graceSeconds = numberField(spec, "terminationGracePeriodSeconds");
  const pod: PodParts = {
    volumes,
    claims: claims.map((claim) => stringField(claim, "name")).filter((name) => name !== ""),
    restartPolicy: stringField(spec, "restartPolicy"),
    hostUsers: field(spec, "hostUsers") !== false,
    graceSeconds,
  };
  return [
    ...(graceSeconds === undefined ? [required(path.child("terminationGracePeriodSeconds"))] : []),
    ...volumeErrors,
    ...claimErrors(claims, path.child("resourceClaims")),
    ...validateContainers(objectsField(spec, "containers"), pod, path.child("containers")),
    ...validateInitContainers(spec, pod, path.child("initContainers")),
    ...validateEphemeralContainers(spec, pod, path.child("ephemeralContainers")),
    ...validatePodResources(spec, pod.claims, path),
    ...hostNetworkErrors(spec, path, owner),
    ...oneOf(pod.restartPolicy, ["Always", "OnFailure", "Never"], path.child("restartPolicy")),
    ...oneOf(stringField(spec, "dnsPolicy"), ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"], path.child("dnsPolicy")),
    ...validateLabels(stringMapField(spec, "nodeSelector"), path.child("nodeSelector")),
    ...validatePodSecurityContext(spec, path.child("securityContext")),
    ...validateAffinity(objectField(spec, "affinity"), path.child("affinity")),
    ...validatePodNetwork(spec, path),
    ...gateErrors(spec, path),
    ...validateSpread(objectsField(spec, "topologySpreadConstraints"), path.child("topologySpreadConstraints")),
    ...validateHostProcesses(spec, path),
    ...hostUserErrors(spec, path),
    ...hostNameErrors(spec, path),
    ...nameErrors(spec, path),
    ...validateTolerations(objectsField(spec, "tolerations"), path.child("tolerations")),
    ...hostAliasErrors(objectsField(spec, "hostAliases"), path.child("hostAliases")),
    ...classErrors(spec, path),
    ...overheadErrors(spec, path.child("overhead")),
    ...validateOs(spec, path),
    ...fileKeyErrors(spec, path),
  ];
}

function podTemplateOnlyErrors(spec: JsonObject, path: FieldPath): readonly FieldError[] {
  const isEmpty = objectsField(spec, "ephemeralContainers").length === 0;
  return isEmpty ? [] : [forbiddenField(path.child("ephemeralContainers"), "ephemeral containers not allowed in pod template")];
}

function claimErrors(claims: readonly JsonObject[], path: FieldPath): readonly FieldError[] {
  const seen = new Set<string>();
  return claims.flatMap((claim, index) => {
    const at = path.index(index);
    const name = stringField(claim, "name");
    const errors: FieldError[] = [];
    if (name === "") errors.push(required(at.child("name")));
    else if (seen.has(name)) errors.push(duplicate(at.child("name"), name));
    else errors.push(...labelErrors(name, at.child("name")));
    seen.add(name);
    const [byName, byTemplate] = [has(claim, "resourceClaimName"), has(claim, "resourceClaimTemplateName")];
    const shown = {
      Name: name,
      ResourceClaimName: field(claim, "resourceClaimName") ?? null,
      ResourceClaimTemplateName: field(claim, "resourceClaimTemplateName") ?? null,
    };
    if (byName && byTemplate)
      errors.push(invalidValue(at, shown, "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified"));
    if (!byName && !byTemplate)
      errors.push(invalidValue(at, shown, "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"));
    for (const which of ["resourceClaimName", "resourceClaimTemplateName"]) {
      if (has(claim, which)) errors.push(...subdomainErrors(stringField(claim, which), at.child(which)));
    }
    return errors;
  });
}

function gateErrors(spec: JsonObject, path: FieldPath): readonly FieldError[] {
  const readiness = path.child("readinessGates");
  const scheduling = path.child("schedulingGates");
  const seen = new Set<string>();
  return [
    ...objectsField(spec, "readinessGates").flatMap((gate, index) =>
      qualifiedErrors(stringField(gate, "conditionType"), readiness.index(index).child("conditionType")),
    ),
    ...objectsField(spec, "schedulingGates").flatMap((gate, index) => {
      const name = stringField(gate, "name");
      const errors = [...qualifiedErrors(name, scheduling.index(index))];
      if (seen.has(name)) errors.push(duplicate(scheduling.index(index), name));
      seen.add(name);
      return errors;
    }),
  ];
}

/** A pod with users of its own may not share other namespaces with its node. */
function hostUserErrors(spec: JsonObject, path: FieldPath): readonly FieldError[] {
  if (field(spec, "hostUsers") !== false) return [];
  const why = "when `hostUsers` is false";
  const shared = [
    ["hostNetwork", "hostNetwork"],
    ["hostPID", "HostPID"],
    ["hostIPC", "HostIPC"],
  ].flatMap(([name = "", shown = ""]) => (booleanField(spec, name) ? [forbiddenField(path.child(shown), why)] : []));
  const devices = containersOf(spec, path).flatMap(({ container, at }) =>
    objectsField(container, "volumeDevices").length > 0 ? [forbiddenField(at.child("volumeDevices"), why)] : [],
  );
  return [...shared, ...devices];
}

const longestHostName = 64;

function hostNameErrors(spec: JsonObject, path: FieldPath): readonly FieldError[] {
  if (!has(spec, "hostnameOverride")) return [];
  const at = path.child("hostnameOverride");
  const name = stringField(spec, "hostnameOverride");
  return [
    ...(booleanField(spec, "setHostnameAsFQDN") ? [forbiddenField(at, "may not be specified when setHostnameAsFQDN is true")] : []),
    ...(booleanField(spec, "hostNetwork") ? [forbiddenField(at, "may not be specified when hostNetwork is true")] : []),
    ...(name.length > longestHostName ? [tooLong(at, longestHostName)] : []),
    ...subdomainErrors(name, at),
  ];
}

function nameErrors(spec: JsonObject, path: FieldPath): readonly FieldError[] {
  const checked = (name: string, rule: typeof subdomainErrors): readonly FieldError[] => {
    const value = stringField(spec, name);
    return value === "" ? [] : rule(value, path.child(name));
  };
  const deadline = numberField(spec, "activeDeadlineSeconds");
  const deadlineProblems = deadline === undefined ? [] : rangeProblems(deadline, 1, largestInt32);
  return [
    ...checked("serviceAccountName", subdomainErrors),
    ...checked("nodeName", subdomainErrors),
    ...deadlineProblems.map((problem) => invalidValue(path.child("activeDeadlineSeconds"), deadline, problem)),
    ...checked("hostname", labelErrors),
    ...checked("subdomain", labelErrors),
  ];
}

function hostAliasErrors(aliases: readonly JsonObject[], path: FieldPath): readonly FieldError[] {
  return aliases.flatMap((alias, index) => [
    ...ipErrors(path.index(index).child("ip"), stringField(alias, "ip")),
    ...stringsField(alias, "hostnames").flatMap((name, position) =>
      subdomainErrors(name, path.index(index).child("hostnames").index(position)),
    ),
  ]);
}

function classErrors(spec: JsonObject, path: FieldPath): readonly FieldError[] {
  const priorityClass = stringField(spec, "priorityClassName");
  return [
    ...(priorityClass === "" ? [] : subdomainErrors(priorityClass, path.child("priorityClassName"))),
    ...(has(spec, "runtimeClassName") ? subdomainErrors(stringField(spec, "runtimeClassName"), path.child("runtimeClassName")) : []),
    ...(has(spec, "preemptionPolicy")
      ? oneOf(stringField(spec, "preemptionPolicy"), ["PreemptLowerPriority", "Never"], path.child("preemptionPolicy"))
      : []),
  ];
}

function overheadErrors(spec: JsonObject, path: FieldPath): readonly FieldError[] {
  const overhead = optionalObject(spec, "overhead");
  return overhead === undefined ? [] : validateContainerResources({ limits: overhead }, [], path);
}

/** Variables that come from a file need it in an empty directory. */
function fileKeyErrors(spec: JsonObject, path: FieldPath): readonly FieldError[] {
  const volumes = new Map(objectsField(spec, "volumes").map((volume) => [stringField(volume, "name"), volume]));
  return containersOf(spec, path).flatMap(({ container, at }) =>
    objectsField(container, "env").flatMap((variable, index) => {
      const reference = optionalObject(optionalObject(variable, "valueFrom"), "fileKeyRef");
      if (reference === undefined) return [];
      const name = stringField(reference, "volumeName");
      const volume = volumes.get(name);
      const where = at.child("env").index(index).child("valueFrom", "fileKeyRef", "volumeName");
      if (volume === undefined) return [notFoundValue(where, name)];
      return has(volume, "emptyDir") ? [] : [invalidValue(where, name, "referenced volume must be of type emptyDir")];
    }),
  );
}
