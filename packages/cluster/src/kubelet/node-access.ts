import type { Storage } from "@kaji/apiserver";
import { badRequest, bodyFromBytes } from "@kaji/core";
import type { Pod } from "@kaji/types/core/v1";
import type { NodeAccess } from "../kinds/core/node-access.ts";
import type { CommandEnd } from "../kinds/core/container-command.ts";
import { podLogReader, podOf } from "./pod-log.ts";
import type { PodRuntime, StartedRun } from "./pod-runtime.ts";
import { containerOf } from "../kinds/core/pod-container.ts";
import { startedRunOf, statusOf } from "./started-run.ts";

/** What nodes with this runtime have of their pods, which are in a storage. */
export function nodeAccess(runtime: PodRuntime, storage: Storage): NodeAccess {
  const readLog = podLogReader(runtime, storage);
  return {
    readLog,
    prepareCommand: (found, name, nowMs) => {
      const run = runningOf(podOf(found), name, nowMs);
      return (command): Promise<CommandEnd> => runtime.run(run, command);
    },
    prepareAttach: (found, name, nowMs) => {
      const run = runningOf(podOf(found), name, nowMs);
      const query = { container: run.container.name, follow: true, tailLines: 0 };
      const follow = (signal: AbortSignal): AsyncIterable<Uint8Array> => {
        const written = readLog(found, query, { nowMs, signal });
        return typeof written === "string" ? bodyFromBytes(Buffer.from(written)) : written;
      };
      return (streams): Promise<CommandEnd> => runtime.attach(run, streams, follow);
    },
    prepareDial: (found) => {
      const pod = podOf(found);
      const { phase = "Pending" } = pod.status ?? {};
      if (phase !== "Running") throw badRequest(`unable to forward port because pod is not running. Current status=${phase}`);
      return (port) => runtime.dial(pod, port);
    },
    dial: (found, port) => runtime.dial(podOf(found), port),
    dialKubelet: async ({ metadata }, nowMs) => {
      const { NodeApi } = await import("./node-api.ts");
      return new NodeApi(runtime, storage).connect(metadata.name, nowMs);
    },
  };
}

/** The run of a container that is under way. */
function runningOf(pod: Pod, name: string, nowMs: number): StartedRun {
  const container = containerOf(pod, name);
  if (statusOf(pod, container)?.state?.running === undefined) throw badRequest(`container not found ("${container.name}")`);
  return startedRunOf(pod, container, nowMs);
}
