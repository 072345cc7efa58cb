import assert from "node:assert/strict";
import { test } from "node:test";
import { conflict, isReason } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { ConfigMap } from "@kaji/types/core/v1";
import { mutateObject } from "./mutate.ts";

/** A store of one object, in which another client writes before each of our first writes. */
function contested(disturbances: number): { read(): Promise<ConfigMap>; write(next: object): Promise<ConfigMap>; writes: number } {
  let version = 1;
  let stored: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", resourceVersion: "1" } };
  let left = disturbances;
  return {
    writes: 0,
    read: async () => stored,
    async write(next) {
      this.writes++;
      if (left-- > 0) stored = { ...stored, metadata: { ...stored.metadata, resourceVersion: String(++version) } };
      const object = next as ConfigMap;
      if (object.metadata.resourceVersion !== stored.metadata.resourceVersion) throw conflict(ConfigMap, "a", "changed");
      stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(++version) } };
      return stored;
    },
  };
}

const withData = (current: ConfigMap): ConfigMap => ({ ...current, data: { k: "v" } });

test("[CL30] a Conflict is tried again on what is there now, with growing delays", async () => {
  const target = contested(3);
  const clock = new ManualClock();
  const done = mutateObject(target, withData, { clock, random: seededRandom(1) });
  await clock.advance(10 + 20 + 40);
  assert.deepEqual((await done).data, { k: "v" });
  assert.equal(target.writes, 4);
  assert.equal(clock.pending, 0);
});

test("[CL31] after the last attempt the Conflict is thrown", async () => {
  const target = contested(100);
  const clock = new ManualClock();
  const done = mutateObject(target, withData, { clock, random: seededRandom(1), attempts: 3 });
  done.catch(() => {});
  await clock.advance(1000);
  await assert.rejects(done, (error) => isReason(error, "Conflict"));
  assert.equal(target.writes, 3);
});

test("[CL32] what would change nothing is not written", async () => {
  const target = contested(0);
  const options = { clock: new ManualClock(), random: seededRandom(1) };
  await mutateObject(target, (current) => ({ ...current, metadata: { ...current.metadata } }), options);
  await mutateObject(target, () => undefined, options);
  assert.equal(target.writes, 0);
});

test("[CL33] a change cannot lose the version it is based on", async () => {
  const target = contested(0);
  const done = await mutateObject(target, () => ({ metadata: { name: "a" }, data: { k: "v" } }), {
    clock: new ManualClock(),
    random: seededRandom(1),
  });
  assert.equal(done.metadata.resourceVersion, "2");
});

test("[CL34] aborting ends the waiting", async () => {
  const abort = new AbortController();
  const done = mutateObject(contested(100), withData, { clock: new ManualClock(), random: seededRandom(1), signal: abort.signal });
  setImmediate(() => abort.abort(new Error("stop")));
  await assert.rejects(done, /stop/);
});
