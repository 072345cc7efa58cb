import { webSocketResponse } from "@kaji/apiserver";
import type { ConnectSubresource } from "@kaji/apiserver";
import { badRequest, notFound } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { commandProtocols } from "@kaji/core/web-socket";
import { serveCommand } from "./serve-command.ts";
import { objectField, stringField } from "../json-fields.ts";
import type { NodeAccess } from "./node-access.ts";

/** `pods/exec`: a command beside what a container runs. Without access to nodes there are none on which pods could run. */
export function podExec(nodes: NodeAccess | undefined): ConnectSubresource {
  return {
    type: "Connect",
    kind: "PodExecOptions",
    connect: (pod, { request, nowMs }) => {
      const { query } = request;
      const isSet = (name: string): boolean => ["true", "1"].includes(query.get(name) ?? "");
      const { prepareCommand } = requireNode(pod, nodes);
      const words = query.getAll("command");
      if (words.length === 0) throw badRequest("you must specify at least one command for the container");
      if (isSet("tty")) throw badRequest("containers have no terminals here: leave out tty");
      const streams = { stdin: isSet("stdin"), stdout: isSet("stdout"), stderr: isSet("stderr") };
      if (!streams.stdin && !streams.stdout && !streams.stderr) {
        throw badRequest("you must specify at least 1 of stdin, stdout, stderr");
      }
      const run = prepareCommand(pod, query.get("container") ?? "", nowMs);
      return webSocketResponse(request, commandProtocols, (socket) => serveCommand(socket, streams, (given) => run({ words, ...given })));
    },
  };
}

/** The way to where a pod runs. Refuses a pod that runs nowhere. */
export function requireNode(pod: DynamicObject, nodes: NodeAccess | undefined): NodeAccess {
  const node = stringField(objectField(pod, "spec"), "nodeName");
  if (node === "") throw badRequest(`pod ${pod.metadata.name} does not have a host assigned`);
  if (nodes === undefined) throw notFound({ group: "", plural: "nodes" }, node);
  return nodes;
}
