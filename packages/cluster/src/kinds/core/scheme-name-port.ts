/** Which port of which object a proxy is asked for. */
export interface SchemeNamePort {
  readonly scheme: "http" | "https";
  readonly name: string;
  /** A number, or the name of a port; empty where it is not said. */
  readonly port: string;
}

/** Reads `NAME`, `NAME:PORT` or `SCHEME:NAME:PORT`; undefined for what is none of them. */
export function parseSchemeNamePort(text: string): SchemeNamePort | undefined {
  const parts = text.split(":");
  const [scheme = "", name = "", port = ""] = parts.length < 3 ? ["", ...parts] : parts;
  if (parts.length > 3 || name === "" || !["", "http", "https"].includes(scheme)) return undefined;
  return { scheme: scheme === "https" ? "https" : "http", name, port };
}
