import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyText } from "@kaji/core";
import { parseStrictYaml } from "../request/strict-yaml.ts";
import { startTestServer, widgets } from "../testing/widgets.ts";

test("texts that YAML would take for something else are quoted, so that clients read what is there", async () => {
  const texts = [
    "yes",
    "n",
    "on",
    "True",
    "~",
    "null",
    "",
    "017",
    "0o17",
    "0x1F",
    "0b1",
    "1_000",
    "1e3",
    ".inf",
    "2024-01-01",
    "22:22",
    "a: b",
    " x",
    "-",
    "x\ny\n",
  ];
  const annotations = Object.fromEntries(texts.map((text, index) => [`a${index}`, text]));
  await using api = startTestServer();
  await api.call("POST", widgets, { metadata: { name: "small", annotations } });
  const { body } = await api.server.transport()({ method: "GET", path: `${widgets}/small`, headers: { accept: "application/yaml" } });
  const text = await bodyText(body);
  assert.deepEqual(parseStrictYaml(text).value, (await api.call("GET", `${widgets}/small`)).json);
  for (const quoted of ["yes", "0o17", "2024-01-01", "22:22"]) assert.match(text, new RegExp(`: "${quoted}"`));
});
