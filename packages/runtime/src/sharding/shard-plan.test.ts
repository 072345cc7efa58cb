import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Lease } from "@kaji/types/coordination/v1";
import type { SeenReplica, SeenShard, ShardView } from "./shard-board.ts";
import { planShards } from "./shard-plan.ts";
import type { ShardMove } from "./shard-plan.ts";

function leaseOf(name: string): Lease {
  return { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name } };
}

const replica = (identity: string, count: number, deadMs = Infinity): SeenReplica => ({
  lease: leaseOf(identity),
  identity,
  count,
  deadMs,
});
const shard = (index: number, count: number, holder: string, freeMs = holder === "" ? 0 : Infinity): SeenShard => ({
  lease: leaseOf(`shard-${index}`),
  shard: index,
  count,
  holder,
  freeMs,
});
const sharer = (identity: string, count: number, held: readonly number[] = [], hasJoined = true) => ({
  identity,
  count,
  hasJoined,
  held: new Set(held),
  open: new Map(held.map((each) => [each, 0])),
});
const viewOf = (replicas: readonly SeenReplica[], shards: readonly SeenShard[] = [], count = 4): ShardView => ({
  layout: { lease: leaseOf("layout"), count },
  replicas,
  shards,
});
const typesOf = (moves: readonly ShardMove[]): readonly string[] => moves.map(({ type }) => type);

test("[SHARD1] from wherever they begin, replicas that act one after the other all come to their share, and then do nothing", () => {
  const replicas = fc.integer({ min: 1, max: 6 });
  const holders = fc.array(fc.integer({ min: -1, max: 5 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(replicas, holders, (size, first) => {
      const count = first.length;
      const names = Array.from({ length: size }, (_, index) => `r${index}`);
      const held = first.map((holder) => names[holder] ?? "");
      const moves = (name: string): readonly ShardMove[] => {
        const own = held.flatMap((holder, index) => (holder === name ? [index] : []));
        const view = viewOf(
          names.map((each) => replica(each, count)),
          held.map((holder, index) => shard(index, count, holder)),
          count,
        );
        return planShards(view, sharer(name, count, own), 0).moves;
      };
      let rounds = 0;
      for (let isMoving = true; isMoving; rounds++) {
        isMoving = false;
        for (const name of names) {
          for (const move of moves(name)) {
            assert.ok(move.type === "Claim" || move.type === "Shed");
            assert.equal(held[move.shard], move.type === "Claim" ? "" : name, "only what is free is taken");
            held[move.shard] = move.type === "Claim" ? name : "";
            isMoving = true;
          }
        }
        assert.ok(rounds < 4, "it does not come to rest");
      }
      const sizes = names.map((name) => held.filter((holder) => holder === name).length);
      assert.ok(held.every((holder) => holder !== "") && Math.max(...sizes) - Math.min(...sizes) <= 1, sizes.join());
      assert.deepEqual(
        sizes,
        sizes.toSorted((left, right) => right - left),
        "the eldest have the most",
      );
    }),
  );
});

test("[SHARD1] what is free is divided among those who lack shards, so that no two want the same one", () => {
  const view = viewOf([replica("a", 6), replica("b", 6), replica("c", 6)], [shard(0, 6, "a")], 6);
  const wanted = (name: string, held: readonly number[] = []): readonly (number | undefined)[] =>
    planShards(view, sharer(name, 6, held), 0).moves.map((move) => ("shard" in move ? move.shard : undefined));
  assert.deepEqual([wanted("a", [0]), wanted("b"), wanted("c")], [[1], [2, 3], [4, 5]]);
});

test("[SHARD5] of those that it holds too many of, a replica gives up the least busy", () => {
  const open = new Map([
    [0, 3],
    [1, 0],
    [2, Infinity],
    [3, 1],
  ]);
  const shards = [0, 1, 2, 3].map((index) => shard(index, 4, "a"));
  const { moves } = planShards(viewOf([replica("a", 4), replica("b", 4)], shards), { ...sharer("a", 4, [0, 1, 2, 3]), open }, 0);
  assert.deepEqual(moves, [
    { type: "Shed", shard: 1 },
    { type: "Shed", shard: 3 },
  ]);
});

test("[SHARD3] a replica that is dead is buried first; its shards are taken when its lease is gone and its time over", () => {
  const shards = [shard(0, 1, "b", Infinity)];
  const dead = planShards(viewOf([replica("a", 1), replica("b", 1, 500)], shards, 1), sharer("a", 1), 500);
  assert.deepEqual(typesOf(dead.moves), ["Bury"]);
  const early = planShards(viewOf([replica("a", 1)], [shard(0, 1, "b", 500)], 1), sharer("a", 1), 499);
  assert.deepEqual([early.moves, early.untilMs], [[], 500]);
  assert.deepEqual(typesOf(planShards(viewOf([replica("a", 1)], [shard(0, 1, "b", 500)], 1), sharer("a", 1), 500).moves), ["Claim"]);
});

test("[SHARD6] a replica with another number of shards joins when no other lives, nor could still be at work", () => {
  const joins = (view: ShardView): boolean => planShards(view, sharer("a", 8, [], false), 100).moves.some(({ type }) => type === "Join");
  assert.equal(joins(viewOf([replica("a", 8), replica("b", 4)])), false);
  assert.equal(joins(viewOf([replica("a", 8), replica("b", 4, 50)])), false, "it may be at work until it is buried");
  assert.equal(joins(viewOf([replica("a", 8)], [shard(0, 4, "b", 101)])), false);
  assert.equal(joins(viewOf([replica("a", 8)], [shard(0, 4, "b", 100)])), true);
  assert.equal(joins(viewOf([replica("a", 8), replica("", 4)])), true, "it has ended in order");
  assert.equal(joins({ ...viewOf([replica("a", 8), replica("b", 4)], [], 8) }), true, "those others are the ones that wait");
});

test("[SHARD13] a claim whose answer was lost is noticed, and a shard whose lease somebody else changed is lost", () => {
  const view = viewOf([replica("a", 2)], [shard(0, 2, "a"), shard(1, 2, "x")], 2);
  assert.deepEqual(
    planShards(view, sharer("a", 2, [1]), 0).moves.map(({ type }) => type),
    ["Lose", "Claim"],
  );
});
