import { trace } from "@opentelemetry/api";
import { traced } from "@kaji/client/opentelemetry";
import type { Transport } from "@kaji/core";

/**
 * A transport whose requests are spans where they are part of one, such as that of a reconcile. What keeps an operator going by itself is none: the renewals of a lease alone would be more than all the rest.
 */
export function tracedRequests(transport: Transport): Transport {
  const withSpan = traced(transport);
  return (request) => (trace.getActiveSpan() === undefined ? transport(request) : withSpan(request));
}
