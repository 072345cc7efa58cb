import assert from "node:assert/strict";
import { test } from "node:test";
import { ChangeReport } from "./change-report.ts";

const role = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: { name: "bars" } };

/** What is said on stdout of work that tells its changes. */
function said(output: "json" | "text", work: (report: ChangeReport) => void): string {
  let out = "";
  try {
    using report = new ChangeReport({ out: (text) => (out += text), err: () => {} }, output);
    work(report);
  } catch {
    // What went wrong is said by whoever asked for it.
  }
  return out;
}

test("changes are told as they happen, or as JSON when all is done", () => {
  const work = (report: ChangeReport): void => {
    report.add("created", role);
    report.end("done");
  };
  assert.equal(said("text", work), "created   ClusterRole bars\ndone\n");
  assert.equal(said("json", work), '[{"change":"created","object":"ClusterRole bars"}]\n');
});

test("what was changed before something went wrong is told as JSON, too", () => {
  const failing = (report: ChangeReport): void => {
    report.add("created", role);
    throw new Error("no more");
  };
  assert.equal(said("json", failing), '[{"change":"created","object":"ClusterRole bars"}]\n');
  assert.equal(said("text", failing), "created   ClusterRole bars\n");
  assert.equal(
    said("json", () => {
      throw new Error("nothing was done");
    }),
    "",
  );
});
