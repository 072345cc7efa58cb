import { INVALID_SPAN_CONTEXT, trace } from "@opentelemetry/api";
import type { AttributeValue, Span, SpanOptions, Tracer } from "@opentelemetry/api";
import { systemClock } from "@kaji/core";

/** Told to import this module, with the variable set, an operator writes a line for each of its reconciles. */
export const reconcileLog: { readonly module: string; readonly variable: string } = {
  module: import.meta.url,
  variable: "KAJI_DEV_RECONCILES",
};

if (process.env[reconcileLog.variable] === "1") {
  const tracer = reconcileTracer((line) => process.stderr.write(line));
  trace.setGlobalTracerProvider({ getTracer: () => tracer });
}

/** A tracer to which a span is no more than a line about the reconcile that it stands for. */
export function reconcileTracer(say: (line: string) => void): Tracer {
  const startSpan = (_name: string, { attributes = {} }: SpanOptions = {}): Span => {
    const startMs = systemClock.monotonic();
    const noted: Record<string, unknown> = { ...attributes };
    const span = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);
    return Object.assign(span, {
      setAttribute: (name: string, value: AttributeValue) => ((noted[name] = value), span),
      end: () => {
        const line = reconcileLine(noted, systemClock.monotonic() - startMs);
        if (line !== undefined) say(line);
      },
    });
  };
  return {
    startSpan,
    // Whatever comes between the name and the function is options, and perhaps a context that nothing here asks for.
    startActiveSpan<F extends (span: Span) => unknown>(name: string, ...rest: readonly unknown[]): ReturnType<F> {
      const run = rest.at(-1) as F;
      const options = rest.length > 1 ? (rest[0] as SpanOptions) : {};
      return run(startSpan(name, options)) as ReturnType<F>;
    },
  };
}

const outcomes: ReadonlyMap<unknown, string> = new Map([
  ["Done", "done"],
  ["Requeue", "done for the moment, and again at once"],
  ["RequeueAfter", "done for the moment, and again later"],
  ["Conflict", "somebody else wrote at the same time; again at once"],
  ["Error", "failed, and will be retried"],
  ["Timeout", "took too long, and will be retried"],
  ["TerminalError", "failed for good"],
]);

/** `reconciled Bar default/example in 9 ms: done`; undefined for a span of something else. */
function reconcileLine(attributes: Readonly<Record<string, unknown>>, durationMs: number): string | undefined {
  const outcome = outcomes.get(attributes["kaji.outcome"]);
  if (outcome === undefined) return undefined;
  const [, kind = ""] = String(attributes["k8s.object.kind"]).split("Kind=");
  return `reconciled ${kind} ${String(attributes["k8s.object.key"])} in ${Math.round(durationMs)} ms: ${outcome}\n`;
}
