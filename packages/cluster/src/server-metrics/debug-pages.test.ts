import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyText } from "@kaji/core";
import { startAdmissionRig } from "../testing/admission-rig.ts";

test("[SMET5] the server tells since when it runs, to people and to programs, and refuses other forms", async () => {
  await using rig = await startAdmissionRig();
  await rig.clock.advance(3_725_000);
  const get = async (path: string, accept?: string) => {
    const headers = accept === undefined ? {} : { accept };
    const response = await rig.server.transport()({ method: "GET", path, headers });
    return { ...response, text: await bodyText(response.body) };
  };
  const { text, headers } = await get("/statusz");
  assert.equal(headers["content-type"], "text/plain; charset=utf-8");
  assert.match(text, /^\napiserver statusz\nWarning: .*\n\nStarted  Thu, 01 Jan 2026 00:00:00 GMT\nUp  1 hr 02 min 05 sec\n/);

  const status = await get("/statusz", "application/json;v=v1beta1;g=config.k8s.io;as=Statusz");
  assert.equal(status.headers["content-type"], "application/json;g=config.k8s.io;v=v1beta1;as=Statusz");
  const { apiVersion, startTime, uptimeSeconds } = JSON.parse(status.text);
  assert.deepEqual([apiVersion, startTime, uptimeSeconds], ["config.k8s.io/v1beta1", "2026-01-01T00:00:00Z", 3725]);
  const old = await get("/flagz", "application/json;v=v1alpha1;g=config.k8s.io;as=Flagz");
  assert.match(String(old.headers["warning"]), /This version of the flagz endpoint is deprecated/);
  for (const accept of ["application/json", "text/html"]) assert.equal((await get("/statusz", accept)).status, 406);
});
