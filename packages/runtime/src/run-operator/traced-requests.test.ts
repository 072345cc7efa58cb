import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { test } from "node:test";
import { ROOT_CONTEXT, context, trace } from "@opentelemetry/api";
import type { Context, ContextManager, Span, Tracer } from "@opentelemetry/api";
import type { TransportRequest } from "@kaji/core";
import { tracedRequests } from "./traced-requests.ts";

const storage = new AsyncLocalStorage<Context>();
const manager: ContextManager = {
  active: () => storage.getStore() ?? ROOT_CONTEXT,
  with: (active, call, self, ...parameters) => storage.run(active, () => call.apply(self, parameters)),
  bind: (_active, target) => target,
  enable: () => manager,
  disable: () => manager,
};

test("[TRA2] a request is a span where it is part of one, and not otherwise", async (t) => {
  t.after(() => {
    trace.disable();
    context.disable();
  });
  const names: string[] = [];
  const span = trace.wrapSpanContext({ traceId: "1".repeat(32), spanId: "1".repeat(16), traceFlags: 1 });
  const startSpan = (name: string): Span => (names.push(name), span);
  context.setGlobalContextManager(manager);
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) as Tracer });
  const send = tracedRequests(async () => ({ status: 200, headers: {}, body: (async function* () {})() }));
  const get = (path: string): TransportRequest => ({ method: "GET", path, headers: {} });
  await send(get("/apis/coordination.k8s.io/v1/namespaces/a/leases/b"));
  await context.with(trace.setSpan(context.active(), span), () => send(get("/api/v1/nodes/a")));
  assert.deepEqual(names, ["GET /api/v1/nodes/{name}"]);
});
