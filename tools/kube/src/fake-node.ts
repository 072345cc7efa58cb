import type { Clock, JsonObject } from "@kaji/core";
import { callApi } from "./api-access.ts";
import type { ApiAccess } from "./api-access.ts";

/** The name of the one Node of a cluster with controllers. */
export const fakeNodeName = "kaji-node";

const leasePath = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
/** A kubelet's rhythm; the controller-manager gives a node up after 50 s. */
const renewMs = 10_000;
const retryMs = 100;

/**
 * Registers a Node that runs nothing, and renews its Lease until the signal is aborted, so that the controller-manager holds it for
 * Ready. Failures, such as a namespace that does not exist yet, are tried again.
 */
export async function keepNodeReady(access: ApiAccess, kubeletVersion: string, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const renewed = await heartbeat(access, kubeletVersion, clock).catch(() => false);
    await clock.sleep(renewed ? renewMs : retryMs, signal).catch(() => {
      // Only the end of the signal cuts the sleep short, and it ends the loop too.
    });
  }
}

/** Why the control plane would not yet run a Pod on the node; undefined when it would. */
export async function whyNotSchedulable(access: ApiAccess): Promise<string | undefined> {
  const account = await callApi(access, { method: "GET", path: "/api/v1/namespaces/default/serviceaccounts/default" });
  if (account.status !== 200) return "the controller-manager has not made the service account default";
  const nodes = await callApi(access, { method: "GET", path: `/api/v1/nodes/${fakeNodeName}` });
  if (nodes.status !== 200) return `node ${fakeNodeName} is not registered`;
  return nodes.body.includes('"node.kubernetes.io/not-ready"') ? `node ${fakeNodeName} is not ready` : undefined;
}

async function heartbeat(access: ApiAccess, kubeletVersion: string, clock: Clock): Promise<boolean> {
  const spec = { holderIdentity: fakeNodeName, leaseDurationSeconds: 40, renewTime: microTime(clock.now()) };
  const renewal = await callApi(access, { method: "PATCH", path: `${leasePath}/${fakeNodeName}`, body: { spec } });
  if (renewal.status !== 404) return renewal.status === 200;

  await callApi(access, { method: "POST", path: "/api/v1/nodes", body: node });
  const status = nodeStatus(kubeletVersion, new Date(clock.now()).toISOString());
  await callApi(access, { method: "PATCH", path: `/api/v1/nodes/${fakeNodeName}/status`, body: { status } });
  const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: fakeNodeName }, spec };
  return (await callApi(access, { method: "POST", path: leasePath, body: lease })).status === 201;
}

const node: JsonObject = {
  apiVersion: "v1",
  kind: "Node",
  metadata: {
    name: fakeNodeName,
    labels: { "kubernetes.io/hostname": fakeNodeName, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64" },
  },
};

/** It runs nothing, so that it has room for all: on a node that is full the pods of a test would wait for those of others. */
function nodeStatus(kubeletVersion: string, at: string): JsonObject {
  const resources = { cpu: "1k", memory: "1Ti", "ephemeral-storage": "10Ti", pods: "10k" };
  const ready = { type: "Ready", status: "True", reason: "KubeletReady", message: "the node runs nothing and is always ready" };
  return {
    capacity: resources,
    allocatable: resources,
    addresses: [
      { type: "InternalIP", address: "192.0.2.2" },
      { type: "Hostname", address: fakeNodeName },
    ],
    conditions: [{ ...ready, lastHeartbeatTime: at, lastTransitionTime: at }],
    nodeInfo: {
      architecture: "amd64",
      operatingSystem: "linux",
      kubeletVersion,
      kubeProxyVersion: "",
      machineID: "",
      systemUUID: "",
      bootID: "",
      kernelVersion: "",
      osImage: "",
      containerRuntimeVersion: "",
    },
  };
}

/** Kubernetes' MicroTime: exactly six digits of a second. */
function microTime(ms: number): string {
  return new Date(ms).toISOString().replace("Z", "000Z");
}
