import { createMemoryStorage } from "@kaji/apiserver";
import type { Storage } from "@kaji/apiserver";
import { createRbac } from "@kaji/cluster";
import { stringifyJson, systemClock } from "@kaji/core";
import type { Report, Row } from "../report.ts";

const roleCount = 1000;
const rounds = 20_000;
/** What a decision may take, in µs. */
const goalUs = 20;

/** How long it takes to decide whether somebody may do something, with a thousand roles. */
export async function benchmark(): Promise<Report> {
  const cases: readonly (readonly [string, (index: number) => string])[] = [
    ["1,000 roles, each of another user", (index) => `user-${index}`],
    ["1,000 roles, all of one user", () => "user-0"],
  ];
  const rows: Row[] = [];
  for (const [work, userOf] of cases) {
    const { allowedUs, refusedUs } = await measure(userOf);
    rows.push({ work: `allowed: ${work}`, subject: "kaji", value: allowedUs, unit: "µs" });
    rows.push({ work: `refused: ${work}`, subject: "kaji", value: refusedUs, unit: "µs" });
  }
  return { rows, ratios: rows.map(({ work, value }) => ({ work, versus: `${goalUs} µs`, ratio: value / goalUs, goal: { atMost: 1 } })) };
}

async function measure(userOf: (index: number) => string): Promise<{ readonly allowedUs: number; readonly refusedUs: number }> {
  const storage = createMemoryStorage({ clock: systemClock });
  for (let index = 0; index < roleCount; index++) {
    const name = `role-${index}`;
    const subjects = [{ kind: "User", name: userOf(index) }];
    const rules = [{ apiGroups: ["example.com"], resources: [`things-${index}`], verbs: ["get", "list", "watch"] }];
    await put(storage, `/registry/clusterroles/${name}`, { metadata: { name }, rules });
    await put(storage, `/registry/clusterrolebindings/${name}`, { metadata: { name }, roleRef: { kind: "ClusterRole", name }, subjects });
  }
  using rbac = createRbac(storage);
  const decide = (resource: string) => {
    const user = { username: userOf(roleCount - 1), groups: ["system:authenticated"] };
    const place = { group: "example.com", version: "v1", resource, namespace: "default", name: "", subresource: "" };
    const access = { type: "Resource", verb: "list", ...place } as const;
    return () => rbac.authorize(user, access);
  };
  return { allowedUs: microseconds(decide(`things-${roleCount - 1}`)), refusedUs: microseconds(decide("others")) };
}

/** The time of one call, once it has become warm. */
function microseconds(call: () => unknown): number {
  for (let round = 0; round < rounds; round++) call();
  const startMs = systemClock.monotonic();
  for (let round = 0; round < rounds; round++) call();
  return ((systemClock.monotonic() - startMs) * 1000) / rounds;
}

async function put(storage: Storage, key: string, object: object): Promise<void> {
  await storage.put(key, 0, () => Buffer.from(stringifyJson(object)));
}
