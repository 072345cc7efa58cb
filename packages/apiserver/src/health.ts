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
  const health = (["healthz", "livez", "readyz"] as const).flatMap((name): readonly (readonly [string, PathHandler])[] => [
    [`/${name}`, ({ query }) => textResponse(200, query.has("verbose") ? allWell(name, query.getAll("exclude")) : "ok")],
    ...checksOf(name).map((check): readonly [string, PathHandler] => [`/${name}/${check}`, () => textResponse(200, "ok")]),
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

type HealthName = "healthz" | "livez" | "readyz";

/** What scripts wait for that start a server: it does not answer before. */
const startHooks: readonly string[] = [
  "start-apiextensions-controllers",
  "crd-informer-synced",
  "start-system-namespaces-controller",
  "rbac/bootstrap-roles",
  "scheduling/bootstrap-system-priority-classes",
  "apiservice-registration-controller",
];

/** What is checked; there is nothing that could be unwell while the server answers at all. */
function checksOf(name: HealthName): readonly string[] {
  const isReady = name === "readyz";
  return [
    ...["ping", "log", "etcd"],
    ...(isReady ? ["etcd-readiness", "informer-sync"] : []),
    ...startHooks.map((hook) => `poststarthook/${hook}`),
    "autoregister-completion",
    ...(isReady ? ["shutdown"] : []),
  ];
}

function allWell(name: HealthName, excluded: readonly string[]): string {
  const checks = checksOf(name);
  const unknown = excluded.filter((check) => !checks.includes(check)).map((check) => `"${check}"`);
  const warning = unknown.length === 0 ? "" : `warn: some health checks cannot be excluded: no matches for ${unknown.join(",")}\n`;
  const lines = checks.map((check) => `[+]${check} ${excluded.includes(check) ? "excluded: ok" : "ok"}\n`);
  return `${lines.join("")}${warning}${name} check passed\n`;
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
