import assert from "node:assert/strict";
import { test } from "node:test";
import { TransportError } from "@kaji/client";
import { abortable } from "@kaji/core";
import type { Transport, TransportRequest } from "@kaji/core";
import { ManualClock } from "@kaji/core/testing";
import { defineController } from "@kaji/runtime";
import { ConfigMap, Secret } from "@kaji/types/core/v1";
import { OperatorRig, portsOf } from "./operator-rig.ts";

const copier = defineController(ConfigMap, {
  name: "copier",
  owns: [Secret],
  async reconcile({ metadata }, { apply }) {
    await apply(Secret, { metadata: { name: metadata.name } });
  },
});

/** A way to a server that can be cut, with all that is under way on it. */
class Cable {
  #cut = Promise.withResolvers<never>();
  #isCut = false;

  constructor() {
    this.#cut.promise.catch(() => {});
  }

  readonly wrap =
    (transport: Transport): Transport =>
    async (request) => {
      if (this.#isCut) throw this.#error();
      const response = await transport(request);
      return { ...response, body: this.#through(response.body) };
    };

  cut(): void {
    this.#isCut = true;
    this.#cut.reject(this.#error());
  }

  mend(): void {
    this.#isCut = false;
    this.#cut = Promise.withResolvers();
    this.#cut.promise.catch(() => {});
  }

  async *#through(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const pieces = body[Symbol.asyncIterator]();
    for (;;) {
      const piece = await Promise.race([pieces.next(), this.#cut.promise]);
      if (piece.done === true) return;
      yield piece.value;
    }
  }

  #error(): TransportError {
    return new TransportError("Unreachable", "no answer from https://in-process", {
      cause: new Error("connect ECONNREFUSED 10.0.0.1:443"),
    });
  }
}

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly kind?: string;
  readonly tries?: number;
  readonly err?: { readonly message: string; readonly stack?: string };
}

test("[LG6] a server that is away for twenty minutes is told of by kind, once, then every five minutes, and once when it is back", async () => {
  const clock = new ManualClock();
  await using rig = new OperatorRig({ clock });
  const cable = new Cable();
  const started = rig.start({ name: "copier", controllers: [copier] }, { wrap: cable.wrap });
  await clock.advance(5000);
  const before = started.err().length;
  cable.cut();
  await clock.advance(20 * 60_000);
  cable.mend();
  await clock.advance(60_000);
  const text = started.err().slice(before);
  const lines = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
  for (const kind of ["v1, Kind=ConfigMap", "v1, Kind=Secret"]) {
    const told = lines.filter((line) => line.kind === kind);
    const still = told.slice(1, -1);
    assert.deepEqual(
      told.map(({ level, msg }) => `${level} ${msg}`),
      [
        "warn list or watch failed; will retry",
        ...still.map(() => "warn list or watch still fails; will retry"),
        "warn list and watch are answered again",
      ],
    );
    assert.ok(still.length === 3 || still.length === 4, text);
    assert.ok((told.at(-1)?.tries ?? 0) > 30);
    assert.match(told[0]?.err?.message ?? "", /no answer from https:\/\/in-process: connect ECONNREFUSED/);
  }
  assert.ok(!text.includes('"stack"'), text);
  started.signal();
  await clock.advance(10_000);
  await started.ended;
});

test("[LG6] a server that takes requests and answers none is told of too, and the operator is not ready", async () => {
  const clock = new ManualClock();
  await using rig = new OperatorRig({ clock });
  const cable = new Cable();
  let isStuck = false;
  const stuck = ({ signal }: TransportRequest): Promise<never> => abortable(new Promise<never>(() => {}), signal);
  const started = rig.start(
    { name: "copier", controllers: [copier] },
    {
      argv: ["--health-address=127.0.0.1:0", "--log-level=debug"],
      wrap: (transport) => (request) => (isStuck ? stuck(request) : cable.wrap(transport)(request)),
    },
  );
  const url = `http://127.0.0.1:${(await portsOf(started, 1)).get("health")}/readyz`;
  await clock.advance(5000);
  assert.equal((await fetch(url)).status, 200);
  isStuck = true;
  cable.cut();
  await clock.advance(10 * 60_000);
  const answer = await fetch(url);
  assert.equal(answer.status, 500);
  assert.match(await answer.text(), /watch\/secrets failed: failing for 10m\S*, heard 10m\S* ago: no answer within 240 s/);
  const reminder = /"level":"warn".*"kind":"v1, Kind=Secret".*no answer within \d+ s.*list or watch still fails; will retry/;
  assert.match(started.err(), reminder);
  started.signal();
  await clock.advance(60_000);
  await started.ended;
});

test("[LG6] a candidate that cannot reach its lease says so once, and when it can again", async () => {
  const clock = new ManualClock();
  await using rig = new OperatorRig({ clock });
  await rig.createNamespace("default");
  const cable = new Cable();
  const argv = ["--leader-elect"];
  const leader = rig.start({ name: "copier", controllers: [copier] }, { argv });
  await clock.advance(5000);
  const follower = rig.start({ name: "copier", controllers: [copier] }, { argv, wrap: cable.wrap });
  await clock.advance(5000);
  cable.cut();
  await clock.advance(4 * 60_000);
  cable.mend();
  await clock.advance(30_000);
  const told = follower
    .err()
    .split("\n")
    .filter((line) => line.includes("lease request"))
    .map((line) => JSON.parse(line) as Line);
  assert.deepEqual(
    told.map(({ msg }) => msg),
    ["lease request failed; will retry", "lease requests are answered again"],
  );
  assert.ok((told[1]?.tries ?? 0) > 30);
  for (const each of [leader, follower]) each.signal();
  await clock.advance(40_000);
  await Promise.all([leader.ended, follower.ended]);
});
