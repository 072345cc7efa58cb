import type { PathHandler } from "./api-server.ts";
import { textAnswer } from "./response/answer.ts";
import { valueAnswer } from "./response/respond.ts";

/** Which Kubernetes a server says it is. Clients decide by it what they may ask for. */
export interface ServerVersion {
  readonly major: string;
  readonly minor: string;
  readonly gitVersion: string;
}

/** Health checks and the version, which anybody may ask for. */
export function healthPaths(version: ServerVersion): Readonly<Record<string, PathHandler>> {
  const ok: PathHandler = ({ info, query }) => {
    if (!query.has("verbose")) return textAnswer(200, "ok");
    const name = info.path.split("/")[1] ?? "";
    return textAnswer(200, `[+]ping ok\n[+]storage ok\n${name} check passed\n`);
  };
  const health = Object.fromEntries(
    ["/healthz", "/livez", "/readyz"].flatMap((path) => [
      [path, ok],
      [`${path}/`, ok],
    ]),
  );
  return {
    ...health,
    "/version": (context) => valueAnswer(200, versionInfo(version), context, { encoding: "json", transform: undefined }),
  };
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
