import assert from "node:assert/strict";
import { test } from "node:test";
import type { Attributes, Meter, Span, Tracer } from "@opentelemetry/api";
import { createNoopMeter, trace } from "@opentelemetry/api";
import { bodyBytes } from "@kaji/core";
import type { TransportRequest } from "@kaji/core";
import { ManualClock } from "@kaji/core/testing";
import { traced } from "./opentelemetry.ts";
import { scriptedTransport } from "./testing/scripted-transport.ts";
import { TransportError } from "./transport-error.ts";

/** A tracer and a meter that write down what they are told. */
function recorder(): { tracer: Tracer; meter: Meter; told: string[] } {
  const told: string[] = [];
  const idle = trace.wrapSpanContext({ traceId: "0".repeat(32), spanId: "0".repeat(16), traceFlags: 0 });
  const startSpan = (name: string): Span => {
    told.push(`start ${name}`);
    return Object.assign(Object.create(idle) as Span, {
      setAttributes: (attributes: Attributes) => told.push(JSON.stringify(attributes)),
      setStatus: ({ code }: { readonly code: number }) => told.push(`status ${code}`),
      end: () => told.push("end"),
    });
  };
  const tracer = { startSpan } as Tracer;
  const meter: Meter = Object.assign(createNoopMeter(), {
    createHistogram: (name: string) => ({ record: (value: number) => told.push(`${name} ${value}`) }),
  });
  return { tracer, meter, told };
}

const get = (path: string): TransportRequest => ({ method: "GET", path, headers: { accept: "a" } });

test("[OTEL2] a request is a span and a measurement, which end with the body", async () => {
  const { tracer, meter, told } = recorder();
  const clock = new ManualClock();
  const { transport, requests } = scriptedTransport([{ body: "{}" }]);
  const { body } = await traced(transport, { tracer, meter, clock })(get("/api/v1/nodes/a"));
  assert.deepEqual(told, ["start GET /api/v1/nodes/{name}"]);
  await clock.advance(250);
  await bodyBytes(body);
  assert.deepEqual(told.slice(1), [
    '{"http.request.method":"GET","url.template":"/api/v1/nodes/{name}","http.response.status_code":200}',
    "end",
    "http.client.request.duration 0.25",
  ]);
  assert.equal(requests[0]?.headers["accept"], "a");
});

test("[OTEL2] the span ends with a reader that has enough of the body, too", async () => {
  const { tracer, meter, told } = recorder();
  const { transport } = scriptedTransport([{ body: ["a", "b"] }]);
  const { body } = await traced(transport, { tracer, meter, clock: new ManualClock() })(get("/api/v1/namespaces/a/pods/b/log"));
  for await (const _piece of body) break;
  assert.deepEqual(told.slice(2), ["end", "http.client.request.duration 0"]);
});

test("[OTEL3] refusals and failures are errors of the span", async () => {
  const { tracer, meter, told } = recorder();
  const { transport } = scriptedTransport([
    { status: 404 },
    new TransportError("Interrupted", "reset"),
    { body: ["a", new Error("broken")] },
  ]);
  const measured = traced(transport, { tracer, meter, clock: new ManualClock() });
  await bodyBytes((await measured(get("/a"))).body);
  await assert.rejects(measured(get("/b")));
  await assert.rejects(bodyBytes((await measured(get("/c"))).body), /broken/);
  assert.deepEqual(
    told.filter((each) => each.startsWith("{")).map((each) => (JSON.parse(each) as Attributes)["error.type"]),
    ["404", "Interrupted", "Error"],
  );
  assert.equal(told.filter((each) => each === "end").length, 3);
});

test("[OTEL4] the span of a watch ends when the watch has begun", async () => {
  const { tracer, meter, told } = recorder();
  const { transport } = scriptedTransport([{ body: ["event\n"] }]);
  const { body } = await traced(transport, { tracer, meter, clock: new ManualClock() })(get("/api/v1/pods?watch=true"));
  const begun = [
    "start GET /api/v1/pods",
    '{"http.request.method":"GET","url.template":"/api/v1/pods","http.response.status_code":200}',
    "end",
    "http.client.request.duration 0",
  ];
  assert.deepEqual(told, begun);
  await bodyBytes(body);
  assert.deepEqual(told, begun);
});

test("[OTEL5] without a tracer or meter provider, nothing changes", async () => {
  const { transport } = scriptedTransport([{ body: "{}" }]);
  const { body } = await traced(transport)(get("/version"));
  assert.equal(Buffer.from(await bodyBytes(body)).toString(), "{}");
});

test("[OTEL6] the provider of an SDK that has version 1.9 of the API, as those of today, is used", async () => {
  const { tracer, told } = recorder();
  // As that version of the API registers it: a copy of the API takes no provider of one that is older than itself.
  const registry = Symbol.for("opentelemetry.js.api.1");
  Object.assign(globalThis, { [registry]: { version: "1.9.0", trace: { getTracer: () => tracer } } });
  const { transport } = scriptedTransport([{ body: "{}" }]);
  try {
    await traced(transport)(get("/version"));
  } finally {
    Reflect.deleteProperty(globalThis, registry);
  }
  assert.deepEqual(told, ["start GET /version"]);
});
