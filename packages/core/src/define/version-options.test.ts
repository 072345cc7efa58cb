import assert from "node:assert/strict";
import { test } from "node:test";
import type { Scale } from "./version-options.ts";

test("[DEF13] where the status has no number, the type of the path to one says so", () => {
  type Counted = Scale<{ readonly spec: { readonly size: number }; readonly status?: { readonly phase: string } }>;
  const inSpec = (path: Counted["specReplicasPath"]): "spec.size" => path;
  const inStatus = (path: Counted["statusReplicasPath"]): "the status has no number of replicas" => path;
  assert.deepEqual([inSpec("spec.size").length, inStatus.length], [9, 1]);
});
