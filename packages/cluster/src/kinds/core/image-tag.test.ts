import assert from "node:assert/strict";
import { test } from "node:test";
import { imageTag } from "./image-tag.ts";

const digest = `sha256:${"0".repeat(64)}`;

const tags: Readonly<Record<string, string>> = {
  nginx: "latest",
  "nginx:latest": "latest",
  "nginx:1.27": "1.27",
  "library/nginx": "latest",
  "registry.example.com:5000/team/nginx": "latest",
  "registry.example.com:5000/team/nginx:v1": "v1",
  "localhost/nginx:v1": "v1",
  [`nginx@${digest}`]: "",
  [`nginx:1.27@${digest}`]: "1.27",
  [`nginx@sha256:abc`]: "",
  "Not A Valid Image": "",
  "Nginx:1": "",
  "nginx:": "",
  "": "",
  ["f".repeat(64)]: "",
};

for (const [image, tag] of Object.entries(tags)) {
  test(`the tag of ${JSON.stringify(image)} is ${JSON.stringify(tag)}`, () => {
    assert.equal(imageTag(image), tag);
  });
}
