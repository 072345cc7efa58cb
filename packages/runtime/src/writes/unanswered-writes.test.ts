import assert from "node:assert/strict";
import { test } from "node:test";
import { refusal, setControllerReference, unlessGone } from "@kaji/core";
import { owned, use } from "../declare/declarations.ts";
import { defineController } from "../declare/define-controller.ts";
import { Bar, Part, barDraft, barWorld } from "../testing/bar.ts";
import type { Fault, SeenRequest, TestWorld } from "../testing/test-world.ts";

/** From now on no event of a Part is heard; `fate` is that of the writes to them. */
function mute(world: TestWorld, fate: (request: SeenRequest) => Fault | undefined): void {
  world.breakWatches();
  world.intercept = (request) => {
    if (!request.path.includes("/parts")) return undefined;
    if (request.path.includes("watch=true")) throw new Error("the connection was reset");
    return request.method === "GET" ? undefined : fate(request);
  };
}

/** Makes a Part if there is none. */
const findingOrMaking = defineController(Bar, {
  owns: [owned(Part, { applied: false })],
  async reconcile({ spec }, { cache, client }) {
    const metadata = { name: spec.partName, namespace: "default" };
    if (cache.get(Part, metadata) === undefined) await client.create(Part, { metadata, spec: {} });
  },
});

/** How often the server has been asked about one Part. */
function asked({ requests }: TestWorld): number {
  return requests.filter(({ method, path }) => method === "GET" && /\/parts\/[^?]+/.test(path)).length;
}

test("[RUN32] what was made by a write whose answer was lost is in the cache when the object is finalized, before its event", async () => {
  await using world = await barWorld();
  world.start(
    defineController(Bar, {
      owns: [Part],
      async reconcile({ spec }, { apply }) {
        await apply(Part, { metadata: { name: spec.partName }, spec: { size: spec.size } });
      },
      async finalize(_bar, { cache, client }) {
        for (const part of cache.owned(Part)) await client.delete(Part, part);
      },
    }),
  );
  await world.settle();
  mute(world, ({ method }) => (method === "PATCH" ? "LoseAnswer" : undefined));
  world.executed = async ({ method, path }) => {
    if (method === "PATCH" && path.includes("/parts/")) await world.client.delete(Bar, "default/a");
  };
  await world.client.create(Bar, barDraft("a"));
  await world.pass(1000);
  assert.equal(await world.find(Bar, "default/a"), undefined);
  assert.equal(await world.find(Part, "default/a-part"), undefined);
  assert.equal(asked(world), 1);
});

test("[RUN32] so is what has a name of the server's making: no second one is made", async () => {
  await using world = await barWorld();
  world.start(
    defineController(Bar, {
      owns: [owned(Part, { applied: false })],
      async reconcile(bar, { cache, client }) {
        if ([...cache.owned(Part)].length > 0) return;
        const metadata = { generateName: `${bar.metadata.name}-`, namespace: "default" };
        await client.create(Part, setControllerReference(bar, { metadata, spec: {} }));
      },
    }),
  );
  await world.settle();
  mute(world, () => "LoseAnswer");
  await world.client.create(Bar, barDraft("a"));
  await world.pass(1000);
  world.intercept = () => undefined;
  await world.pass(60_000);
  assert.deepEqual(world.takeWrites(), ["POST parts"]);
});

test("[RUN32] what was deleted is deleted once, though nobody has heard of it", async () => {
  await using world = await barWorld();
  world.start(
    defineController(Bar, {
      owns: [owned(Part, { applied: false })],
      async reconcile(bar, { cache, client, create }) {
        const part = cache.get(Part, `default/${bar.spec.partName}`);
        if (part !== undefined && part.spec.size !== bar.spec.size) await client.delete(Part, part);
        await create(Part, { metadata: { name: bar.spec.partName }, spec: { size: bar.spec.size } });
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  world.takeWrites();
  mute(world, ({ method }) => (method === "DELETE" ? "LoseAnswer" : undefined));
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 2 } });
  await world.pass(1000);
  assert.deepEqual(world.takeWrites(), ["DELETE parts/a-part", "POST parts"]);
});

test("[RUN32] what is there now is not judged by an older state of the object", async () => {
  await using world = await barWorld();
  world.start(
    defineController(Bar, {
      owns: [owned(Part, { applied: false })],
      async reconcile({ spec }, { cache, client, create }) {
        const part = cache.get(Part, `default/${spec.partName}`);
        if (spec.size > 0) await create(Part, { metadata: { name: spec.partName }, spec: {} });
        else if (part !== undefined) await client.delete(Part, part);
      },
    }),
  );
  const bar = await world.client.create(Bar, barDraft("a"));
  await world.settle();
  world.takeWrites();
  world.executed = async ({ method }) => {
    if (method !== "DELETE") return;
    world.executed = () => undefined;
    world.breakWatches();
    world.intercept = ({ path }) => {
      if (path.includes("watch=true")) throw new Error("the connection was reset");
    };
    await world.client.mergePatch(Bar, "default/a", { spec: { size: 1 } });
    await world.client.create(Part, setControllerReference(bar, { metadata: { name: "a-part", namespace: "default" }, spec: {} }));
    throw refusal("Timeout", "the answer is late");
  };
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 0 } });
  await world.pass(1000);
  assert.deepEqual(world.takeWrites(), ["DELETE parts/a-part"]);
});

test("[RUN32] while the server does not say, the object is not reconciled", async () => {
  await using world = await barWorld();
  const seen: (number | undefined)[] = [];
  world.start(
    defineController(Bar, {
      owns: [Part],
      async reconcile({ spec }, { apply, cache }) {
        seen.push(cache.get(Part, `default/${spec.partName}`)?.spec.size);
        await apply(Part, { metadata: { name: spec.partName }, spec: { size: spec.size } });
      },
    }),
  );
  await world.settle();
  let isAway = true;
  world.breakWatches();
  world.intercept = ({ method, path }) => {
    if (!path.includes("/parts")) return undefined;
    if (method === "GET" && isAway) throw new Error("the server is away");
    return isAway ? "LoseAnswer" : undefined;
  };
  await world.client.create(Bar, barDraft("a", { size: 3 }));
  await world.pass(1000);
  assert.deepEqual(seen, [undefined]);
  isAway = false;
  await world.pass(60_000);
  assert.deepEqual([...new Set(seen)], [undefined, 3]);
});

for (const reason of ["InternalError", "ServerTimeout", "ServiceUnavailable", "Timeout", "AlreadyExists"] as const)
  test(`[RUN32] ${reason} does not say that nothing was done`, async () => {
    await using world = await barWorld();
    world.start(findingOrMaking);
    await world.settle();
    mute(world, () => undefined);
    world.executed = ({ method, path }) => {
      if (method === "POST" && path.includes("/parts")) throw refusal(reason, "it went wrong");
    };
    await world.client.create(Bar, barDraft("a"));
    await world.pass(1000);
    assert.deepEqual(world.takeWrites(), ["POST parts"]);
  });

for (const reason of ["Invalid", "Forbidden", "Conflict", "TooManyRequests"] as const)
  test(`[RUN32] ${reason} says that nothing was done`, async () => {
    await using world = await barWorld();
    world.start(findingOrMaking);
    world.intercept = ({ method, path }) => {
      if (method === "POST" && path.includes("/parts")) throw refusal(reason, "not so");
    };
    await world.client.create(Bar, barDraft("a"));
    await world.pass(1000);
    assert.equal(asked(world), 0);
    assert.ok(world.takeWrites().length > 1);
  });

test("[RUN32] what the client refuses to send is not asked about", async () => {
  await using world = await barWorld();
  world.start(
    defineController(Bar, {
      owns: [owned(Part, { applied: false })],
      async reconcile({ spec }, { client }) {
        const namespace = spec.size === 1 ? {} : { namespace: "default" };
        await client.create(Part, { metadata: { name: spec.partName, ...namespace }, spec: {} });
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 2 } });
  await world.settle();
  assert.ok(await world.find(Part, "default/a-part"));
});

test("[RUN32] what is not mirrored is not asked about", async () => {
  await using world = await barWorld();
  world.start(
    defineController(Bar, {
      uses: [use(Part, "get", "create")],
      async reconcile({ spec }, { client }) {
        await client.create(Part, { metadata: { name: spec.partName, namespace: "default" }, spec: {} });
      },
    }),
  );
  world.intercept = ({ method }) => (method === "POST" ? "LoseAnswer" : undefined);
  await world.client.create(Bar, barDraft("a"));
  await world.pass(1000);
  assert.equal(asked(world), 0);
});

test("[RUN26] of an object that is gone it is not remembered what was written without an answer", async () => {
  await using world = await barWorld();
  world.start(defineController(Bar, { reconcile: (_bar, { setStatus }) => setStatus({ note: "seen" }) }));
  await world.settle();
  world.intercept = ({ method }) => (method === "PATCH" ? "LoseAnswer" : undefined);
  world.executed = async () => void (await unlessGone(world.client.delete(Bar, "default/a")));
  await world.client.create(Bar, barDraft("a"));
  await world.pass(1000);
  world.intercept = () => undefined;
  world.executed = () => undefined;
  world.requests.length = 0;
  await world.client.create(Bar, barDraft("a"));
  await world.pass(1000);
  assert.deepEqual(
    world.requests.filter(({ path }) => path.includes("/bars/a")).map(({ method }) => method),
    ["PATCH"],
  );
});
