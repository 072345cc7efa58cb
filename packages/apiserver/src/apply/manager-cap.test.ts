import assert from "node:assert/strict";
import { test } from "node:test";
import { FieldSet } from "./field-set.ts";
import { managerKey } from "./managed-fields.ts";
import type { ManagedSet, Managers } from "./managed-fields.ts";
import { capUpdateManagers, maxUpdateManagers } from "./manager-cap.ts";

test("[SSA16] up to ten updaters are kept apart, and any number of appliers", () => {
  const managers = managersOf([
    ...Array.from({ length: 10 }, (_, n) => updater(`u${n}`, n)),
    ...Array.from({ length: 20 }, (_, n) => ({ ...updater(`a${n}`, n), operation: "Apply" as const })),
  ]);
  assert.equal(capUpdateManagers(managers), managers);
});

test("[SSA16] the oldest become one, with all they own and the latest of their times", () => {
  const capped = capUpdateManagers(managersOf(Array.from({ length: 13 }, (_, n) => updater(`u${n}`, n))));
  assert.equal(capped.size, maxUpdateManagers);
  const ancient = [...capped.values()].find(({ manager }) => manager === "ancient-changes");
  assert.equal(ancient?.time, timeOf(3));
  assert.ok(ancient?.fields.equals(FieldSet.ofFields(["u0"], ["u1"], ["u2"], ["u3"])));
});

test("[SSA16] what was folded before is added to, whatever its place among the oldest", () => {
  for (const age of [0, 1, 3]) {
    const before = [{ ...updater("ancient-changes", age) }, ...Array.from({ length: 11 }, (_, n) => updater(`a${n}`, n + 1))];
    const capped = capUpdateManagers(managersOf(before));
    assert.equal(capped.size, maxUpdateManagers);
    const all = before.reduce((set, { fields }) => set.union(fields), FieldSet.empty);
    assert.ok(
      [...capped.values()].reduce((set, { fields }) => set.union(fields), FieldSet.empty).equals(all),
      `nothing is lost at age ${age}`,
    );
  }
});

test("[SSA16] each version has its own", () => {
  const versions = ["v1", "v2"].flatMap((apiVersion) => Array.from({ length: 7 }, (_, n) => ({ ...updater(`u${n}`, n), apiVersion })));
  const capped = [...capUpdateManagers(managersOf(versions)).values()];
  assert.equal(capped.length, maxUpdateManagers);
  const ancients = capped.filter(({ manager }) => manager === "ancient-changes").map(({ apiVersion }) => apiVersion);
  assert.deepEqual(ancients.toSorted(), ["v1", "v2"]);
});

function updater(manager: string, minute: number): ManagedSet {
  return { manager, operation: "Update", apiVersion: "v1", subresource: "", time: timeOf(minute), fields: FieldSet.ofFields([manager]) };
}

function timeOf(minute: number): string {
  return `2020-01-01T00:${String(minute).padStart(2, "0")}:00Z`;
}

function managersOf(managers: readonly ManagedSet[]): Managers {
  return new Map(managers.map((managed) => [managerKey(managed), managed]));
}
