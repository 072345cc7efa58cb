import { runOperator } from "kaji";
import { operator } from "./operator.ts";

await runOperator(operator);
