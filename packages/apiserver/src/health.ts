import { refuseUnoffered } from "@kaji/core/serving";
import type { PathHandler } from "./api-server.ts";
import { indentedResponse, plainTextResponse, textResponse } from "./response/api-response.ts";
import { methodNotAllowed, unknownPath } from "./routing.ts";

/** Which Kubernetes a server says it is. Clients decide by it what they may ask for. */
export interface ServerVersion {
  readonly major: string;
  readonly minor: string;
  readonly gitVersion: string;
}

/** Health checks and the version, which anybody may ask for. Whoever counts them is told of the checks that are done for a request for all. */
export function healthPaths(
  version: ServerVersion,
  observe: (path: HealthName, check: string) => void = () => {},
): Readonly<Record<string, PathHandler>> {
  const health = (["healthz", "livez", "readyz"] as const).flatMap((name): readonly (readonly [string, PathHandler])[] => [
    [
      `/${name}`,
      ({ query }) => {
        const excluded = query.getAll("exclude");
        for (const check of checksOf(name)) if (!excluded.includes(check)) observe(name, check);
        return plainTextResponse(200, query.has("verbose") ? allWell(name, excluded) : "ok");
      },
    ],
    ...checksOf(name).map((check): readonly [string, PathHandler] => [`/${name}/${check}`, () => textResponse(200, "ok")]),
  ]);
  const answerVersion: PathHandler = ({ method, headers }) => {
    if (method !== "GET") throw methodNotAllowed();
    refuseUnoffered(headers["accept"], ["application/json"]);
    return indentedResponse(200, versionInfo(version));
  };
  return {
    ...Object.fromEntries(health),
    "/version": answerVersion,
    "/version/": (context) => {
      if (context.info.path !== "/version/") throw unknownPath();
      return answerVersion(context);
    },
  };
}

/** What health checks are for, which is also where they are asked for. */
export type HealthName = "healthz" | "livez" | "readyz";

/** What scripts wait for that start a server: it does not answer before. The names are those of a real server, whether or not there is such a thing here. */
const startHooks: readonly string[] = [
  "start-apiserver-admission-initializer",
  "generic-apiserver-start-informers",
  "priority-and-fairness-config-consumer",
  "priority-and-fairness-filter",
  "storage-object-count-tracker-hook",
  "start-apiextensions-informers",
  "start-apiextensions-controllers",
  "crd-informer-synced",
  "start-system-namespaces-controller",
  "peer-endpoint-reconciler-controller",
  "start-cluster-authentication-info-controller",
  "start-kube-apiserver-identity-lease-controller",
  "start-kube-apiserver-identity-lease-garbage-collector",
  "storage-readiness",
  "start-legacy-token-tracking-controller",
  "start-service-ip-repair-controllers",
  "rbac/bootstrap-roles",
  "scheduling/bootstrap-system-priority-classes",
  "priority-and-fairness-config-producer",
  "bootstrap-controller",
  "start-kubernetes-service-cidr-controller",
  "start-kube-aggregator-informers",
  "apiservice-status-local-available-controller",
  "apiservice-status-remote-available-controller",
  "apiservice-registration-controller",
  "apiservice-discovery-controller",
  "kube-apiserver-autoregistration",
];

const lastHooks: readonly string[] = ["apiservice-openapi-controller", "apiservice-openapiv3-controller"];

/** What is checked, in the order of a real server; there is nothing that could be unwell while the server answers at all. */
function checksOf(name: HealthName): readonly string[] {
  const isReady = name === "readyz";
  return [
    ...["ping", "log"],
    ...(isReady ? ["etcd", "etcd-readiness", "informer-sync"] : ["loopback-serving-certificate", "etcd"]),
    ...startHooks.map((hook) => `poststarthook/${hook}`),
    "autoregister-completion",
    ...lastHooks.map((hook) => `poststarthook/${hook}`),
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
