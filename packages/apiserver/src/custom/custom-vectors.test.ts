import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { recordCustomVectors } from "../testing/custom-recorder.ts";
import { instantClock, startCustomServer } from "../testing/custom-server.ts";
import { readCustomVectors } from "../testing/custom-vectors.ts";

const vectors = readCustomVectors();
await using custom = startCustomServer();
const played = await recordCustomVectors(vectors, (method, path, body) => custom.call(method as "GET", path, body), instantClock());

suite("[CRD1] definitions are accepted and refused as by the real server", () => {
  for (const [index, { name, answer }] of vectors.definitions.entries()) {
    test(name, () => assert.deepEqual(played.definitions[index]?.answer, answer));
  }
});

suite("[CRD2] objects are read, completed and refused as by the real server", () => {
  for (const [at, kind] of vectors.kinds.entries()) {
    for (const [index, { name, answer }] of kind.objects.entries()) {
      test(`${kind.name}: ${name}`, () => assert.deepEqual(played.kinds[at]?.objects[index]?.answer, answer));
    }
  }
});
