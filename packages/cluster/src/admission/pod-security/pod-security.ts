import type { AdmissionPlugin, AdmissionRequest } from "@kaji/apiserver";
import { aggregateMessage, invalid, refusal, structuralEqual } from "@kaji/core";
import type { ApiError, DynamicObject } from "@kaji/core";
import { quote } from "@kaji/core/go";
import { refusedObject } from "../refused-object.ts";
import type { StoredObjects } from "../stored-objects.ts";
import { checkedPod } from "./checked-pod.ts";
import type { CheckedPod } from "./checked-pod.ts";
import { existingPodWarnings } from "./existing-pods.ts";
import { podTemplateOf, templateResources } from "./pod-templates.ts";
import { isOpen, labelPrefix, mayAskMore, policyOf, standardName } from "./policy.ts";
import type { NamespacePolicy, Standard } from "./policy.ts";
import { isSignificantUpdate } from "./significant-update.ts";
import { violationDetails, violations } from "./violations.ts";

/** Ways to pods that leave what runs in them as it is. */
const harmlessSubresources: ReadonlySet<string> = new Set(["binding", "eviction", "status"]);

/** Holds pods to the standard that their namespace enforces, and says, to their authors and to audits, what does not meet those for that. */
export function podSecurity(objects: StoredObjects): AdmissionPlugin {
  return {
    name: "PodSecurity",
    resources: ["/namespaces", "/pods", ...templateResources],
    validate: (request) => {
      const { object, target } = request;
      if (object === undefined) return;
      const { kind, subresource = "" } = target;
      if (kind.plural === "pods") {
        if (!harmlessSubresources.has(subresource)) validatePod(objects, request, object);
      } else if (subresource === "") {
        if (kind.plural === "namespaces") validateNamespace(objects, request, object);
        else warnOfTemplate(objects, request, object);
      }
    },
  };
}

/** Labels must be understood, unless they are as bad as they were; what is enforced from now on is compared with the pods that are there. */
function validateNamespace(objects: StoredObjects, { target, oldObject, context }: AdmissionRequest, object: DynamicObject): void {
  const { name, labels } = object.metadata;
  const { policy, errors } = policyOf(labels);
  const before = oldObject === undefined ? undefined : policyOf(oldObject.metadata.labels);
  if (errors.length > 0 && !structuralEqual(errors, before?.errors)) throw invalid(target.kind, name, errors);
  if (before === undefined || !mayAskMore(policy.enforce, before.policy.enforce)) return;
  for (const warning of existingPodWarnings(name, objects.list(`/registry/pods/${name}/`), policy.enforce)) context.warn(warning);
}

function validatePod(objects: StoredObjects, request: AdmissionRequest, object: DynamicObject): void {
  const { namespace = "" } = request.target;
  const found = policyIn(objects, namespace);
  if (found === undefined) throw namespaceGone(namespace);
  const { enforce } = found.policy;
  if (isOpen(found.policy)) return note(request, "enforce-policy", "privileged:latest");
  if (request.oldObject !== undefined && !isSignificantUpdate(object, request.oldObject)) return;
  const pod = checkedPod(object);
  note(request, "enforce-policy", standardName(enforce));
  audit(request, pod, found);
  const why = complaint(pod, enforce);
  if (why !== undefined) throw refusedObject(request, `violates ${why}`);
  warn(request, pod, found);
}

/** Nothing is enforced on templates: the pods that are made from them will be refused. */
function warnOfTemplate(objects: StoredObjects, request: AdmissionRequest, object: DynamicObject): void {
  const { kind, namespace = "" } = request.target;
  const found = policyIn(objects, namespace);
  if (found === undefined || isOpen(found.policy)) return;
  const template = podTemplateOf(`${kind.group}/${kind.plural}`, object);
  if (template === undefined) return;
  const pod = checkedPod(template);
  audit(request, pod, found);
  warn(request, pod, found);
}

/** Nobody knows any more what may be in it. */
function namespaceGone(namespace: string): ApiError {
  const message = `failed to lookup namespace ${quote(namespace)}`;
  return refusal("InternalError", `Internal error occurred: ${message}`, { causes: [{ message }] });
}

function policyIn(objects: StoredObjects, namespace: string): NamespacePolicy | undefined {
  const found = objects.get(`/registry/namespaces/${namespace}`);
  return found === undefined ? undefined : policyOf(found.metadata.labels);
}

function audit(request: AdmissionRequest, pod: CheckedPod, { policy, errors }: NamespacePolicy): void {
  if (errors.length > 0) note(request, "error", `Failed to parse policy: ${aggregateMessage(errors)}`);
  const why = complaint(pod, policy.audit);
  if (why !== undefined) note(request, "audit-violations", `would violate ${why}`);
}

function warn({ context }: AdmissionRequest, pod: CheckedPod, { policy }: NamespacePolicy): void {
  const why = complaint(pod, policy.warn);
  if (why !== undefined) context.warn(`would violate ${why}`);
}

function complaint(pod: CheckedPod, standard: Standard): string | undefined {
  const found = violations(pod, standard);
  return found.length === 0 ? undefined : `PodSecurity ${quote(standardName(standard))}: ${violationDetails(found)}`;
}

function note({ context }: AdmissionRequest, key: string, value: string): void {
  context.annotate?.(labelPrefix + key, value);
}
