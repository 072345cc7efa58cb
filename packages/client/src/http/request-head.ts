import { sentHeader } from "@kaji/core";
import type { TransportRequest } from "@kaji/core";
import type { PoolOptions } from "./connection-pools.ts";
import { proxyAuthorization } from "./proxy-tunnel.ts";

/** A request as it goes onto the wire. */
export interface WireRequest extends Omit<TransportRequest, "headers"> {
  /** A header with several values is sent several times. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
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
  if (isLast) text += "connection: close\r\n";
  if (authorization !== undefined) text += `proxy-authorization: ${authorization}\r\n`;
  if (hasBody) text += `content-length: ${body?.byteLength ?? 0}\r\n`;
  if (/[^\x21-\x7e]/.test(path)) throw unsendable();
  return `${text}${headerLines(headers)}\r\n`;
}

/** The lines of headers that were sent before: most requests have the same object. */
const knownLines = new WeakMap<WireRequest["headers"], string>();

function headerLines(headers: WireRequest["headers"]): string {
  const known = knownLines.get(headers);
  if (known !== undefined) return known;
  let lines = "";
  for (const [name, values] of Object.entries(headers)) {
    for (const value of typeof values === "string" ? [values] : values) {
      if (lineBreak.test(name) || lineBreak.test(value)) throw unsendable();
      lines += `${name}: ${value}\r\n`;
    }
  }
  lines = sentHeader(lines);
  knownLines.set(headers, lines);
  return lines;
}

function unsendable(): TypeError {
  return new TypeError("path or headers of a request have characters that cannot be sent");
}
