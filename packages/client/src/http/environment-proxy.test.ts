import assert from "node:assert/strict";
import { test } from "node:test";
import { environmentProxy } from "./environment-proxy.ts";

const through = (server: string, noProxy = ""): boolean =>
  environmentProxy(new URL(server), { HTTPS_PROXY: "http://proxy:3128", no_proxy: noProxy }) === "http://proxy:3128";

test("[HTTP23] the proxy is that of the server's protocol, in either spelling", () => {
  const server = new URL("https://api.example:6443");
  assert.equal(environmentProxy(server, {}), undefined);
  assert.equal(environmentProxy(server, { HTTP_PROXY: "http://a" }), undefined);
  assert.equal(environmentProxy(server, { https_proxy: "a:3128" }), "http://a:3128");
  assert.equal(environmentProxy(server, { HTTPS_PROXY: "", https_proxy: "http://b" }), "http://b");
  assert.equal(environmentProxy(new URL("http://api.example"), { http_proxy: "http://a" }), "http://a");
});

test("[HTTP23] NO_PROXY lists hosts, domains, addresses, ranges and ports", () => {
  const direct: ReadonlyArray<readonly [string, string]> = [
    ["https://api.example", "*"],
    ["https://api.example", "other, api.example"],
    ["https://api.example", "example"],
    ["https://api.example", ".example"],
    ["https://api.example", "*.example"],
    ["https://API.example", "api.EXAMPLE"],
    ["https://api.example:6443", "api.example:6443"],
    ["https://api.example", "api.example:443"],
    ["https://10.1.2.3", "10.1.2.3"],
    ["https://10.1.2.3", "10.0.0.0/8"],
    ["https://[fd00::7]", "fd00::/8"],
    ["https://[fd00::7]", "fd00::7"],
    ["https://[fd00::7]:6443", "[fd00::7]:6443"],
  ];
  for (const [server, list] of direct) assert.equal(through(server, list), false, `${server} ${list}`);
  const proxied: ReadonlyArray<readonly [string, string]> = [
    ["https://api.example", ""],
    ["https://api.example", "pi.example,xample,,"],
    ["https://example", ".example"],
    ["https://api.example:6443", "api.example:443"],
    ["https://10.1.2.3", "11.0.0.0/8"],
    ["https://10.1.2.3", "10.0.0.0/99"],
    ["https://10.1.2.3", "fd00::/8"],
  ];
  for (const [server, list] of proxied) assert.equal(through(server, list), true, `${server} ${list}`);
});

test("[HTTP23] loopback is never reached through a proxy", () => {
  for (const server of ["https://localhost:6443", "https://127.0.0.1", "https://127.9.9.9", "https://[::1]:6443"])
    assert.equal(through(server), false, server);
});
