import { refusal } from "@kaji/core";
import type { RequestInfo } from "@kaji/core/serving";
import { callOver } from "../http/https-call.ts";
import { requestHeaders } from "../http/passed-headers.ts";
import { passedOn, passedPath, remoteResponse, wantedUpgrade } from "../http/passed-on.ts";
import type { RemoteResponse } from "../http/passed-on.ts";
import { outgoing } from "../http/response-body.ts";
import type { RequestContext } from "../request/request-context.ts";
import type { ApiResponse } from "../response/api-response.ts";
import type { ProxySubresource, ProxyTarget } from "../subresource.ts";
import { goNetworkError } from "../webhooks/go-network-error.ts";
import { admitConnection } from "./connect.ts";
import type { Registry } from "./registry.ts";
import { strategyContext } from "./stored-objects.ts";
import { requiredName } from "./target.ts";
import type { Target } from "./target.ts";

/** Passes a request on to what an object serves itself, if admission lets it, and the answer back. Links in pages are left as they are. */
export async function proxy(
  registry: Registry,
  target: Target,
  subresource: ProxySubresource,
  context: RequestContext,
): Promise<ApiResponse> {
  const asked = pathBelow(context.info);
  const options = { kind: subresource.kind, ...(asked === "" ? {} : { path: asked }) };
  const { path: admitted } = await admitConnection(registry, target, options, context);
  const path = typeof admitted === "string" ? admitted : "";
  const place = await subresource.locate(requiredName(target), target.namespace, strategyContext(registry, context));
  const { method, search, info, signal = new AbortController().signal } = context;
  const upgrade = wantedUpgrade(context.headers);
  if (path === "" && upgrade === undefined && (method === "GET" || method === "HEAD")) {
    return { status: 301, headers: { ...notKept, location: passedPath(`${info.path}/`, search) }, body: new Uint8Array() };
  }
  try {
    const response = await call(place, path, upgrade, context);
    const base = info.path.slice(0, info.path.length - asked.length);
    return passedOn(
      { ...response, headers: { ...notKept, ...ownHeaders(response.headers, base, [place.host, context.headers["host"]]) } },
      method,
      signal,
    );
  } catch (error) {
    if (signal.aborted) throw error;
    throw refusal("ServiceUnavailable", `error trying to reach service: ${goNetworkError(error)}`);
  }
}

const notKept = { "cache-control": "no-cache, private" };

/** What follows the subresource in the path, with its slash at the end if it has one; empty where nothing does. */
function pathBelow(info: RequestInfo): string {
  const subpath = info.type === "Resource" && info.subpath !== undefined ? `/${info.subpath}` : "";
  return info.path.endsWith("/") ? `${subpath}/` : subpath;
}

async function call(
  { scheme, host, connect }: ProxyTarget,
  path: string,
  upgrade: string | undefined,
  context: RequestContext,
): Promise<RemoteResponse> {
  const { method, headers, search, body, signal, info } = context;
  const connection = await connect();
  // As in a real cluster nobody vouches for what pods serve.
  const joined =
    scheme === "http" ? connection : process.getBuiltinModule("node:tls").connect({ socket: connection, rejectUnauthorized: false });
  const sent = {
    ...outgoing(requestHeaders(headers)),
    host: headers["host"] ?? host,
    "x-forwarded-uri": passedPath(info.path, ""),
    ...(body === undefined ? {} : { "content-length": body.byteLength }),
    ...(upgrade === undefined ? {} : { connection: "Upgrade", upgrade }),
  };
  return remoteResponse(
    await callOver(joined, body, { method, path: passedPath(path === "" ? "/" : path, search), headers: sent, ...(signal && { signal }) }),
  );
}

/** The headers of an answer as one from here: who may read it is for this server to say, and what is elsewhere on the same host is below the proxy. */
function ownHeaders(headers: RemoteResponse["headers"], base: string, hosts: readonly (string | undefined)[]): RemoteResponse["headers"] {
  const { location, ...others } = headers;
  const kept = Object.fromEntries(Object.entries(others).filter(([name]) => !name.startsWith("access-control-allow-")));
  return typeof location === "string" ? { ...kept, location: placeBelow(location, base, hosts) } : kept;
}

function placeBelow(location: string, base: string, hosts: readonly (string | undefined)[]): string {
  const [, authority, rest = location] = /^(?:https?:)?\/\/([^/?#]*)(.*)$/i.exec(location) ?? [];
  const isElsewhere = authority !== undefined && !hosts.includes(authority);
  if (isElsewhere || !rest.startsWith("/")) return location;
  return rest.startsWith(base) ? rest : base + rest;
}
