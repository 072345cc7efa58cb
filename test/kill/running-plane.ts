import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createClient } from "@kaji/client";
import type { KubeClient } from "@kaji/client";

/** A `kaji up` in a process of its own, and a client of it. Disposing of it kills it. */
export interface RunningPlane extends AsyncDisposable {
  readonly client: KubeClient;
  /** Ends it without a word of warning, and resolves when it is gone. */
  kill(): Promise<void>;
}

/** Starts the program on the data of a folder, and resolves when it says that it is up. */
export async function startPlane(folder: string): Promise<RunningPlane> {
  const main = fileURLToPath(new URL("../../packages/cli/src/main.ts", import.meta.url));
  const parameters = ["up", "--data", folder, "--port", "0", "--output", "json"];
  const child = spawn(process.execPath, ["--conditions=@kaji/source", main, ...parameters], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await exited;
  };
  const ended = exited.then(([code]) => Promise.reject(new Error(`kaji up ended with ${String(code)}`)));
  const [line] = await Promise.race([once(child.stdout.setEncoding("utf8"), "data"), ended]);
  ended.catch(() => {}); // From now on it is expected to end.
  const { kubeconfig } = JSON.parse(String(line)) as { readonly kubeconfig: string };
  const client = await createClient({ kubeconfig });
  return {
    client,
    kill,
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await kill();
    },
  };
}
