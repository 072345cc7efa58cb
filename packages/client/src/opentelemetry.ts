import { SpanKind, SpanStatusCode, context, metrics, propagation, trace } from "@opentelemetry/api";
import type { Attributes, Context, Histogram, Meter, Span, Tracer } from "@opentelemetry/api";
import { errorMessage, systemClock } from "@kaji/core";
import type { Clock, Transport, TransportRequest, TransportResponse } from "@kaji/core";
import { isStream, pathTemplate } from "./request/api-path.ts";
import { TransportError } from "./transport-error.ts";

/** Where spans and measurements go. */
export interface TelemetryOptions {
  /** Default: that of the tracer provider which the program has registered. */
  readonly tracer?: Tracer | undefined;
  /** Default: that of the meter provider which the program has registered. */
  readonly meter?: Meter | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * A transport whose requests are spans and are measured, named as OpenTelemetry's conventions for HTTP clients want it; the server is told
 * of the span, so that its own can go on from it. A span ends with the answer, that of a watch or a log where its answer begins.
 */
export function traced(transport: Transport, options: TelemetryOptions = {}): Transport {
  const { tracer = trace.getTracer(name), meter = metrics.getMeter(name), clock = systemClock } = options;
  const durations = meter.createHistogram("http.client.request.duration", {
    unit: "s",
    description: "Duration of requests to the API server.",
  });
  return async (request) => {
    const measured = new MeasuredRequest(request, { tracer, durations, clock });
    try {
      return measured.answered(await measured.send(transport));
    } catch (error) {
      measured.failed(error);
      throw error;
    }
  };
}

const name = "@kaji/client";

/** One request, its span and its time. */
class MeasuredRequest {
  readonly #request: TransportRequest;
  readonly #durations: Histogram;
  readonly #clock: Clock;
  readonly #startMs: number;
  readonly #span: Span;
  readonly #context: Context;
  #attributes: Attributes;

  constructor(
    request: TransportRequest,
    { tracer, durations, clock }: { readonly tracer: Tracer; readonly durations: Histogram; readonly clock: Clock },
  ) {
    this.#request = request;
    this.#durations = durations;
    this.#clock = clock;
    this.#startMs = clock.monotonic();
    const template = pathTemplate(request.path);
    this.#attributes = { "http.request.method": request.method, "url.template": template };
    this.#span = tracer.startSpan(
      `${request.method} ${template}`,
      { kind: SpanKind.CLIENT, attributes: this.#attributes },
      context.active(),
    );
    this.#context = trace.setSpan(context.active(), this.#span);
  }

  send(transport: Transport): Promise<TransportResponse> {
    const headers: Record<string, string> = { ...this.#request.headers };
    propagation.inject(this.#context, headers);
    return context.with(this.#context, () => transport({ ...this.#request, headers }));
  }

  answered(response: TransportResponse): TransportResponse {
    const { status, body } = response;
    this.#attributes = { ...this.#attributes, "http.response.status_code": status };
    if (status >= 400) {
      this.#attributes["error.type"] = String(status);
      this.#span.setStatus({ code: SpanStatusCode.ERROR });
    }
    if (!isStream(this.#request.path)) return { ...response, body: this.#toItsEnd(body) };
    this.#end();
    return response;
  }

  failed(error: unknown): void {
    this.#note(error);
    this.#end();
  }

  #note(error: unknown): void {
    const type = error instanceof TransportError ? error.reason : error instanceof Error ? error.name : "unknown";
    this.#attributes = { ...this.#attributes, "error.type": type };
    this.#span.setStatus({ code: SpanStatusCode.ERROR, message: errorMessage(error) });
  }

  async *#toItsEnd(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* body;
    } catch (error) {
      this.#note(error);
      throw error;
    } finally {
      // Also when its reader has enough of it.
      this.#end();
    }
  }

  #end(): void {
    this.#span.setAttributes(this.#attributes);
    this.#span.end();
    this.#durations.record((this.#clock.monotonic() - this.#startMs) / 1000, this.#attributes, this.#context);
  }
}
