import type { Scenario } from "../../exchange.ts";
import { callsTo } from "../calls.ts";

const events = callsTo("/apis/events.k8s.io/v1/namespaces/group-kinds/events");
const coreEvents = callsTo("/api/v1/namespaces/group-kinds/events");
const requests = callsTo("/apis/certificates.k8s.io/v1/certificatesigningrequests");

/** For somebody called `someone`; the key is of no use to anybody. */
const pem =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlITk1IUUNBUUF3RWpFUU1BNEdBMVVFQXd3SGMyOXRaVzl1WlRCWk1CTUdCeXFHU000OUFnRUdDQ3FHU000OQpBd0VIQTBJQUJHN1RSKzEvWmtadFl3OGpvR083aWpNOHVzTzFsR3MxTVE4YzZvN3RVdEdlUmZSVWdSSjBsNzB1CjVNUWdKU2xaeTMzcUNtQTc5T284cEozN0kzYjAxZWVnQURBS0JnZ3Foa2pPUFFRREFnTkpBREJHQWlFQWcwVG8KUWZSa1R5Ykl0L0dYbkZab21hNHdiQ1ZDS0dSRVJhS0tPNGdiRm1ZQ0lRQ3lNSjNhU0JURmR4ZSt5RFVYMXdtSwo0K0hiOHhOeTRmUjAwcjg2cnhUVUtnPT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==";
const asked = { request: pem, signerName: "example.com/sign", usages: ["client auth"] };
const happened = {
  eventTime: "2025-06-01T00:00:00.000000Z",
  reportingController: "example.com/me",
  reportingInstance: "me-1",
  action: "Doing",
  reason: "Done",
  type: "Normal",
  note: "all went well",
  regarding: { kind: "Pod", namespace: "group-kinds", name: "web", apiVersion: "v1" },
};

/** Event in its newer form, CertificateSigningRequest. */
export const requestScenarios: readonly Scenario[] = [
  {
    name: "B8 X2 event in two forms",
    steps: [
      events.create({ metadata: { name: "new" }, ...happened }),
      coreEvents.get("new"),
      coreEvents.create({
        metadata: { name: "old" },
        involvedObject: { kind: "Pod", namespace: "group-kinds", name: "web" },
        reason: "Old",
        message: "as ever",
        source: { component: "kubelet", host: "n1" },
        firstTimestamp: "2025-06-01T00:00:00Z",
        lastTimestamp: "2025-06-01T00:00:05Z",
        count: 3,
        type: "Warning",
      }),
      events.get("old"),
      events.list("?fieldSelector=regarding.kind=Pod,reason=Done"),
      events.list("?fieldSelector=involvedObject.kind=Pod"),
      events.patch("new", { series: { count: 2, lastObservedTime: "2025-06-01T00:01:00.000000Z" } }),
      events.patch("new", { note: "other", regarding: { name: "other" }, series: { count: 1 } }),
      events.patch("old", { metadata: { labels: { a: "b" } } }),
      events.table("new"),
      events.replace("put", { metadata: { name: "put" }, ...happened }),
      events.create({ metadata: { name: "bad" } }),
      events.create({
        metadata: { name: "bad" },
        ...happened,
        reportingController: "a b",
        reportingInstance: "",
        action: "",
        reason: "x".repeat(129),
        type: "Odd",
        regarding: {},
        deprecatedCount: 1,
        deprecatedSource: { component: "c" },
        series: { count: 1 },
      }),
      events.remove("new"),
    ],
  },
  {
    name: "C7 X2 certificate signing request",
    steps: [
      requests.create({ metadata: { name: "group-csr" }, spec: { ...asked, username: "fake", groups: ["fake"], expirationSeconds: 3600 } }),
      requests.table("group-csr"),
      requests.patch("group-csr", { spec: { signerName: "other.com/x" }, metadata: { labels: { a: "b" } } }),
      requests.patch("group-csr/approval", {
        status: { conditions: [{ type: "Approved", status: "True", reason: "Fine", message: "ok" }] },
      }),
      requests.table("group-csr"),
      requests.patch("group-csr/approval", { status: { conditions: [{ type: "Denied", status: "True" }] } }),
      requests.patch("group-csr/approval", { status: { certificate: "Zm9v" } }),
      requests.patch("group-csr/status", { status: { certificate: "Zm9v" } }),
      requests.patch("group-csr/status", {
        status: {
          conditions: [
            { type: "Approved", status: "True", reason: "Other" },
            { type: "Failed", status: "False" },
          ],
        },
      }),
      requests.get("group-csr/approval"),
      requests.list("?fieldSelector=spec.signerName=example.com/sign,metadata.name=group-csr"),
      requests.create({
        metadata: { name: "Group Bad" },
        spec: { request: "Zm9v", signerName: "nodomain", usages: ["magic", "any", "any"], expirationSeconds: 5 },
      }),
      requests.create({ metadata: { name: "group-bad" }, spec: { request: pem, signerName: "kubernetes.io/legacy-unknown" } }),
      requests.create({ metadata: { name: "group-bad" }, spec: { ...asked, signerName: "a_b/C" } }),
      requests.remove("group-csr"),
    ],
  },
];
