import type { ActionContext, ActionSubresource, StrategyContext } from "@kaji/apiserver";
import { FieldPath, aggregateMessage, badRequest, conflict, notSupported, objectOf, refusal, required } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject, ResourceName } from "@kaji/core";
import { mapPart, withoutFields } from "../field-defaults.ts";
import { numberField, objectField, objectsField, optionalObject, stringField } from "../json-fields.ts";
import { structSchemas } from "../struct-schemas.ts";
import { chargeDisruption } from "./disruption-guard.ts";
import { withPodCondition } from "./pod-condition.ts";

const pods: ResourceName = { group: "", plural: "pods" };

/** `pods/binding`: assigns a pod to a node, once. */
export const bindingAction: ActionSubresource = {
  type: "Action",
  group: "",
  version: "v1",
  kind: "Binding",
  schema: structSchemas.schemaOf({ group: "", version: "v1", kind: "Binding" }),
  run: async ({ namespace, name, dryRun }, binding, context) => {
    if (binding.metadata.name !== name) throw badRequest("name in URL does not match name in Binding object");
    return bindPod(binding, namespace, context, dryRun);
  },
};

/** Does what a Binding says. */
export async function bindPod(
  binding: DynamicObject,
  namespace: string | undefined,
  context: StrategyContext,
  dryRun: boolean,
): Promise<DynamicObject> {
  const errors = bindingErrors(objectField(binding, "target"));
  // The real server answers 500 here, though the client is at fault.
  if (errors.length > 0) throw refusal("", aggregateMessage(errors));
  const { name } = binding.metadata;
  const bind = (pod: DynamicObject): DynamicObject => boundPod(pod, binding, context.nowMs);
  if (!dryRun) await context.objects.revise(pods, namespace, name, bind);
  return success;
}

/** `pods/eviction`: deletes a pod, unless too few of its like would be left. */
export const evictionAction: ActionSubresource = {
  type: "Action",
  group: "policy",
  version: "v1",
  kind: "Eviction",
  olderVersions: ["v1beta1"],
  schema: structSchemas.schemaOf({ group: "policy", version: "v1", kind: "Eviction" }),
  run: async ({ namespace, name, dryRun }, eviction, context) => {
    if (eviction.metadata.name !== name) throw badRequest("name in URL does not match name in Eviction object");
    await evict(name, namespace, optionsOf(eviction, dryRun), context);
    return success;
  },
};

type EvictionOptions = Parameters<ActionContext["deleteObject"]>[3];

async function evict(name: string, namespace: string | undefined, options: EvictionOptions, context: ActionContext): Promise<void> {
  const evicted = { type: "DisruptionTarget", status: "True", reason: "EvictionByEvictionAPI", message: "Eviction API: evicting" } as const;
  const pod = context.objects.get(pods, namespace, name);
  if (pod !== undefined && !isExempt(pod)) await chargeDisruption(pod, context, options.dryRun);
  if (!options.dryRun) {
    await context.objects.revise(pods, namespace, name, (live) => {
      refuseStale(live, options);
      return mapPart(live, "status", (status) => withPodCondition(status, evicted, context.nowMs));
    });
  }
  // The condition above has changed the revision that the client named.
  await context.deleteObject(pods, namespace, name, { ...options, resourceVersion: undefined });
}

/** Whether a pod may go whatever others there are: it has not begun, or has ended, or is about to. */
function isExempt(pod: DynamicObject): boolean {
  const phase = stringField(objectField(pod, "status"), "phase");
  return ["Pending", "Succeeded", "Failed"].includes(phase) || pod.metadata.deletionTimestamp !== undefined;
}

function refuseStale({ metadata }: DynamicObject, { uid, resourceVersion }: EvictionOptions): void {
  const subject = { group: "", plural: "Pod" };
  if (uid !== undefined && uid !== metadata.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`;
    throw conflict(subject, metadata.name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`;
    throw conflict(subject, metadata.name, why);
  }
}

function optionsOf(eviction: DynamicObject, dryRun: boolean): EvictionOptions {
  const given = optionalObject(eviction, "deleteOptions");
  const preconditions = optionalObject(given, "preconditions");
  const textOf = (parent: JsonObject | undefined, name: string): string | undefined => stringField(parent, name) || undefined;
  const propagation = textOf(given, "propagationPolicy");
  return {
    dryRun: dryRun || objectsField(given, "dryRun").length > 0,
    gracePeriodSeconds: numberField(given, "gracePeriodSeconds"),
    propagation: propagation === "Foreground" || propagation === "Background" || propagation === "Orphan" ? propagation : undefined,
    expectsDependentsGone: false,
    uid: textOf(preconditions, "uid"),
    resourceVersion: textOf(preconditions, "resourceVersion"),
  };
}

const success = objectOf({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 });

function bindingErrors(target: JsonObject): readonly FieldError[] {
  const [kind, name] = [stringField(target, "kind"), stringField(target, "name")];
  const path = FieldPath.of("target");
  return [
    ...(kind === "" || kind === "Node" ? [] : [notSupported(path.child("kind"), kind, ["Node", "<empty>"])]),
    ...(name === "" ? [required(path.child("name"))] : []),
  ];
}

function boundPod(pod: DynamicObject, binding: DynamicObject, nowMs: number): DynamicObject {
  const { name } = pod.metadata;
  const why = whyNotBindable(pod);
  if (why !== undefined) throw conflict({ group: "", plural: "pods/binding" }, name, why);
  const { annotations, labels, uid, resourceVersion } = binding.metadata;
  const stale = stalePrecondition(pod, uid, resourceVersion);
  if (stale !== undefined) throw conflict(pods, name, stale);
  const metadata = {
    ...pod.metadata,
    ...(annotations === undefined ? {} : { annotations: { ...pod.metadata.annotations, ...annotations } }),
    ...(labels === undefined ? {} : { labels: { ...pod.metadata.labels, ...labels } }),
  };
  const assigned = mapPart({ ...pod, metadata }, "spec", (spec) => ({
    ...spec,
    nodeName: stringField(objectField(binding, "target"), "name"),
  }));
  return mapPart(assigned, "status", (status) =>
    withPodCondition(withoutFields(status, "nominatedNodeName"), { type: "PodScheduled", status: "True" }, nowMs),
  );
}

function whyNotBindable(pod: DynamicObject): string | undefined {
  const { name, deletionTimestamp } = pod.metadata;
  const spec = objectField(pod, "spec");
  const node = stringField(spec, "nodeName");
  if (deletionTimestamp !== undefined) return `pod ${name} is being deleted, cannot be assigned to a host`;
  if (node !== "") return `pod ${name} is already assigned to node ${JSON.stringify(node)}`;
  return objectsField(spec, "schedulingGates").length === 0 ? undefined : `pod ${name} has non-empty .spec.schedulingGates`;
}

function stalePrecondition(pod: DynamicObject, uid: string | undefined, resourceVersion: string | undefined): string | undefined {
  const key = `/registry/pods/${pod.metadata.namespace}/${pod.metadata.name}`;
  const failed = (what: string, wanted: string, present: string | undefined): string =>
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${present}`;
  if ((uid ?? "") !== "" && uid !== pod.metadata.uid) return failed("UID", uid ?? "", pod.metadata.uid);
  if ((resourceVersion ?? "") === "" || resourceVersion === pod.metadata.resourceVersion) return undefined;
  return failed("ResourceVersion", resourceVersion ?? "", pod.metadata.resourceVersion);
}
