import assert from "node:assert/strict";
import { test } from "node:test";
import type { AdmissionPlugin } from "./admission.ts";
import { startTestServer, widgets } from "./testing/widgets.ts";

test("a plugin is asked about the resources it names, and about all if it names none", async () => {
  const asked: string[] = [];
  const plugin = (name: string, resources: Pick<AdmissionPlugin, "resources">): AdmissionPlugin => ({
    name,
    ...resources,
    mutate: ({ object }) => {
      asked.push(`${name} mutates`);
      return object;
    },
    validate: () => void asked.push(`${name} validates`),
  });
  const admission = [
    plugin("all", {}),
    plugin("widgets", { resources: ["/pods", "example.com/widgets"] }),
    plugin("others", { resources: ["/widgets", "example.com/gadgets"] }),
  ];
  await using api = startTestServer({ admission });
  await api.call("POST", widgets, { metadata: { name: "small" } });
  await api.call("DELETE", `${widgets}/small`);
  assert.deepEqual(asked, ["all mutates", "widgets mutates", "all validates", "widgets validates", "all validates", "widgets validates"]);
});
