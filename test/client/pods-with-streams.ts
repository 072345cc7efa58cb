import assert from "node:assert/strict";
import { join } from "node:path";
import { createClient } from "@kaji/client";
import type { KubeClient } from "@kaji/client";
import { imagePrograms, startControlPlane } from "@kaji/cluster";
import type { ControlPlane } from "@kaji/cluster";
import { systemRandom } from "@kaji/core";
import { Pod } from "@kaji/types/core/v1";
import type { PodSpec } from "@kaji/types/core/v1";
import { freePorts } from "@kaji-tools/kube";

/** A control plane whose Pods run as processes, those that are reached by their streams and ports. */
export interface PlaneWithPods extends AsyncDisposable {
  readonly plane: ControlPlane;
  /** Its admin, by a certificate. */
  readonly client: KubeClient;
  readonly port: number;
  readonly otherPort: number;
  readonly specs: Readonly<Record<string, PodSpec>>;
}

/** Starts it, and waits until its Pods run. */
export async function startPlaneWithPods(folder: string): Promise<PlaneWithPods> {
  // The pods of another control plane on this machine may have the same addresses.
  const [port = assert.fail(), otherPort = assert.fail()] = await freePorts(2, systemRandom);
  const echo = `require("node:http").createServer((request, response) => request.pipe(response)).listen(${port}, process.env.KAJI_LISTEN_HOST)`;
  const programs = imagePrograms({ "example.com/web": [process.execPath, "-e", echo], busybox: ["sh"] });
  const specs = podSpecs(port);
  await using begun = new AsyncDisposableStack();
  const plane = begun.use(await startControlPlane({ folder: join(folder, "plane"), storage: "memory", programs }));
  const client = begun.use(await createClient({ kubeconfig: plane.kubeconfig }));
  for (const [name, spec] of Object.entries(specs)) await client.create(Pod, { metadata: { name, namespace: "default" }, spec });
  for (const name of Object.keys(specs)) {
    await client.waitFor(Pod, `default/${name}`, ({ status }) => status?.conditions?.some(isReady) === true, { timeout: "2m" });
  }
  const parts = begun.move();
  return { plane, client, port, otherPort, specs, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

function isReady({ type, status }: { readonly type: string; readonly status: string }): boolean {
  return type === "Ready" && status === "True";
}

function podSpecs(port: number): Readonly<Record<string, PodSpec>> {
  const env = [{ name: "COLOR", value: "red" }];
  const web = { name: "web", image: "example.com/web", env, readinessProbe: { httpGet: { port } } };
  const cat = { name: "cat", image: "busybox", command: ["sh", "-c", "cat; echo end >&2"], stdin: true, stdinOnce: true };
  const common = { terminationGracePeriodSeconds: 0, restartPolicy: "Never" } as const;
  return { web: { ...common, containers: [web] }, cat: { ...common, containers: [cat] } };
}
