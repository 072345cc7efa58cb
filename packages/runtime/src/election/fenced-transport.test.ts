import assert from "node:assert/strict";
import { test } from "node:test";
import type { Transport, TransportRequest } from "@kaji/core";
import { fencedTransport } from "./fenced-transport.ts";
import { LeaseLostError } from "./lease-lost-error.ts";

test("[EL13] once the lease may be lost no write is sent, and reads are", async () => {
  const sent: string[] = [];
  const inner: Transport = async ({ method }) => {
    sent.push(method);
    return { status: 200, headers: {}, body: (async function* () {})() };
  };
  let isLost = false;
  const transport = fencedTransport(inner, () => {
    if (isLost) throw new LeaseLostError("Expired", "the lease was not renewed");
  });
  const send = (method: TransportRequest["method"]): Promise<unknown> => transport({ method, path: "/", headers: {} });
  await send("POST");
  isLost = true;
  for (const method of ["POST", "PUT", "PATCH", "DELETE"] as const) await assert.rejects(send(method), LeaseLostError);
  for (const method of ["GET", "HEAD", "OPTIONS"] as const) await send(method);
  assert.deepEqual(sent, ["POST", "GET", "HEAD", "OPTIONS"]);
});
