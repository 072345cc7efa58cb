/** Status and headers of an HTTP/1.1 response. Names are in lower case; a header sent several times is an array. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

/** Reads what stands before a body: the status line and the lines of headers, without the empty line that ends them. Throws on anything else. */
export function parseResponseHead(text: string): ResponseHead {
  const [first = "", ...lines] = text.split("\r\n");
  const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(first)?.[1]);
  if (Number.isNaN(status)) throw new Error("malformed HTTP response: no status line");
  // Without a prototype: no name that a server sends means anything else.
  const headers = Object.create(null) as Record<string, string | readonly string[]>;
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = headerName(line.slice(0, Math.max(0, colon)));
    const value = line.slice(colon + 1).trim();
    const known = headers[name];
    headers[name] = known === undefined ? value : [known, value].flat();
  }
  return { status, headers };
}

/** Header names in lower case, by the spelling on the wire: a server sends the same few with each response. */
const knownNames = new Map<string, string>();
const mostNames = 256;

function headerName(text: string): string {
  const known = knownNames.get(text);
  if (known !== undefined) return known;
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text)) throw new Error("malformed HTTP response: invalid header name");
  const name = text.toLowerCase();
  if (knownNames.size < mostNames) knownNames.set(text, name);
  return name;
}

/** How a body ends: by itself, after so many bytes, or with the connection. */
export type BodyLength = "Chunked" | number | "UntilClosed";

/** How long the body behind these headers is. */
export function bodyLength({ status, headers }: ResponseHead): BodyLength {
  if (status === 204 || status === 304) return 0;
  if (/(?:^|,)\s*chunked\s*$/i.test(String(headers["transfer-encoding"] ?? ""))) return "Chunked";
  const length = headers["content-length"];
  if (length === undefined) return "UntilClosed";
  if (typeof length !== "string" || !/^\d{1,15}$/.test(length)) throw new Error("malformed HTTP response: invalid content-length");
  return Number(length);
}
