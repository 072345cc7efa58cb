import { join } from "node:path";
import type { Container, Pod } from "@kaji/types/core/v1";
import type { PodFolder } from "./pod-folder.ts";

/** Where containers find who they are. */
const accountPath = "/var/run/secrets/kubernetes.io/serviceaccount";

/**
 * The path of a kubeconfig with which a process is its pod's service account; undefined if the container is not given its token. It is for processes without mounts of their own:
 * programs look for the token itself just where a container has it.
 */
export function podKubeconfig({ metadata }: Pod, { volumeMounts = [] }: Container, folder: PodFolder, server: string): string | undefined {
  const mount = volumeMounts.find(({ mountPath }) => mountPath === accountPath);
  if (mount === undefined) return undefined;
  const volume = folder.volume(mount.name);
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "kaji", cluster: { server, "certificate-authority": join(volume, "ca.crt") } }],
    users: [{ name: "pod", user: { tokenFile: join(volume, "token") } }],
    contexts: [{ name: "kaji", context: { cluster: "kaji", user: "pod", namespace: metadata.namespace } }],
    "current-context": "kaji",
  };
  return folder.write("kubeconfig", JSON.stringify(config));
}
