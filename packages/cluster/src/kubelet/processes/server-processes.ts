import type { ServiceAccountTokens, Storage } from "@kaji/apiserver";
import type { Clock } from "@kaji/core";
import type { PodRuntime } from "../pod-runtime.ts";
import type { LoopbackNetwork } from "./loopback-network.ts";
import { storedObjects } from "./pod-objects.ts";
import type { PodObjects } from "./pod-objects.ts";
import type { IssueToken } from "./pod-processes.ts";
import { ProcessRuntime } from "./process-runtime.ts";
import type { ProcessRuntimeOptions } from "./process-runtime.ts";

/** What is run. */
type Programs = Pick<ProcessRuntimeOptions, "programs" | "commands">;

/** The server whose pods are run. */
export interface PodServer {
  readonly url: string;
  readonly storage: Storage;
  readonly tokens: ServiceAccountTokens;
  readonly clock: Clock;
  readonly network: LoopbackNetwork;
}

/** Runs the pods of a server as processes, where there is a program, and as others do where there is none. */
export function serverProcesses(programs: Programs, others: PodRuntime, server: PodServer): ProcessRuntime {
  const { url, storage, tokens, clock, network } = server;
  const objects = storedObjects(storage);
  const reach = (address: string): string => network.reach(address);
  return new ProcessRuntime({ ...programs, others, objects, issueToken: podTokens(tokens, objects), server: url, clock, reach });
}

/** Issues tokens that end with the pod for which they are. */
function podTokens(tokens: ServiceAccountTokens, objects: PodObjects): IssueToken {
  return async ({ metadata, spec }, { audience, expirationSeconds = 3600 }) => {
    const { namespace = "", name: pod, uid = "" } = metadata;
    const { serviceAccountName: name = "default", nodeName = "" } = spec ?? {};
    const account = objects.serviceAccount(namespace, name);
    if (account === undefined) throw new Error(`serviceaccount ${JSON.stringify(name)} not found`);
    const nodeUid = objects.node(nodeName)?.metadata.uid;
    const node = { name: nodeName, ...(nodeUid === undefined ? {} : { uid: nodeUid }) };
    const audiences = audience === undefined ? [] : [audience];
    const bound = { kind: "Pod", name: pod, uid, node } as const;
    return tokens.issue({ namespace, name, uid: account.metadata.uid ?? "", audiences, expirationSeconds, bound });
  };
}
