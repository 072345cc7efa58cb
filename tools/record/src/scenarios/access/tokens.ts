import type { JsonObject } from "@kaji/core";
import type { Scenario, Step } from "../../exchange.ts";
import { as, withToken } from "../calls.ts";
import { configMaps, soon } from "./policy-calls.ts";

const accounts = "/api/v1/namespaces/access/serviceaccounts";
const secrets = "/api/v1/namespaces/access/secrets";
const create = (path: string, body: JsonObject): Step => ({ method: "POST", path, body });
const review = (token: string, audiences?: readonly string[]): Step =>
  create("/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token, ...(audiences === undefined ? {} : { audiences }) } });
const whoAmI = create("/apis/authentication.k8s.io/v1/selfsubjectreviews", {});

/** Tokens of service accounts: whose they are, for whom, and how long. */
export const tokenScenarios: readonly Scenario[] = [
  {
    name: "U3 U4 whose a token is",
    steps: [
      create(accounts, { metadata: { name: "robot" } }),
      create(`${accounts}/robot/token`, {}),
      create(`${accounts}/robot/token`, { spec: { audiences: ["elsewhere"] } }),
      withToken("{{1.status.token}}", whoAmI),
      withToken("{{1.status.token}}", configMaps.list()),
      withToken("{{2.status.token}}", whoAmI),
      withToken("{{1.status.token}}x", whoAmI),
      review("{{1.status.token}}"),
      review("{{2.status.token}}"),
      review("{{2.status.token}}", ["elsewhere", "nowhere"]),
      review("{{1.status.token}}", ["elsewhere"]),
      review("{{1.status.token}}x"),
      review("nonsense"),
      as("eve", review("nonsense")),
      as("eve", create(`${accounts}/robot/token`, {})),
      create(`${accounts}/nobody/token`, {}),
      create(`${accounts}/robot/token`, { spec: { expirationSeconds: 1 } }),
    ],
  },
  {
    name: "U3 tokens end with what they are bound to",
    steps: [
      create(accounts, { metadata: { name: "robot" } }),
      create(secrets, { metadata: { name: "bound" } }),
      create(`${accounts}/robot/token`, { spec: { boundObjectRef: { apiVersion: "v1", kind: "Secret", name: "bound" } } }),
      create(`${accounts}/robot/token`, {}),
      withToken("{{2.status.token}}", whoAmI),
      { method: "DELETE", path: `${secrets}/bound` },
      soon(review("{{2.status.token}}"), "invalidated"),
      soon(withToken("{{2.status.token}}", whoAmI), "Unauthorized"),
      { method: "DELETE", path: `${accounts}/robot` },
      soon(review("{{3.status.token}}"), "not found"),
      soon(withToken("{{3.status.token}}", whoAmI), "Unauthorized"),
      create(accounts, { metadata: { name: "robot" } }),
      soon(review("{{3.status.token}}"), "does not match claim"),
      withToken("{{3.status.token}}", whoAmI),
    ],
  },
];
