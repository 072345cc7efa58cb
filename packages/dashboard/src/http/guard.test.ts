import assert from "node:assert/strict";
import { test } from "node:test";
import { refusalOf, tokenRefusal } from "./guard.ts";

const status = (headers: Readonly<Record<string, string>>, method = "GET"): number | undefined => refusalOf({ method, headers })?.status;

test("[DB2] only requests to this machine by its own name are answered, and none of another page", () => {
  for (const host of ["127.0.0.1:8001", "localhost", "localhost:1", "[::1]:8001"]) assert.equal(status({ host }), undefined, host);
  for (const host of [
    "",
    "evil.example",
    "127.0.0.1.evil.example",
    "localhost.evil.example:80",
    "127.0.0.1:80@evil.example",
    "192.168.0.1",
  ])
    assert.equal(status({ host }), 403, host);
  assert.equal(status({ host: "localhost:1", origin: "http://localhost:1" }), undefined);
  for (const origin of ["null", "http://evil.example", "http://localhost:2", "https://localhost:1", "http://localhost"])
    assert.equal(status({ host: "localhost:1", origin }), 403, origin);
});

test("[DB1] nothing can be written", () => {
  for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) assert.equal(status({ host: "localhost" }, method), 405);
  assert.equal(status({ host: "localhost" }, "HEAD"), undefined);
});

test("[DB3] the cluster is told of only to who has the token", () => {
  const refused = (authorization?: string): boolean =>
    tokenRefusal({ headers: authorization === undefined ? {} : { authorization } }, "secret") !== undefined;
  assert.equal(refused("Bearer secret"), false);
  for (const given of [undefined, "", "Bearer", "Bearer ", "secret", "Bearer secre", "Bearer secret2", "Basic secret", "bearer secret"])
    assert.equal(refused(given), true, given);
});
