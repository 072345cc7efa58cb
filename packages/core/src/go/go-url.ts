import { quote } from "./go-quote.ts";
import { parseIpAddress } from "./ip-address.ts";
import { ParseError } from "../error/parse-error.ts";

/** A URL as Go reads it. */
export interface GoUrl {
  readonly scheme: string;
  /** Given instead of a path by URLs such as `mailto:someone`. */
  readonly opaque: string;
  readonly user: string | undefined;
  /** With the port, if there is one. */
  readonly host: string;
  /** As it was written if that is a proper form, else escaped anew. */
  readonly escapedPath: string;
  readonly query: string;
  readonly fragment: string;
}

/** Reads an absolute URL or a path from the root, as Go's `url.ParseRequestURI` does; throws a `ParseError` in its words. */
export function parseRequestUri(text: string): GoUrl {
  return inContext(text, () => parse(text, "request"));
}

/** Reads a URL as Go's `url.Parse` does; throws a `ParseError` in its words. */
export function parseGoUrl(text: string): GoUrl {
  const hash = text.indexOf("#");
  const url = hash < 0 ? text : text.slice(0, hash);
  const parsed = inContext(url, () => parse(url, "reference"));
  return hash < 0 ? parsed : { ...parsed, fragment: inContext(text, () => unescape(text.slice(hash + 1), anything)) };
}

/** What is wrong with a text that should be a request's URI; undefined if nothing is. */
export function requestUriError(text: string): readonly string[] | undefined {
  try {
    parseRequestUri(text);
    return undefined;
  } catch (error) {
    if (error instanceof ParseError) return [error.message];
    throw error;
  }
}

/** The host without its port, and without the brackets of an IPv6 address. */
export function hostnameOf({ host }: GoUrl): string {
  const [, literal, name = ""] = /^(?:\[([^\]]*)\]|([^:]*))/.exec(host) ?? [];
  return literal ?? (/^[^:]*(?::\d*)?$/.test(host) ? name : host);
}

/** The port, or nothing. */
export function portOf({ host }: GoUrl): string {
  const [, port = ""] = /^(?:\[[^\]]*\]|[^:]*):(\d+)$/.exec(host) ?? [];
  return port;
}

/** The values of each key of the query; what cannot be read is left out. */
export function queryOf({ query }: GoUrl): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (const part of query.split("&")) {
    if (part === "" || part.includes(";")) continue;
    const [key, value] = [part.replace(/=.*$/s, ""), part.includes("=") ? part.slice(part.indexOf("=") + 1) : ""].map(queryPart);
    if (key === undefined || value === undefined) continue;
    values.set(key, [...(values.get(key) ?? []), value]);
  }
  return values;
}

/** The URL as text again. */
export function formatGoUrl({ scheme, opaque, user, host, escapedPath, query, fragment }: GoUrl): string {
  const authority =
    scheme !== "" || host !== "" || user !== undefined
      ? `${host !== "" || user !== undefined || escapedPath !== "" ? "//" : ""}${user === undefined ? "" : `${user}@`}${host}`
      : "";
  const body = opaque === "" ? `${authority}${escapedPath}` : opaque;
  return `${scheme === "" ? "" : `${scheme}:`}${body}${query === "" ? "" : `?${query}`}${fragment === "" ? "" : `#${fragment}`}`;
}

function queryPart(text: string): string | undefined {
  try {
    return unescape(text.replaceAll("+", " "), anything);
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}

function inContext<T>(url: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ParseError) throw new ParseError(`parse ${quote(url)}: ${error.message}`, { cause: error });
    throw error;
  }
}

function parse(text: string, form: "reference" | "request"): GoUrl {
  // oxlint-disable-next-line no-control-regex -- control characters are what is refused
  if (/[\0-\x1f\x7f]/.test(text)) throw new ParseError("net/url: invalid control character in URL");
  if (text === "" && form === "request") throw new ParseError("empty url");
  if (text.startsWith(":")) throw new ParseError("missing protocol scheme");
  const [prefix = "", scheme = ""] = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text) ?? [];
  const [rest = "", ...queries] = text.slice(prefix.length).split("?");
  const url: GoUrl = {
    scheme: scheme.toLowerCase(),
    opaque: "",
    host: "",
    user: undefined,
    escapedPath: "",
    query: queries.join("?"),
    fragment: "",
  };
  if (text === "*") return { ...url, escapedPath: "*" };
  if (scheme !== "" && !rest.startsWith("/")) return { ...url, opaque: rest };
  if (!rest.startsWith("/")) requireRelative(rest, form);
  const hasAuthority = rest.startsWith("//") && (scheme !== "" || (form === "reference" && !rest.startsWith("///")));
  if (!hasAuthority) return { ...url, escapedPath: pathOf(rest) };
  const [, authority = "", path = ""] = /^\/\/([^/]*)(.*)$/s.exec(rest) ?? [];
  return { ...url, ...authorityOf(authority, url.scheme), escapedPath: pathOf(path) };
}

/** Kept as it is where Go would have escaped nothing else. */
function pathOf(text: string): string {
  const path = unescape(text, anything);
  const isValid = /^(?:[A-Za-z0-9\-_.~!$&'()*+,;=:@/[\]]|%[\da-fA-F]{2})*$/.test(text);
  return isValid ? text : escapePath(path);
}

function escapePath(path: string): string {
  return Array.from(Buffer.from(path, "utf8"), (byte) => {
    const letter = String.fromCharCode(byte);
    return /[A-Za-z0-9\-_.~$&+,/:;=@]/.test(letter) ? letter : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }).join("");
}

/** A path that does not start at the root, which only a reference may have. */
function requireRelative(path: string, form: "reference" | "request"): void {
  if (form === "request") throw new ParseError("invalid URI for request");
  if (/^[^/]*:/.test(path)) throw new ParseError("first path segment in URL cannot contain colon");
}

function authorityOf(text: string, scheme: string): Pick<GoUrl, "host" | "user"> {
  const at = text.lastIndexOf("@");
  const host = hostOf(text.slice(at + 1), scheme);
  return { host, user: at < 0 ? undefined : userOf(text.slice(0, at)) };
}

function userOf(text: string): string {
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(text)) throw new ParseError("net/url: invalid userinfo");
  const [name = "", ...password] = text.split(":");
  const parts = password.length === 0 ? [name] : [name, password.join(":")];
  return parts.map((part) => escapeUser(unescape(part, anything))).join(":");
}

/** As Go writes it again: what would not be plain in a user or password is escaped. */
function escapeUser(text: string): string {
  return encodeURIComponent(text)
    .replaceAll(/%(?:24|26|2B|2C|3B|3D)/g, decodeURIComponent)
    .replaceAll(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
}

function hostOf(text: string, scheme: string): string {
  const bracket = text.lastIndexOf("[");
  if (bracket > 0) throw new ParseError("invalid IP-literal");
  if (bracket === 0) return literalOf(text);
  const first = text.indexOf(":");
  // Databases list several hosts with their ports; only on the web is there just one.
  const colon = scheme === "http" || scheme === "https" ? first : text.lastIndexOf(":");
  if (first >= 0) requirePort(text.slice(colon));
  return unescape(text, inHost);
}

/** An IPv6 address in brackets, maybe with a zone. */
function literalOf(text: string): string {
  const end = text.lastIndexOf("]");
  if (end < 0) throw new ParseError("missing ']' in host");
  const port = text.slice(end + 1);
  requirePort(port);
  const inside = text.slice(1, end);
  const zoneAt = inside.indexOf("%25");
  const address = unescape(zoneAt < 0 ? inside : inside.slice(0, zoneAt), inHost);
  const zone = zoneAt < 0 ? "" : unescape(inside.slice(zoneAt), inZone);
  if (familyOf(address + zone) === 4) throw new ParseError("invalid IP-literal");
  return `[${address}${zone}]${port}`;
}

function familyOf(address: string): 4 | 6 {
  try {
    return parseIpAddress(address).family;
  } catch (error) {
    if (error instanceof ParseError) throw new ParseError(`invalid host: ${error.message}`, { cause: error });
    throw error;
  }
}

function requirePort(text: string): void {
  if (!/^(?::\d*)?$/.test(text)) throw new ParseError(`invalid port ${quote(text)} after host`);
}

/** What may stand in a part of a URL. */
interface Part {
  /** Whether a character may stand there as it is. */
  readonly plain: (letter: string) => boolean;
  /** Whether a byte may stand there escaped. */
  readonly escaped: (byte: number) => boolean;
}

const anything: Part = { plain: () => true, escaped: () => true };

/** In a host only bytes beyond ASCII may be escaped. */
const inHost: Part = { plain: isHostLetter, escaped: (byte) => byte >= 0x80 || byte === 0x25 };

/** In a zone also what may stand in a host as it is. */
const inZone: Part = {
  plain: isHostLetter,
  escaped: (byte) => byte === 0x25 || byte === 0x20 || byte >= 0x80 || isHostLetter(String.fromCharCode(byte)),
};

function isHostLetter(letter: string): boolean {
  return letter >= "\u0080" || /^[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]$/.test(letter);
}

function unescape(text: string, { plain, escaped }: Part): string {
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? "";
    if (letter !== "%") {
      if (!plain(letter)) throw new ParseError(`invalid character ${quote(letter)} in host name`);
      continue;
    }
    const [sequence] = /^%[\da-fA-F]{2}/.exec(text.slice(at, at + 3)) ?? [];
    if (sequence === undefined || !escaped(Number.parseInt(sequence.slice(1), 16))) {
      throw new ParseError(`invalid URL escape ${quote(text.slice(at, at + 3))}`);
    }
    at += 2;
  }
  return text.includes("%") ? decode(text) : text;
}

function decode(text: string): string {
  const bytes = Buffer.from(text, "utf8").toString("latin1");
  const unescaped = bytes.replaceAll(/%([\da-fA-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(unescaped, "latin1").toString("utf8");
}
