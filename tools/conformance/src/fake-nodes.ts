import type { Transport } from "@kaji/core";

/** Makes nodes that are ready and run nothing: the suite does not begin without any. */
export async function createFakeNodes(transport: Transport, count: number): Promise<void> {
  for (let index = 1; index <= count; index++) {
    const name = `node-${index}`;
    await post(transport, "/api/v1/nodes", {
      metadata: { name, labels: { "kubernetes.io/hostname": name, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64" } },
    });
    await put(transport, `/api/v1/nodes/${name}/status`, nodeStatus(index));
  }
}

function nodeStatus(index: number): Readonly<Record<string, unknown>> {
  const resources = { cpu: "32", memory: "64Gi", pods: "500", "ephemeral-storage": "100Gi" };
  return {
    status: {
      capacity: resources,
      allocatable: resources,
      addresses: [{ type: "InternalIP", address: `192.0.2.${index}` }],
      conditions: [{ type: "Ready", status: "True", reason: "KubeletReady", message: "pretends to be ready" }],
    },
  };
}

function post(transport: Transport, path: string, body: unknown): Promise<void> {
  return send(transport, "POST", path, body, "application/json");
}

function put(transport: Transport, path: string, body: unknown): Promise<void> {
  return send(transport, "PATCH", path, body, "application/merge-patch+json");
}

async function send(transport: Transport, method: "POST" | "PATCH", path: string, body: unknown, type: string): Promise<void> {
  const headers = { "content-type": type, "user-agent": "conformance" };
  const response = await transport({ method, path, headers, body: new TextEncoder().encode(JSON.stringify(body)) });
  if (response.status >= 400) throw new Error(`${method} ${path} was refused with ${response.status}`);
}
