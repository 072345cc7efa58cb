import type { operatorApis } from "../api/operator-apis.ts";
import type { OperatorDeclaration } from "./define-operator.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { SelfSignedCertificate } from "../certificates/self-signed-certificate.ts";
import type { Profiling } from "../profiling/profiling.ts";
import type { ReconcileHistory } from "../profiling/reconcile-history.ts";
import type { operatorWebhooks } from "../webhook/operator-webhooks.ts";
import type { OperatorSettings } from "./operator-settings.ts";

/** Code that is loaded where it is wanted, since most of an operator's start is the loading of code. */
export interface OptionalParts {
  /** Undefined when no metrics are served: nothing is measured then. */
  readonly metrics: Metrics | undefined;
  /** Undefined: no API server calls the operator. */
  readonly operatorWebhooks: typeof operatorWebhooks | undefined;
  /** Undefined: the operator has no APIs. */
  readonly operatorApis: typeof operatorApis | undefined;
  /** Undefined: no profiles are taken, and nobody asks what reconciles have done. */
  readonly profiling: { readonly Profiling: typeof Profiling; readonly ReconcileHistory: typeof ReconcileHistory } | undefined;
  /** Undefined: metrics are served with certificates of files, or without any. */
  readonly selfSigned: typeof SelfSignedCertificate | undefined;
}

/** Loads what an operator needs, and no more. */
export async function loadOptionalParts(
  { webhooks = [], conversions = [], apis = [] }: OperatorDeclaration,
  { metricsAddress, metricsAuth, metricsCertificate, profilingAddress }: OperatorSettings,
): Promise<OptionalParts> {
  const isCalled = webhooks.length + conversions.length + apis.length > 0;
  // Tokens are not to be sent in the clear.
  const isSelfSigned = metricsAddress !== undefined && metricsAuth && metricsCertificate === undefined;
  return {
    metrics: metricsAddress === undefined ? undefined : new (await import("../metrics/metrics.ts")).Metrics(),
    operatorWebhooks: isCalled ? (await import("../webhook/operator-webhooks.ts")).operatorWebhooks : undefined,
    operatorApis: await apis[0]?.server(),
    profiling:
      profilingAddress === undefined
        ? undefined
        : { ...(await import("../profiling/profiling.ts")), ...(await import("../profiling/reconcile-history.ts")) },
    selfSigned: isSelfSigned ? (await import("../certificates/self-signed-certificate.ts")).SelfSignedCertificate : undefined,
  };
}
