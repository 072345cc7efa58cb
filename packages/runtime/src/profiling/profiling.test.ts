import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@kaji/core/testing";
import { Profiling } from "./profiling.ts";

function ask(profiling: Profiling, path: string, query = ""): ReturnType<Profiling["answer"]> {
  return profiling.answer({ method: "GET", path, query: new URLSearchParams(query), bearerToken: undefined });
}

test("[HS5] a profile is what was sampled for the seconds that were asked for, one at a time", async () => {
  const clock = new ManualClock();
  const profiling = new Profiling(clock);
  for (const [path, key] of [
    ["/debug/cpu-profile", "nodes"],
    ["/debug/heap-profile", "head"],
  ] as const) {
    const answer = ask(profiling, path, "seconds=2");
    await clock.advance(1000);
    assert.equal((await ask(profiling, path)).status, 409);
    await clock.advance(1000);
    const { status, body } = await answer;
    assert.equal(status, 200);
    assert.ok(key in JSON.parse(body));
  }
});

test("[HS5] other paths and lengths are refused", async () => {
  const profiling = new Profiling(new ManualClock());
  for (const path of ["/", "/debug", "/debug/other-profile", "/debug/cpu-profile/x"])
    assert.equal((await ask(profiling, path)).status, 404);
  for (const seconds of ["0", "-1", "301", "x", "Infinity"]) {
    assert.equal((await ask(profiling, "/debug/cpu-profile", `seconds=${seconds}`)).status, 400);
  }
});
