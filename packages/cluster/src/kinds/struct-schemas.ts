import { StructSchemas } from "@kaji/apiserver";
import { structTable } from "@kaji/types/tables";

/** The shapes of everything built in, made when first asked for and shared by all servers of the process. */
export const structSchemas: StructSchemas = new StructSchemas(structTable);
