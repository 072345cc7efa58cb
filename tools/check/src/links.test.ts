import assert from "node:assert/strict";
import { test } from "node:test";
import { layOut } from "./testing/fixture-workspace.ts";

/** What the fixture "links" breaks. Links to pages, headings, folders and other hosts are sound in it, and code has none. */
const expected = `
README.md:5: link: there is no docs/gone.md
README.md:6: link: docs/page.md has no heading #gone
README.md:6: link: README.md has no heading #gone
docs/page.md:3: link: there is no docs/image.png
`;

test("a link to a page, an image or a heading that is not there is reported at its line", async () => {
  using workspace = layOut("links");
  assert.equal(await workspace.run("links"), expected.slice(1));
});
