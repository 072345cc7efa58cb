import type { ConnectSubresource } from "@kaji/apiserver";
import { badRequest } from "@kaji/core";
import type { DynamicObject, JsonObject } from "@kaji/core";
import type { Pod } from "@kaji/types/core/v1";
import { booleanField, listField, stringField } from "../json-fields.ts";
import { commandResponse } from "./command-response.ts";
import { requireNode } from "./node-access.ts";
import type { NodeAccess } from "./node-access.ts";
import { containerOf } from "./pod-container.ts";
import type { CommandStreams } from "./serve-command.ts";

/** What both may be asked for. */
const streamOptions: ConnectSubresource["options"] = [
  { name: "container", type: "string" },
  { name: "stderr", type: "boolean" },
  { name: "stdin", type: "boolean" },
  { name: "stdout", type: "boolean" },
  { name: "tty", type: "boolean" },
];

/** `pods/exec`: a command beside what a container runs. Without access to nodes there are none on which pods could run. */
export function podExec(nodes: NodeAccess | undefined): ConnectSubresource {
  return {
    type: "Connect",
    kind: "PodExecOptions",
    options: [{ name: "command", type: "string", isList: true }, ...streamOptions],
    connect: (pod, options, { request, nowMs }) => {
      requireContainer(pod, options);
      const { prepareCommand } = requireNode(pod, nodes);
      const words = listField(options, "command").map(String);
      if (words.length === 0) throw badRequest("you must specify at least one command for the container");
      const streams = requireStreams(options);
      const run = prepareCommand(pod, stringField(options, "container"), nowMs);
      return commandResponse(request, streams, (given) => run({ words, ...given }));
    },
  };
}

/** `pods/attach`: what a container itself reads, and writes from now on, until it ends. */
export function podAttach(nodes: NodeAccess | undefined): ConnectSubresource {
  return {
    type: "Connect",
    kind: "PodAttachOptions",
    options: streamOptions,
    connect: (pod, options, { request, nowMs }) => {
      requireContainer(pod, options);
      const { prepareAttach } = requireNode(pod, nodes);
      const streams = requireStreams(options);
      const run = prepareAttach(pod, stringField(options, "container"), nowMs);
      return commandResponse(request, streams, run);
    },
  };
}

/** Refuses what means no container of the pod, wherever it runs. */
function requireContainer(pod: DynamicObject, options: JsonObject): void {
  // What is stored under a kind's name is of that kind.
  containerOf(pod as Pod, stringField(options, "container"));
}

function requireStreams(options: JsonObject): CommandStreams {
  const streams = {
    stdin: booleanField(options, "stdin"),
    stdout: booleanField(options, "stdout"),
    stderr: booleanField(options, "stderr"),
    tty: booleanField(options, "tty"),
  };
  if (!streams.stdin && !streams.stdout && !streams.stderr) throw badRequest("you must specify at least 1 of stdin, stdout, stderr");
  return { ...streams, stderr: streams.stderr && !streams.tty };
}
