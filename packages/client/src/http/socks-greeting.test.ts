import assert from "node:assert/strict";
import { test } from "node:test";
import { SocksGreeting } from "./socks-greeting.ts";

const server = new URL("https://kube.example:6443");
const connecting = [5, 1, 0, 3, 12, ...Buffer.from("kube.example"), 0x19, 0x2b];
const connected = [5, 0, 0, 1, 0, 0, 0, 0, 0, 0];

/** What a greeting says to a proxy that says this, each piece once the one before is answered. */
function said(proxy: string, ...pieces: readonly (readonly number[])[]): readonly (readonly number[] | "open" | "waits")[] {
  const greeting = new SocksGreeting(new URL(proxy), server);
  const steps = pieces.map((piece) => {
    const step = greeting.answer(Buffer.from(piece));
    if (step === undefined) return "waits";
    assert.equal(step.read, piece.length);
    return step.say === undefined ? "open" : [...step.say];
  });
  return [[...greeting.opening], ...steps];
}

test("[TLS8] a SOCKS proxy is asked to connect to the server, whose name is left to it", () => {
  assert.deepEqual(said("socks5://proxy", [5, 0], connected), [[5, 1, 0], connecting, "open"]);
  assert.deepEqual(said("socks5h://proxy", [5], [5, 0], [5], [5, 0, 0, 3, 2, 1, 1, 0], [5, 0, 0, 3, 2, 1, 1, 0, 0]), [
    [5, 1, 0],
    "waits",
    connecting,
    "waits",
    "waits",
    "open",
  ]);
});

test("[TLS8] addresses are told as such", () => {
  const told = (url: string): readonly number[] => {
    const greeting = new SocksGreeting(new URL("socks5://proxy"), new URL(url));
    return [...(greeting.answer(Buffer.from([5, 0]))?.say ?? [])].slice(3);
  };
  assert.deepEqual(told("https://10.0.0.7"), [1, 10, 0, 0, 7, 1, 187]);
  assert.deepEqual(told("https://[fd00::1:2]:1"), [4, 0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 1]);
  assert.deepEqual(told("https://[::]:1"), [4, ...Array.from({ length: 16 }, () => 0), 0, 1]);
  assert.deepEqual(told("https://[1:2:3:4:5:6:7:8]:1"), [4, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8, 0, 1]);
});

test("[TLS8] the user of its URL is shown to a SOCKS proxy that asks who we are", () => {
  const asked = said("socks5://me:p%40ss@proxy", [5, 2], [1, 0], connected);
  assert.deepEqual(asked, [[5, 2, 0, 2], [1, 2, ...Buffer.from("me"), 4, ...Buffer.from("p@ss")], connecting, "open"]);
  assert.deepEqual(said("socks5://me:pass@proxy", [5, 0], connected), [[5, 2, 0, 2], connecting, "open"]);
});

test("[TLS8] a SOCKS proxy that refuses says why", () => {
  const refusals: readonly (readonly [proxy: string, pieces: readonly (readonly number[])[], message: RegExp])[] = [
    ["socks5://proxy", [[..."HT"].map((letter) => letter.charCodeAt(0))], /does not speak SOCKS 5/],
    ["socks5://proxy", [[5, 255]], /wants a user and a password/],
    ["socks5://me:pass@proxy", [[5, 255]], /in another way who we are/],
    [
      "socks5://me:pass@proxy",
      [
        [5, 2],
        [1, 1],
      ],
      /does not accept the user and the password/,
    ],
    [
      "socks5://proxy",
      [
        [5, 0],
        [5, 5],
      ],
      /cannot connect to the server: the server refused the connection/,
    ],
    [
      "socks5://proxy",
      [
        [5, 0],
        [5, 99],
      ],
      /cannot connect to the server: code 99/,
    ],
    [`socks5://${"m".repeat(256)}@proxy`, [[5, 2]], /more than 255 bytes/],
  ];
  for (const [proxy, pieces, message] of refusals) assert.throws(() => said(proxy, ...pieces), message);
});
