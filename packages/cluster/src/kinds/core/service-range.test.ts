import assert from "node:assert/strict";
import { test } from "node:test";
import type { DynamicObject } from "@kaji/core";
import { serviceIps } from "./service-range.ts";

const range = (name: string, cidrs: readonly string[], status: DynamicObject["status"] = {}): DynamicObject => ({
  apiVersion: "networking.k8s.io/v1",
  kind: "ServiceCIDR",
  metadata: { name },
  spec: { cidrs },
  status,
});

test("[SVC1] without a ServiceCIDR there are the 254 addresses of kube-apiserver", () => {
  const pool = serviceIps([]);
  assert.deepEqual(
    [pool.range, pool.size, pool.at(0), pool.at(237), pool.at(238), pool.at(253)],
    ["10.0.0.0/24", 254, "10.0.0.17", "10.0.0.254", "10.0.0.1", "10.0.0.16"],
  );
  assert.deepEqual(
    ["10.0.0.0", "10.0.0.1", "10.0.0.254", "10.0.0.255", "10.0.1.1", "None", "::1"].map((ip) => pool.has(ip)),
    [false, true, true, false, false, false, false],
  );
});

test("[SVC1] of several ServiceCIDRs there are all addresses, those that are kept for whoever asks last", () => {
  const pool = serviceIps([range("a", ["10.1.0.0/27"]), range("b", ["10.2.0.0/12", "fd00::/108"])]);
  assert.equal(pool.range, "10.1.0.0/27,10.2.0.0/12");
  assert.deepEqual([pool.size, pool.dynamic], [30 + 2 ** 20 - 2, 14 + 2 ** 20 - 2 - 256]);
  assert.deepEqual(
    [0, 13, 14, pool.dynamic, pool.size - 1].map((index) => pool.at(index)),
    ["10.1.0.17", "10.1.0.30", "10.0.1.1", "10.1.0.1", "10.0.1.0"],
  );
  assert.throws(() => pool.at(pool.size), RangeError);
});

test("[SVC1] small ranges keep nothing, and the smallest have nothing", () => {
  assert.deepEqual(
    ["10.1.0.0/28", "10.1.0.0/30", "10.1.0.0/31", "10.1.0.0/32"]
      .map((cidr) => serviceIps([range("a", [cidr])]))
      .map((pool) => [pool.size, pool.dynamic]),
    [
      [14, 14],
      [2, 2],
      [0, 0],
      [0, 0],
    ],
  );
});

test("[SVC1] a ServiceCIDR that is not ready, or goes, has nothing to give", () => {
  const ready = (status: string): DynamicObject["status"] => ({ conditions: [{ type: "Ready", status }] });
  const going = range("going", ["10.3.0.0/24"]);
  const pool = serviceIps([
    range("ready", ["10.1.0.0/24"], ready("True")),
    range("unready", ["10.2.0.0/24"], ready("False")),
    { ...going, metadata: { name: "going", deletionTimestamp: "2026-01-01T00:00:00Z" } },
  ]);
  assert.equal(pool.range, "10.1.0.0/24");
  assert.equal(serviceIps([range("unready", ["10.2.0.0/24"], ready("False"))]).size, 0);
});
