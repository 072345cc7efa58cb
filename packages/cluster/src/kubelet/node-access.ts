import type { Storage } from "@kaji/apiserver";
import { badRequest } from "@kaji/core";
import type { NodeAccess } from "../kinds/core/node-access.ts";
import type { CommandEnd } from "../kinds/core/container-command.ts";
import { podLogReader, podOf } from "./pod-log.ts";
import type { PodRuntime } from "./pod-runtime.ts";
import { containerOf, startedRunOf, statusOf } from "./started-run.ts";

/** What nodes with this runtime have of their pods, which are in a storage. */
export function nodeAccess(runtime: PodRuntime, storage: Storage): NodeAccess {
  return {
    readLog: podLogReader(runtime, storage),
    prepareCommand: (found, name, nowMs) => {
      const pod = podOf(found);
      const container = containerOf(pod, name);
      if (statusOf(pod, container)?.state?.running === undefined) throw badRequest(`container not found ("${container.name}")`);
      const run = startedRunOf(pod, container, nowMs);
      return (command): Promise<CommandEnd> => runtime.run(run, command);
    },
    prepareDial: (found) => {
      const pod = podOf(found);
      const { phase = "Pending" } = pod.status ?? {};
      if (phase !== "Running") throw badRequest(`unable to forward port because pod is not running. Current status=${phase}`);
      return (port) => runtime.dial(pod, port);
    },
  };
}
