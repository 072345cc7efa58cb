import type { Pool } from "undici";
// @ts-expect-error -- undici has types for its index alone
import pool from "undici/lib/dispatcher/pool.js";

/**
 * Connections to one server, from the one file of undici that a request needs: its index also loads fetch, caches, mocks and web sockets, which
 * takes three times as long and 9 MB more.
 */
export const UndiciPool: typeof Pool = pool;
