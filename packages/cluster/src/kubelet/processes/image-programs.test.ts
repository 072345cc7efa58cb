import assert from "node:assert/strict";
import { test } from "node:test";
import { imagePrograms } from "./image-programs.ts";

const programOf = imagePrograms({ "example.com/web": ["/opt/web", "--verbose"], nginx: ["/usr/sbin/nginx"] });

test("[PROC1] a container runs the program of its image, whatever the tag, with the arguments that it has", () => {
  for (const image of ["example.com/web", "example.com/web:1.2", "example.com/web:1@sha256:00", "example.com/web@sha256:00"]) {
    assert.deepEqual(programOf({ name: "c", image, args: ["serve"] }), ["/opt/web", "--verbose", "serve"]);
  }
  assert.deepEqual(programOf({ name: "c", image: "nginx" }), ["/usr/sbin/nginx"]);
  assert.deepEqual(programOf({ name: "c", image: "docker.io/library/nginx:1.29" }), ["/usr/sbin/nginx"]);
});

test("[PROC1] a command that names the program is the program; any other is not run", () => {
  const image = "example.com/web";
  assert.deepEqual(programOf({ name: "c", image, command: ["/web", "-x"], args: ["serve"] }), ["/opt/web", "--verbose", "-x", "serve"]);
  assert.equal(programOf({ name: "c", image, command: ["/bin/sh", "-c", "rm -rf /"] }), undefined);
});

test("[PROC1] a shell alone runs whatever a container says, as it does in an image", () => {
  const ofShell = imagePrograms({ busybox: ["/bin/sh"], script: ["sh", "-e"] });
  const image = "busybox:1.37";
  assert.deepEqual(ofShell({ name: "c", image }), ["/bin/sh"]);
  assert.deepEqual(ofShell({ name: "c", image, args: ["-c", "echo a"] }), ["/bin/sh", "-c", "echo a"]);
  assert.deepEqual(ofShell({ name: "c", image, args: ["sleep", "5"] }), ["sleep", "5"]);
  assert.deepEqual(ofShell({ name: "c", image, command: ["cat"], args: ["/etc/hosts"] }), ["cat", "/etc/hosts"]);
  assert.deepEqual(ofShell({ name: "c", image: "script", args: ["sleep", "5"] }), ["sh", "-e", "sleep", "5"]);
});

test("[PROC1] what is not in the table is not run", () => {
  for (const image of ["other.com/web", "example.com/web/more", "web", "constructor", "__proto__", "", undefined]) {
    assert.equal(programOf({ name: "c", ...(image === undefined ? {} : { image }) }), undefined);
  }
});
