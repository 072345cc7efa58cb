import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { MountedPaths } from "./mounted-paths.ts";

const paths = new MountedPaths([
  { inside: "/etc/tls", outside: "/tmp/x/volumes/tls" },
  { inside: "/etc/tls/sub", outside: "/tmp/x/volumes/tls-sub" },
  { inside: "/", outside: "/tmp/x/volumes/root" },
]);

test("[PROC4] paths under a mount are replaced where they begin, the deepest mount first", () => {
  const replaced: readonly (readonly [string, string])[] = [
    ["/etc/tls", "/tmp/x/volumes/tls"],
    ["--cert=/etc/tls/tls.crt", "--cert=/tmp/x/volumes/tls/tls.crt"],
    ["/etc/tls/sub/a:/etc/tls/b", "/tmp/x/volumes/tls-sub/a:/tmp/x/volumes/tls/b"],
    ["/etc/tlsx", "/etc/tlsx"],
    ["/etc/tls-2", "/etc/tls-2"],
    ["/other/etc/tls", "/other/etc/tls"],
    ["/etc/passwd", "/etc/passwd"],
  ];
  for (const [inside, outside] of replaced) assert.equal(paths.outside(inside), outside);
});

test("[PROC4] what a process writes is shown with the paths that its pod knows", () => {
  assert.equal(paths.inside('open "/tmp/x/volumes/tls/tls.crt": no such file'), 'open "/etc/tls/tls.crt": no such file');
});

test("[PROC4] whatever is given to a process comes back as it was", () => {
  const words = fc.array(fc.constantFrom("/etc/tls", "/etc/tls/sub", "/etc", "/a", "=", " ", ":", "x", "."), { maxLength: 8 });
  fc.assert(fc.property(words, (parts) => assert.equal(paths.inside(paths.outside(parts.join(""))), parts.join(""))));
});
