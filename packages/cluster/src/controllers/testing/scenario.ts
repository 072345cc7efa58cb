import type { DeleteOptions, KubeClient, StrategicPatch } from "@kaji/client";
import { isReason, parseApiVersion, resource } from "@kaji/core";
import type { DynamicObject, JsonObject, Resource } from "@kaji/core";
import { Namespace, Pod } from "@kaji/types/core/v1";

/** One thing that a user does. */
export type ScenarioStep =
  | { readonly do: "create"; readonly object: ScenarioObject }
  | {
      readonly do: "patch";
      readonly kind: ScenarioKind;
      readonly name: string;
      readonly patch: JsonObject;
      readonly subresource?: "status";
    }
  | { readonly do: "delete"; readonly kind: ScenarioKind; readonly name: string; readonly options?: DeleteOptions }
  /** Lets pods run that match the labels, or all; what is going is gone. Without it pods stay as they are. */
  | { readonly do: "run"; readonly labels?: string; readonly ready?: boolean };

/** An object as a user writes it, in the namespace of the scenario; `{uid:KIND/NAME}` in a text stands for an uid. */
export type ScenarioObject = JsonObject & { readonly kind: ScenarioKind };

/** What a user does, and what comes of it in the end. */
export interface Scenario {
  readonly name: string;
  readonly steps: readonly ScenarioStep[];
  /** Why kube-controller-manager does not always make the same of it. */
  readonly race?: string;
}

/** The kinds that scenarios are about. */
export type ScenarioKind =
  | "ConfigMap"
  | "ControllerRevision"
  | "DaemonSet"
  | "Deployment"
  | "PersistentVolumeClaim"
  | "Pod"
  | "ReplicaSet"
  | "ReplicationController"
  | "ResourceQuota"
  | "StatefulSet";

/** The same, as resources. */
export const scenarioKinds: Readonly<Record<ScenarioKind, Resource<DynamicObject>>> = {
  ConfigMap: kind("v1", "ConfigMap", "configmaps"),
  ControllerRevision: kind("apps/v1", "ControllerRevision", "controllerrevisions"),
  DaemonSet: kind("apps/v1", "DaemonSet", "daemonsets"),
  Deployment: kind("apps/v1", "Deployment", "deployments"),
  PersistentVolumeClaim: kind("v1", "PersistentVolumeClaim", "persistentvolumeclaims"),
  Pod: kind("v1", "Pod", "pods"),
  ReplicaSet: kind("apps/v1", "ReplicaSet", "replicasets"),
  ReplicationController: kind("v1", "ReplicationController", "replicationcontrollers"),
  ResourceQuota: kind("v1", "ResourceQuota", "resourcequotas"),
  StatefulSet: kind("apps/v1", "StatefulSet", "statefulsets"),
};

/** Where a scenario is played. */
export interface Stage {
  readonly client: KubeClient;
  /** Resolves when nothing is left to happen. */
  readonly settle: (namespace: string) => Promise<void>;
}

/** Plays a scenario in a namespace of its own, and gives all that is there in the end. */
export async function playScenario({ name, steps }: Scenario, { client, settle }: Stage): Promise<readonly DynamicObject[]> {
  await client.create(Namespace, { metadata: { name } });
  await settle(name);
  for (const step of steps) {
    await take(step, name, client);
    await settle(name);
    if (step.do !== "run") continue;
    while (await runPods(step, name, client)) await settle(name);
  }
  const lists = await Promise.all(Object.values(scenarioKinds).map((each) => client.list(each, { namespace: name })));
  return lists.flatMap(({ items }) => items);
}

async function take(step: ScenarioStep, namespace: string, client: KubeClient): Promise<void> {
  switch (step.do) {
    case "create": {
      const object = (await withUids(step.object, namespace, client)) as DynamicObject;
      await client.create(scenarioKinds[step.object.kind], { ...object, metadata: { ...object.metadata, namespace } });
      return;
    }
    case "patch":
      await client.strategicPatch(scenarioKinds[step.kind], { namespace, name: step.name }, asPatch(step.patch), {
        subresource: step.subresource,
      });
      return;
    case "delete":
      await client.delete(scenarioKinds[step.kind], { namespace, name: step.name }, step.options);
      return;
    case "run":
      return;
    default:
      step satisfies never;
  }
}

async function withUids(object: JsonObject, namespace: string, client: KubeClient): Promise<JsonObject> {
  let text = JSON.stringify(object);
  for (const [whole, kindName = "", name = ""] of text.matchAll(/\{uid:(\w+)\/([\w.-]+)\}/g)) {
    const { metadata } = await client.get(scenarioKinds[kindName as ScenarioKind], { namespace, name });
    text = text.replace(whole, metadata.uid ?? "");
  }
  return JSON.parse(text);
}

/** Does what a kubelet would with each pod that is bound to a node; tells whether there was anything to do. */
async function runPods(
  { labels, ready = true }: ScenarioStep & { readonly do: "run" },
  namespace: string,
  client: KubeClient,
): Promise<boolean> {
  const { items } = await client.list(Pod, { namespace, ...(labels === undefined ? {} : { labelSelector: labels }) });
  let isBusy = false;
  for (const { metadata, spec, status } of items) {
    const address = { namespace, name: metadata.name };
    try {
      if (metadata.deletionTimestamp !== undefined) {
        await client.delete(Pod, address, { gracePeriodSeconds: 0 });
        isBusy = true;
      } else if (spec?.nodeName !== undefined && status?.phase !== "Running") {
        await client.strategicPatch(Pod, address, asPatch({ status: runningStatus(ready) }), { subresource: "status" });
        isBusy = true;
      }
    } catch (error) {
      if (!isReason(error, "NotFound", "Conflict")) throw error;
    }
  }
  return isBusy;
}

/** Scenarios are data; the server judges their patches. */
function asPatch<T>(patch: JsonObject): StrategicPatch<T> {
  return patch as StrategicPatch<T>;
}

function runningStatus(ready: boolean): JsonObject {
  const status = ready ? "True" : "False";
  return { phase: "Running", conditions: [{ type: "Ready", status, lastTransitionTime: "2026-01-01T00:00:00Z" }] };
}

function kind(apiVersion: string, name: string, plural: string): Resource<DynamicObject> {
  return resource<DynamicObject>({ ...parseApiVersion(apiVersion), kind: name, plural, scope: "Namespaced" });
}
