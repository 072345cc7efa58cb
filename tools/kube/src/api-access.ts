import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { text } from "node:stream/consumers";
import { stringifyJson } from "@kaji/core";
import type { JsonValue } from "@kaji/core";

/** What it takes to speak to an API server. */
export interface ApiAccess {
  /** For example `https://127.0.0.1:12345`. */
  readonly server: string;
  /** The certificate authority of the server, as PEM. */
  readonly ca: string;
  readonly token: string;
}

/** One request to an API server. */
export interface ApiCall {
  readonly method: "GET" | "POST" | "PATCH";
  readonly path: string;
  /** Sent as JSON; as a merge patch where the method is PATCH. */
  readonly body?: JsonValue;
}

/** What the server answered. */
export interface ApiResponse {
  readonly status: number;
  readonly body: string;
}

/** Makes one request over a connection of its own. Rejects when there is no answer, whatever the answer says. */
export async function callApi({ server, ca, token }: ApiAccess, { method, path, body }: ApiCall): Promise<ApiResponse> {
  const headers = {
    authorization: `Bearer ${token}`,
    accept: "application/json",
    "content-type": method === "PATCH" ? "application/merge-patch+json" : "application/json",
  };
  const call = request(new URL(path, server), { method, ca, headers, agent: false });
  call.end(body === undefined ? undefined : stringifyJson(body));
  const [response] = (await once(call, "response")) as [IncomingMessage];
  return { status: response.statusCode ?? 0, body: await text(response) };
}
