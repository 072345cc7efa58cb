import type { OutgoingHttpHeaders } from "node:http";
import type { Container, LifecycleHandler, Probe } from "@kaji/types/core/v1";
import { expandVariables } from "./variable-expansion.ts";

/** What a probe or a hook turns to. */
export type ProbeTarget =
  | {
      readonly type: "Http";
      readonly url: string;
      readonly headers: OutgoingHttpHeaders;
      /** Whether it is enough to be heard, whatever the answer. */
      readonly takesAnyAnswer: boolean;
    }
  | { readonly type: "Tcp"; readonly host: string; readonly port: number }
  | { readonly type: "Grpc"; readonly host: string; readonly port: number; readonly service: string }
  | { readonly type: "Command"; readonly words: readonly string[] };

/** What a look at a process has shown. Nothing follows from what could not be found out. */
export type Verdict =
  | { readonly type: "Well" }
  | { readonly type: "Unwell"; readonly why: string }
  | { readonly type: "Unknown"; readonly why: string };

/** Looks whether what is looked at answers well, before the signal is aborted. */
export type CheckTarget = (target: ProbeTarget, signal: AbortSignal) => Promise<Verdict>;

/** What a probe looks at in a process that is reached at an address. */
export function probeTarget({ exec, httpGet, tcpSocket, grpc }: Probe, container: Container, address: string): ProbeTarget | undefined {
  // Of the container's variables, only those count here that stand in the pod itself.
  if (exec !== undefined) {
    const variables = new Map((container.env ?? []).flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])));
    return { type: "Command", words: (exec.command ?? []).map((word) => expandVariables(word, variables)) };
  }
  if (httpGet !== undefined) return { ...httpTarget(httpGet, container, address, "probe"), takesAnyAnswer: false };
  if (tcpSocket !== undefined) return { type: "Tcp", host: tcpSocket.host ?? address, port: portOf(tcpSocket.port, container) };
  return grpc === undefined ? undefined : { type: "Grpc", host: address, port: grpc.port, service: grpc.service ?? "" };
}

/** What a hook turns to; undefined for a kind that hooks cannot have, though the API does. */
export function hookTarget({ exec, httpGet }: LifecycleHandler, container: Container, address: string): ProbeTarget | undefined {
  if (exec !== undefined) return { type: "Command", words: exec.command ?? [] };
  return httpGet === undefined ? undefined : { ...httpTarget(httpGet, container, address, "lifecycle"), takesAnyAnswer: true };
}

function httpTarget(
  { host, path = "/", scheme = "HTTP", port, httpHeaders = [] }: NonNullable<Probe["httpGet"]>,
  container: Container,
  address: string,
  purpose: "probe" | "lifecycle",
): Omit<ProbeTarget & { readonly type: "Http" }, "takesAnyAnswer"> {
  const headers: OutgoingHttpHeaders = { accept: "*/*", "user-agent": `kube-${purpose}/1.36` };
  for (const { name, value } of httpHeaders) headers[name.toLowerCase()] = value;
  const start = path.startsWith("/") ? "" : "/";
  return { type: "Http", url: `${scheme.toLowerCase()}://${host ?? address}:${portOf(port, container)}${start}${path}`, headers };
}

function portOf(port: number | string, { ports = [] }: Container): number {
  return typeof port === "number" ? port : (ports.find(({ name }) => name === port)?.containerPort ?? (Number(port) || 0));
}
