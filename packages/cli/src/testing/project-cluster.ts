import { join } from "node:path";
import { createClient } from "@kaji/client";
import type { KubeClient } from "@kaji/client";
import { startControlPlane } from "@kaji/cluster";
import type { ControlPlane, ControlPlaneOptions } from "@kaji/cluster";
import { barProject } from "./test-project.ts";
import type { TestProject } from "./test-project.ts";

/** A cluster for a project, which keeps its keys in the project's folder and goes with the process. */
export function clusterFor(
  { folder }: Pick<TestProject, "folder">,
  options: Omit<ControlPlaneOptions, "folder" | "storage"> = {},
): Promise<ControlPlane> {
  return startControlPlane({ ...options, folder: join(folder, "cluster"), storage: "memory" });
}

/** The project of the operator `bars`, a cluster to deploy it onto, and a client of that. */
export interface BarCluster extends AsyncDisposable {
  readonly project: TestProject;
  readonly cluster: ControlPlane;
  readonly client: KubeClient;
}

/** Makes them, for the tests of a file to share. */
export async function barCluster(): Promise<BarCluster> {
  await using stack = new AsyncDisposableStack();
  const project = stack.use(barProject());
  const cluster = stack.use(await clusterFor(project));
  const client = stack.use(await createClient({ kubeconfig: cluster.kubeconfig, fieldManager: "test" }));
  const all = stack.move();
  return { project, cluster, client, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
