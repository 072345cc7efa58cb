/** Where a server listens. */
export interface ListenAddress {
  /** Undefined: on all addresses of the machine. */
  readonly host: string | undefined;
  /** 0 takes a free one. */
  readonly port: number;
}

/** Reads `HOST:PORT`, `:PORT` or `[IPV6]:PORT`; undefined for `0` and the empty text, which mean that nothing listens. */
export function parseListenAddress(text: string): ListenAddress | undefined {
  if (text === "" || text === "0") return undefined;
  const [, bracketed, bare, digits = ""] = /^(?:\[([^\]]+)\]|([^:]*)):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === "" || port > 65_535)
    throw new TypeError(`${JSON.stringify(text)} is not an address such as :8080 or 127.0.0.1:8080, nor 0`);
  return { host: bracketed ?? (bare === "" ? undefined : bare), port };
}
