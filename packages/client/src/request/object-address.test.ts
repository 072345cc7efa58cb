import assert from "node:assert/strict";
import { test } from "node:test";
import { Namespace, Pod } from "@kaji/types/core/v1";
import { collectionPath, objectPath } from "./object-address.ts";

test("[CL1] an address is a key, the object, or anything with a namespace and a name", () => {
  assert.equal(objectPath(Pod, "shop/web"), "/api/v1/namespaces/shop/pods/web");
  assert.equal(objectPath(Pod, { namespace: "shop", name: "web" }, "log"), "/api/v1/namespaces/shop/pods/web/log");
  assert.equal(objectPath(Pod, { metadata: { namespace: "shop", name: "web" } }), "/api/v1/namespaces/shop/pods/web");
  assert.equal(objectPath(Namespace, { metadata: { name: "shop" } }), "/api/v1/namespaces/shop");
  assert.equal(objectPath(Namespace, "shop"), "/api/v1/namespaces/shop");
  assert.equal(objectPath(Namespace, { namespace: "", name: "shop" }), "/api/v1/namespaces/shop");
});

test("[CL2] a namespaced kind needs a namespace, and one at cluster scope has none", () => {
  assert.throws(() => objectPath(Pod, "web"), /v1, Kind=Pod: "web" needs a namespace, as in "NAMESPACE\/web"/);
  assert.throws(() => objectPath(Namespace, "shop/web"), /v1, Kind=Namespace is not in namespaces/);
  assert.throws(() => collectionPath(Namespace, "shop"), /is not in namespaces/);
  assert.equal(collectionPath(Pod, undefined), "/api/v1/pods");
  assert.equal(collectionPath(Pod, ""), "/api/v1/pods");
});

test("[CL3] what would be another path is refused before it is sent", () => {
  for (const name of ["..", ".", "a%2fb", ""]) {
    assert.throws(() => objectPath(Pod, { namespace: "shop", name }), TypeError, name);
    if (name !== "") assert.throws(() => objectPath(Pod, { namespace: name, name: "web" }), TypeError, name);
  }
  assert.throws(() => objectPath(Pod, { namespace: "shop", name: "a/b" }), /name "a\/b" may not contain '\/'/);
  assert.throws(() => objectPath(Pod, "shop/web", "../web2"), /subresource ".." may not be '..'/);
  assert.throws(() => objectPath(Pod, "a/b/c"), /is not of the form NAME or NAMESPACE\/NAME/);
  assert.equal(objectPath(Pod, { namespace: "shop", name: "a?b#c" }), "/api/v1/namespaces/shop/pods/a%3Fb%23c");
});

test("[CL3] what is no address at all is told so", () => {
  for (const address of [undefined, null, 7]) {
    // @ts-expect-error It is no address for the compiler either.
    assert.throws(() => objectPath(Pod, address), /an object's address is/);
    // @ts-expect-error Nor is it metadata.
    assert.throws(() => objectPath(Pod, { metadata: address }), /an object's address is/);
  }
  assert.throws(() => objectPath(Pod, {} as { name: string }), /an address needs a name/);
});
