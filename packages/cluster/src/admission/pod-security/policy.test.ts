import assert from "node:assert/strict";
import { test } from "node:test";
import { mayAskMore, policyOf, standardName } from "./policy.ts";
import type { Standard } from "./policy.ts";

function read(modes: Readonly<Record<string, string>>): readonly string[] {
  const labels = Object.fromEntries(Object.entries(modes).map(([mode, value]) => [`pod-security.kubernetes.io/${mode}`, value]));
  const { policy, errors } = policyOf(labels);
  const { enforce, audit, warn } = policy;
  return [enforce, audit, warn].map(standardName).concat(errors.map(({ field, body }) => `${field}: ${body}`));
}

test("[ADM30] without labels everything is let in; what is enforced is warned of as well, unless the labels say otherwise", () => {
  const open = "privileged:latest";
  assert.deepEqual(read({}), [open, open, open]);
  assert.deepEqual(read({ enforce: "baseline" }), ["baseline:latest", open, "baseline:latest"]);
  assert.deepEqual(read({ enforce: "restricted", "enforce-version": "v1.5" }), ["restricted:v1.5", open, "restricted:v1.5"]);
  assert.deepEqual(read({ enforce: "restricted", "warn-version": "v1.5" }), ["restricted:latest", open, "restricted:v1.5"]);
  assert.deepEqual(read({ enforce: "restricted", warn: "baseline" }), ["restricted:latest", open, "baseline:latest"]);
  assert.deepEqual(read({ enforce: "baseline", warn: "privileged" }), ["baseline:latest", open, open]);
  assert.deepEqual(read({ audit: "restricted", "audit-version": "v1.30" }), [open, "restricted:v1.30", open]);
});

test("[ADM33] what is not understood is enforced as strictly as can be, and warned of not at all", () => {
  const label = (mode: string): string => `metadata.labels[pod-security.kubernetes.io/${mode}]`;
  assert.deepEqual(read({ enforce: "strict", warn: "strict", "audit-version": "v1.007" }), [
    "restricted:latest",
    "privileged:latest",
    "privileged:latest",
    `${label("enforce")}: Invalid value: "strict": must be one of privileged, baseline, restricted`,
    `${label("audit-version")}: Invalid value: "v1.007": must be "latest" or "v1.x"`,
    `${label("warn")}: Invalid value: "strict": must be one of privileged, baseline, restricted`,
  ]);
});

test("[ADM34] a standard may ask more than another if it is stricter, or of another version", () => {
  const standard = (level: Standard["level"], version = "latest"): Standard => ({ level, version });
  assert.equal(mayAskMore(standard("baseline"), standard("baseline")), false);
  assert.equal(mayAskMore(standard("baseline"), standard("restricted")), false);
  assert.equal(mayAskMore(standard("restricted"), standard("baseline")), true);
  assert.equal(mayAskMore(standard("baseline", "v1.20"), standard("restricted")), true);
  assert.equal(mayAskMore(standard("privileged", "v1.20"), standard("restricted")), false);
});
