import type { OperatorDeclaration } from "./define-operator.ts";
import type { ElectionTiming } from "../election/election-timing.ts";
import type { HealthCheck } from "../health/health-checks.ts";
import type { Log } from "../log/log.ts";
import type { HttpHandler } from "../manager/http-server.ts";
import type { OperatorRunnable } from "./operator-runnable.ts";
import type { OperatorSettings } from "./operator-settings.ts";
import type { OptionalParts } from "./optional-parts.ts";
import type { ConnectedServer, Surroundings } from "./surroundings.ts";

/** What an operator is made of, and what else runs with it. */
export interface RunOptions extends OperatorDeclaration {
  /** Further parts of the program. */
  readonly runnables?: readonly OperatorRunnable[] | undefined;
  /** What else has to be well for it to be ready: `/readyz` fails until it is. */
  readonly readiness?: readonly HealthCheck[] | undefined;
  /** What has to be well for it to live: `/healthz` and `/livez` fail while it is not, and the kubelet restarts it. */
  readonly liveness?: readonly HealthCheck[] | undefined;
  /** What else is served beside `/metrics`, by path, and to the same people. */
  readonly metricsHandlers?: Readonly<Record<string, HttpHandler>> | undefined;
  /** Times of the election. Default: those of client-go, 15, 10 and 2 s. */
  readonly electionTiming?: ElectionTiming | undefined;
}

/** What an operator is made of in a process. */
export interface OperatorParts {
  readonly options: RunOptions;
  readonly settings: OperatorSettings;
  readonly surroundings: Pick<Surroundings, "clock" | "random" | "hostname" | "env">;
  readonly log: Log;
  readonly main: ConnectedServer;
  /** Has a connection of its own, so that no other request can delay a renewal. Undefined: no election. */
  readonly election: ConnectedServer | undefined;
  /** What not every operator has, and only then is loaded. */
  readonly optional: OptionalParts;
}

/** The namespace that an operator runs in. */
export function ownNamespace({ surroundings, main }: OperatorParts): string {
  return surroundings.env["POD_NAMESPACE"] ?? main.namespace;
}
