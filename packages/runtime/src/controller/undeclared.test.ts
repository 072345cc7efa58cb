import assert from "node:assert/strict";
import { test } from "node:test";
import { use } from "../declare/declarations.ts";
import { defineController } from "../declare/define-controller.ts";
import { UndeclaredError } from "../declare/undeclared-error.ts";
import { Bar, Part, barDraft, barWorld } from "../testing/bar.ts";

test("[RUN16] what the compiler could not see is refused when it is done", async () => {
  await using world = await barWorld();
  let refused: unknown;
  world.start(
    defineController(Bar, {
      async reconcile(_bar, { client, cache }) {
        assert.throws(() => cache.get(Part as never, "default/a"), UndeclaredError);
        refused = await client.create(Part as never, { metadata: { name: "p" } }).catch((error: unknown) => error);
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.match(String(refused), /controller bar does not declare create of .*Part.*: add use\(Part, "create"\) to its uses/);
});

test("[RUN16] applying a child that is not declared is told to be owned, where it is written, and is not retried", async () => {
  await using world = await barWorld();
  let reconciles = 0;
  world.start(
    defineController(Bar, {
      async reconcile(_bar, { apply }) {
        reconciles++;
        await apply(Part as never, { metadata: { name: "p" } });
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.pass(3_600_000);
  assert.equal(reconciles, 1);
  const error = world.log.lines.find(({ level }) => level === "error")?.fields["err"];
  assert.ok(error instanceof UndeclaredError);
  assert.match(error.message, /controller bar does not declare apply of .*Part.*: add Part to its owns$/);
  assert.match(error.stack ?? "", /undeclared\.test\.ts/);
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 2 } });
  await world.settle();
  assert.equal(reconciles, 2);
});

test("[RUN16] so is creating a child of a kind that may be created, and is not owned", async () => {
  await using world = await barWorld();
  let refused: unknown;
  world.start(
    defineController(Bar, {
      uses: [use(Part, "create")],
      async reconcile(_bar, { create }) {
        refused = await create(Part as never, { metadata: { name: "p" } }).catch((error: unknown) => error);
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.match(String(refused), /controller bar does not declare apply of .*Part.*: add Part to its owns$/);
});
