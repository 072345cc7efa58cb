import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { z } from "zod";

const entry = z.object({
  resolved: z.string().optional(),
  link: z.boolean().default(false),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
});

const { packages } = z
  .object({ packages: z.record(z.string(), entry) })
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, "../../../package-lock.json"), "utf8")));

test("the lock file names no host, so that any registry serves", () => {
  const hosts = Object.values(packages).filter(({ link, resolved }) => !link && resolved !== undefined);
  assert.deepEqual(hosts, []);
});

test("the lock file has the binaries of every platform: npm ci refuses one without", () => {
  const wanted = Object.values(packages).flatMap(({ optionalDependencies }) => Object.keys(optionalDependencies));
  const missing = wanted.filter((name) => !(`node_modules/${name}` in packages));
  assert.deepEqual(missing, []);
});
