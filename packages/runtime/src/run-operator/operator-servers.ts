import type { KubeClient } from "@kaji/client";
import { answerHealth } from "../health/health-checks.ts";
import type { HealthCheck } from "../health/health-checks.ts";
import { httpServer } from "../manager/http-server.ts";
import type { HttpRequest } from "../manager/http-server.ts";
import type { HttpReply } from "../manager/http-reply.ts";
import type { Runnable } from "../manager/runnable.ts";
import { AccessReview } from "../metrics/access-review.ts";
import { answerMetrics } from "../metrics/answer-metrics.ts";
import type { SelfSignedCertificate } from "../certificates/self-signed-certificate.ts";
import { CertificateFiles } from "../certificates/certificate-files.ts";
import { ownNamespace } from "./operator-parts.ts";
import type { OperatorParts } from "./operator-parts.ts";

/** Serves `/healthz`, `/livez` and `/readyz`, the last with these checks besides those of the author; nothing if there is no address for it. */
export function healthServers({ settings, options, log }: OperatorParts, checks: () => readonly HealthCheck[]): readonly Runnable[] {
  const { healthAddress: address } = settings;
  if (address === undefined) return [];
  const { readiness = [], liveness = [] } = options;
  const alive: readonly HealthCheck[] = [{ name: "ping", check: () => ({ ok: true }) }, ...liveness];
  const paths = { healthz: () => alive, livez: () => alive, readyz: () => [...alive, ...checks(), ...readiness] };
  const remedy = "choose another with --health-address, or 0 for none";
  return [httpServer({ name: "health", address, remedy, log, answer: (question) => answerHealth(paths, question) })];
}

/** Serves `/metrics` and what the author serves beside it, and keeps the certificate of that; nothing if there is no address for it. */
export function metricsServers(parts: OperatorParts, client: KubeClient): readonly Runnable[] {
  const { settings, options, surroundings, log, optional } = parts;
  const { metricsAddress: address, metricsAuth } = settings;
  const { metrics } = optional;
  if (address === undefined || metrics === undefined) return [];
  metrics.collectProcess();
  const review = metricsAuth ? new AccessReview({ client, clock: surroundings.clock }) : undefined;
  const certificates = metricsCertificates(parts);
  const remedy = "choose another with --metrics-address, or 0 for none";
  return [
    ...(certificates === undefined ? [] : [{ name: "certificate of metrics", run: (signal: AbortSignal) => certificates.run(signal) }]),
    httpServer({
      name: "metrics",
      address,
      remedy,
      certificates,
      log,
      answer: (question) => answerMetrics(metrics, question, { review, handlers: options.metricsHandlers }),
    }),
  ];
}

/** Undefined: metrics are served in the clear. */
function metricsCertificates(parts: OperatorParts): CertificateFiles | SelfSignedCertificate | undefined {
  const { settings, options, surroundings, log, optional } = parts;
  const { clock, random } = surroundings;
  const { metricsCertificate: files } = settings;
  if (files !== undefined) return new CertificateFiles({ ...files, clock, log });
  const names = [`${options.name}-metrics.${ownNamespace(parts)}.svc`, "localhost"];
  return optional.selfSigned === undefined ? undefined : new optional.selfSigned({ names, clock, random });
}

/** Serves profiles of the process, and what the last reconciles did; nothing if there is no address for them. To be made before the controllers. */
export function profilingServers({ settings, surroundings, log, optional }: OperatorParts): readonly Runnable[] {
  const { profilingAddress: address } = settings;
  if (address === undefined || optional.profiling === undefined) return [];
  const { Profiling, ReconcileHistory } = optional.profiling;
  const profiling = new Profiling(surroundings.clock);
  const history = new ReconcileHistory(surroundings.clock);
  const remedy = "choose another with --profiling-address";
  const answer = async (question: HttpRequest): Promise<HttpReply> =>
    question.path === "/debug/reconciles" ? history.answer() : profiling.answer(question);
  const server = httpServer({ name: "profiles", address, remedy, log, answer });
  const run = async (signal: AbortSignal): Promise<void> => {
    using _history = history;
    await server.run(signal);
  };
  return [{ ...server, run }];
}
