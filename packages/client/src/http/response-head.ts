import { receivedHeader } from "@kaji/core";

/** Status and headers of an HTTP/1.1 response. Names are in lower case; a header sent several times is an array. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

/**
 * Reads what stands before a body, given with a character for each byte: the status line and the lines of headers, without the empty line that ends
 * them. Throws on anything else.
 */
export function parseResponseHead(bytes: string): ResponseHead {
  // API servers send warnings in any letters, as UTF-8.
  const text = receivedHeader(bytes);
  const [, version, digits] = /^HTTP\/1\.([01]) (\d{3})(?: |\r\n|$)/.exec(text) ?? [];
  if (digits === undefined) throw new Error("malformed HTTP response: no status line");
  // Without a prototype: no name that a server sends means anything else.
  const headers = Object.create(null) as Record<string, string | readonly string[]>;
  for (let start = text.indexOf("\r\n") + 2, place = 0; start >= 2; place++) {
    const next = text.indexOf("\r\n", start);
    const end = next < 0 ? text.length : next;
    const { onWire, name } = headerName(text, start, end, place);
    const value = text.slice(start + onWire.length, end).trim();
    const known = headers[name];
    headers[name] = known === undefined ? value : [known, value].flat();
    start = next + 2;
  }
  // What a proxy that speaks HTTP/1.0 means, unless it says otherwise.
  if (version === "0") headers["connection"] ??= "close";
  return { status: Number(digits), headers };
}

/** The name of a header: as it stands on the wire, with its colon, and in lower case. */
interface HeaderName {
  readonly onWire: string;
  readonly name: string;
}

/** The names in the last response, by their place: a server sends the same ones in the same order with each. */
const lastNames: HeaderName[] = [];
const mostNames = 256;

/** The name at the beginning of a line. */
function headerName(text: string, start: number, end: number, place: number): HeaderName {
  const last = lastNames[place];
  if (last !== undefined && text.startsWith(last.onWire, start)) return last;
  const colon = text.indexOf(":", start);
  const onWire = text.slice(start, colon < 0 || colon > end ? start : colon + 1);
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+:$/.test(onWire)) throw new Error("malformed HTTP response: invalid header name");
  const found = { onWire, name: onWire.slice(0, -1).toLowerCase() };
  if (place < mostNames) lastNames[place] = found;
  return found;
}

/** How a body ends: by itself, after so many bytes, or with the connection. */
export type BodyLength = "Chunked" | number | "UntilClosed";

/** How long the body behind these headers is. */
export function bodyLength({ status, headers }: ResponseHead): BodyLength {
  if (status === 204 || status === 304) return 0;
  const { "transfer-encoding": encoding, "content-length": length } = headers;
  if (encoding !== undefined && /(?:^|,)\s*chunked\s*$/i.test(String(encoding))) return "Chunked";
  if (length === undefined) return "UntilClosed";
  if (typeof length !== "string" || !/^\d{1,15}$/.test(length)) throw new Error("malformed HTTP response: invalid content-length");
  return Number(length);
}
