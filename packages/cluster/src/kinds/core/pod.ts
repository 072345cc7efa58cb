import type { RowCondition, Strategy } from "@kaji/apiserver";
import { FieldPath, dns1123LabelErrors, forbiddenField, structuralEqual } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { withField, withoutFields } from "../field-defaults.ts";
import { booleanField, field, numberField, objectField, objectsField, stringField } from "../json-fields.ts";
import type { KindDetails } from "../kind-details.ts";
import { subdomainName } from "../metadata-validation.ts";
import { keepMetadata } from "../keep-metadata.ts";
import { bindingAction, evictionAction } from "./pod-actions.ts";
import type { NodeAccess } from "./node-access.ts";
import { mirrorAnnotation } from "./pod-annotation-validation.ts";
import { podColumns } from "./pod-columns.ts";
import { defaultPod } from "./pod-defaults.ts";
import { podAttach, podExec } from "./pod-exec.ts";
import { podPortForward } from "./pod-port-forward.ts";
import { podProxy } from "./pod-proxy.ts";
import { podLogText } from "./pod-log-text.ts";
import { keepObservedGenerations, prepareNewPod, withoutDisabledFields } from "./pod-preparation.ts";
import { resizeStrategy } from "./pod-resize.ts";
import { validatePodStatusUpdate } from "./pod-status-validation.ts";
import { podStatusWarnings, podWarnings } from "./pod-warnings.ts";
import { usageWarnings } from "./usage-annotation.ts";
import { ephemeralContainerDiff } from "./spec-diff.ts";
import { annotationUpdateErrors, validateChangedPod, validatePod, validatePodUpdate } from "./pod-validation.ts";

/** Pods, with what is to be had of them where they run if there is a way there. */
export function podDetails(nodes?: NodeAccess): KindDetails {
  return {
    strategy: podStrategy,
    status: statusStrategy,
    columns: podColumns,
    rowConditions: completion,
    selectableFields: {
      "spec.nodeName": (pod) => stringField(objectField(pod, "spec"), "nodeName"),
      "spec.restartPolicy": (pod) => stringField(objectField(pod, "spec"), "restartPolicy"),
      "spec.schedulerName": (pod) => stringField(objectField(pod, "spec"), "schedulerName"),
      "spec.serviceAccountName": (pod) => stringField(objectField(pod, "spec"), "serviceAccountName"),
      "spec.hostNetwork": (pod) => String(booleanField(objectField(pod, "spec"), "hostNetwork")),
      "status.phase": (pod) => stringField(objectField(pod, "status"), "phase"),
      "status.podIP": (pod) => stringField(objectField(pod, "status"), "podIP"),
      "status.podIPs": (pod) => stringField(objectField(pod, "status"), "podIP"),
      "status.nominatedNodeName": (pod) => stringField(objectField(pod, "status"), "nominatedNodeName"),
    },
    subresources: {
      binding: bindingAction,
      ephemeralcontainers: { type: "Update", strategy: ephemeralContainersStrategy, verbs: ["get", "patch", "update"] },
      eviction: evictionAction,
      attach: podAttach(nodes),
      exec: podExec(nodes),
      log: podLogText(nodes?.readLog),
      portforward: podPortForward(nodes),
      proxy: podProxy(nodes),
      resize: { type: "Update", strategy: resizeStrategy, verbs: ["get", "patch", "update"] },
    },
  };
}

const completionMessages = new Map([
  ["Succeeded", "The pod has completed successfully."],
  ["Failed", "The pod failed."],
]);

/** Marks rows of pods that have ended. */
function completion(pod: DynamicObject): readonly RowCondition[] {
  const reason = stringField(objectField(pod, "status"), "phase");
  const message = completionMessages.get(reason);
  return message === undefined ? [] : [{ type: "Completed", status: "True", reason, message }];
}

const podStrategy: Partial<Strategy> = {
  generationOf: "spec",
  validateName: subdomainName,
  default: defaultPod,
  prepareCreate: prepareNewPod,
  prepareUpdate: (pod) => ({ ...pod, spec: withoutDisabledFields(objectField(pod, "spec")) }),
  validateCreate: validatePod,
  validateUpdate: validatePodUpdate,
  warnings: (pod, old) =>
    old === undefined ? [...nameWarnings(pod.metadata.name), ...podWarnings(pod, FieldPath.root)] : usageWarnings(pod, FieldPath.root, old),
  gracePeriod: (pod, requestedSeconds) => {
    const [spec, status] = [objectField(pod, "spec"), objectField(pod, "status")];
    const isOver = ["Failed", "Succeeded"].includes(stringField(status, "phase"));
    if (stringField(spec, "nodeName") === "" || isOver) return 0;
    return requestedSeconds ?? numberField(spec, "terminationGracePeriodSeconds") ?? 0;
  },
};

function nameWarnings(name: string): readonly string[] {
  const problems = dns1123LabelErrors(name);
  if (problems.length === 0) return [];
  const warning = "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended";
  return [`${warning}: [${problems.join(" ")}]`];
}

const statusStrategy: Partial<Strategy> = {
  resetFields: [["spec"], ["metadata", "deletionTimestamp"], ["metadata", "ownerReferences"]],
  prepareUpdate: (pod, old) => {
    const { ownerReferences: _owners, ...metadata } = pod.metadata;
    const { ownerReferences } = old.metadata;
    const [status, oldStatus] = [objectField(pod, "status"), objectField(old, "status")];
    const qosClass = stringField(status, "qosClass") || stringField(oldStatus, "qosClass");
    return {
      ...pod,
      metadata: { ...metadata, ...(ownerReferences === undefined ? {} : { ownerReferences }) },
      status: keepObservedGenerations(qosClass === "" ? status : withField(status, "qosClass", qosClass), oldStatus),
    };
  },
  validateUpdate: validatePodStatusUpdate,
  warnings: (pod) => podStatusWarnings(objectField(pod, "status")),
};

/** Adds containers for a look into a running pod, and changes nothing else. */
const ephemeralContainersStrategy: Strategy = {
  generationOf: "spec",
  resetFields: [["status"]],
  prepareUpdate: (pod, old) => ({
    ...keepMetadata(pod, old),
    spec: withEphemeral(objectField(old, "spec"), objectField(pod, "spec")),
    status: old["status"],
  }),
  validateUpdate: (pod, old) => {
    if (Object.hasOwn(old.metadata.annotations ?? {}, mirrorAnnotation)) {
      return [forbiddenField(FieldPath.root, "static pods do not support ephemeral containers")];
    }
    return [...validateChangedPod(pod, old), ...annotationUpdateErrors(pod, old), ...changedEphemeral(pod, old)];
  },
};

function withEphemeral(spec: JsonObject, given: JsonObject): JsonObject {
  const containers = field(given, "ephemeralContainers");
  const rest = withoutFields(spec, "ephemeralContainers");
  return containers === undefined ? rest : { ...rest, ephemeralContainers: containers };
}

function changedEphemeral(pod: DynamicObject, old: DynamicObject): readonly FieldError[] {
  const path = FieldPath.of("spec", "ephemeralContainers");
  const containers = objectsField(objectField(pod, "spec"), "ephemeralContainers");
  return objectsField(objectField(old, "spec"), "ephemeralContainers").flatMap((before) => {
    const name = stringField(before, "name");
    const now = containers.find((container) => stringField(container, "name") === name);
    const shown = JSON.stringify(name);
    if (now === undefined) return [forbiddenField(path, `existing ephemeral containers ${shown} may not be removed\n`)];
    if (structuralEqual(now, before)) return [];
    return [forbiddenField(path, `existing ephemeral containers ${shown} may not be changed\n${ephemeralContainerDiff(before, now)}`)];
  });
}
