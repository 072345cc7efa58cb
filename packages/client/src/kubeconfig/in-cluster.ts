import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "../http/environment-proxy.ts";
import { KubeconfigError } from "./kubeconfig-error.ts";
import type { LoadedConfig } from "./loaded-config.ts";

/** Where the kubelet puts what a Pod's service account needs. */
export const serviceAccountFolder = "/var/run/secrets/kubernetes.io/serviceaccount";

/** The service account of the Pod we run in; undefined if we run in none. */
export async function inClusterConfig(environment: Environment, folder: string): Promise<LoadedConfig | undefined> {
  const { KUBERNETES_SERVICE_HOST: host = "", KUBERNETES_SERVICE_PORT: port = "" } = environment;
  if (host === "" || port === "") return undefined;
  const [tokenFile, authorityFile] = [join(folder, "token"), join(folder, "ca.crt")];
  for (const file of [tokenFile, authorityFile]) {
    try {
      await access(file);
    } catch (error) {
      throw new KubeconfigError("cannot be read, though this is a Pod: has it a service account, and its token mounted?", {
        file,
        cause: error,
      });
    }
  }
  return {
    connection: {
      server: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
      certificateAuthority: { type: "File", path: authorityFile },
      user: { tokenFile },
    },
    namespace: await namespaceOf(folder),
    context: undefined,
  };
}

async function namespaceOf(folder: string): Promise<string> {
  try {
    return (await readFile(join(folder, "namespace"), "utf8")).trim() || "default";
  } catch {
    // Older kubelets did not write it.
    return "default";
  }
}
