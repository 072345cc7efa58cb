import { sentHeader } from "@kaji/core";
import type { TransportRequest } from "@kaji/core";
import type { PoolOptions } from "./pool-options.ts";
import { proxyAuthorization } from "./connect-greeting.ts";

/** A request as it goes onto the wire. */
export interface WireRequest extends Omit<TransportRequest, "headers"> {
  /** What `headerLines` made of them. */
  readonly headers: string;
  /** Whether the headers ask to go on in another protocol. */
  readonly isUpgrade: boolean;
}

/** What would end a line early would be another header, or another request. */
const lineBreak = /[\0\r\n]/;

/** What is sent before the body of a request, one character for each byte; `isLast` if the connection is closed after the answer. */
export function requestHead({ server, tls, proxy }: PoolOptions, request: WireRequest, { isLast }: { readonly isLast: boolean }): string {
  const { method, path, headers, body } = request;
  // A proxy that need not make a tunnel is told the whole address.
  const isProxied = proxy !== undefined && tls === undefined;
  const authorization = isProxied ? proxyAuthorization(proxy) : undefined;
  const hasBody = body !== undefined || method === "POST" || method === "PUT" || method === "PATCH";
  let text = `${method} ${isProxied ? server.origin : ""}${path} HTTP/1.1\r\nhost: ${server.host}\r\n`;
  if (isLast && !request.isUpgrade) text += "connection: close\r\n";
  if (authorization !== undefined) text += `proxy-authorization: ${authorization}\r\n`;
  if (hasBody) text += `content-length: ${body?.byteLength ?? 0}\r\n`;
  return `${text}${headers}\r\n`;
}

/** Headers as they are sent, one character for each byte: one with several values several times. */
export function headerLines(headers: Readonly<Record<string, string | readonly string[]>>): string {
  let lines = "";
  for (const [name, values] of Object.entries(headers)) {
    for (const value of typeof values === "string" ? [values] : values) {
      if (lineBreak.test(name) || lineBreak.test(value))
        throw new TypeError(`the header ${JSON.stringify(name)} has characters that cannot be sent`);
      lines += `${name}: ${value}\r\n`;
    }
  }
  return sentHeader(lines);
}

/** The path, if it is one that can be sent. */
export function sendablePath(path: string): string {
  if (/[^\x21-\x7e]/.test(path)) throw new TypeError(`the path ${JSON.stringify(path)} has characters that cannot be sent; encode them`);
  return path;
}
