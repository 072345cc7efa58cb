import type { PathHandler } from "./api-server.ts";
import { exactPath } from "./exact-path.ts";
import { refuseUnoffered } from "./request/media-type.ts";
import { textResponse } from "./response/api-response.ts";
import { valueResponse } from "./response/respond.ts";
import { methodNotAllowed } from "./routing.ts";

/** Which Kubernetes a server says it is. Clients decide by it what they may ask for. */
export interface ServerVersion {
  readonly major: string;
  readonly minor: string;
  readonly gitVersion: string;
}

/** Health checks and the version, which anybody may ask for. */
export function healthPaths(version: ServerVersion): Readonly<Record<string, PathHandler>> {
  const health = ["/healthz", "/livez", "/readyz"].flatMap((path): readonly (readonly [string, PathHandler])[] => [
    [path, ({ query }) => textResponse(200, query.has("verbose") ? allWell(path.slice(1)) : "ok")],
    ...checks.map((check): readonly [string, PathHandler] => [`${path}/${check}`, () => textResponse(200, "ok")]),
  ]);
  return {
    ...Object.fromEntries(health),
    ...exactPath("/version", (context) => {
      if (context.method !== "GET") throw methodNotAllowed();
      refuseUnoffered(context.headers["accept"], ["application/json"]);
      return valueResponse(200, versionInfo(version), context, { encoding: "json" });
    }),
  };
}

/** What is checked; there is nothing that could be unwell while the server answers at all. */
const checks: readonly string[] = ["ping", "log", "etcd"];

function allWell(name: string): string {
  return `${checks.map((each) => `[+]${each} ok\n`).join("")}${name} check passed\n`;
}

function versionInfo({ major, minor, gitVersion }: ServerVersion): Readonly<Record<string, string>> {
  return {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(minor) - 1),
    gitVersion,
    gitCommit: "",
    gitTreeState: "",
    buildDate: "1970-01-01T00:00:00Z",
    goVersion: "",
    compiler: "",
    platform: `${process.platform}/${process.arch === "x64" ? "amd64" : process.arch}`,
  };
}
