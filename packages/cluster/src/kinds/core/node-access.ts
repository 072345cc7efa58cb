import type { Duplex } from "node:stream";
import { badRequest, notFound } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { objectField, stringField } from "../json-fields.ts";
import type { CommandEnd, ContainerCommand, ContainerStreams } from "./container-command.ts";
import type { PodLogReader } from "./pod-log-text.ts";
import type { DialPort } from "./port-forward/serve-port-streams.ts";

/** What the nodes of a cluster have of the pods that they run. */
export interface NodeAccess {
  readonly readLog: PodLogReader;
  /** Makes sure that the named container runs, or the only one, and says how commands are run in it. Throws what the server says if there is none. */
  readonly prepareCommand: (pod: DynamicObject, container: string, nowMs: number) => (command: ContainerCommand) => Promise<CommandEnd>;
  /** As `prepareCommand`, to be joined to what the container itself reads and writes from now on. */
  readonly prepareAttach: (pod: DynamicObject, container: string, nowMs: number) => (streams: ContainerStreams) => Promise<CommandEnd>;
  /** Makes sure that the pod runs, and says how its ports are reached. */
  readonly prepareDial: (pod: DynamicObject) => DialPort;
  /** Connects to a port of a pod. Rejects with what is in the way of that. */
  readonly dial: (pod: DynamicObject, port: number) => Promise<Duplex>;
  /** Connects to the kubelet of a node, which speaks HTTP. */
  readonly dialKubelet: (node: DynamicObject, nowMs: number) => Promise<Duplex>;
}

/** The way to where a pod runs. Refuses a pod that runs nowhere. */
export function requireNode(pod: DynamicObject, nodes: NodeAccess | undefined): NodeAccess {
  const node = stringField(objectField(pod, "spec"), "nodeName");
  if (node === "") throw badRequest(`pod ${pod.metadata.name} does not have a host assigned`);
  if (nodes === undefined) throw notFound({ group: "", plural: "nodes" }, node);
  return nodes;
}
