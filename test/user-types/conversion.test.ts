import { test } from "node:test";
import { defineResource, z } from "@kaji/core/define";
import { checkConversion } from "@kaji/testing";
import { convert } from "@kaji/runtime";

const Team = defineResource({
  group: "shop.example.com",
  version: "v2",
  kind: "Team",
  spec: z.object({ places: z.array(z.object({ name: z.string(), limits: z.object({ pods: z.int32() }).optional() })) }),
  versions: { v1: { spec: z.object({ places: z.array(z.object({ name: z.string(), pods: z.int32().optional() })) }) } },
});

test("what may be absent in the items of a list may be said to be", () => {
  const conversion = convert(Team, {
    v1: ({ map }) => [
      map("spec.places", "spec.places", {
        toHub: (places) => places.map(({ name, pods }) => ({ name, limits: pods === undefined ? undefined : { pods } })),
        fromHub: (places) => places.map(({ name, limits }) => ({ name, pods: limits?.pods })),
      }),
    ],
  });
  checkConversion(conversion);
});
