import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Fields } from '../routes/route.ts';

/*
 * What the OpenAPI documents consist of, and where each part is declared:
 *
 * - `openapi.ts` prints a document from the routes of an API. Summary, `description`, schemas and access are declared by
 *   the route (`routes/route.ts`); descriptions and units of properties by their schemas. A `description` may be Markdown.
 * - Examples are in `examples/<name of the API>.json`. Tests write them from real requests and replies, nobody edits
 *   them by hand; a test fails when one no longer fits its schemas or differs in shape from a fresh reply.
 *   `TAPSTER_WRITE_EXAMPLES=1` makes these tests write the files anew. They are read only when the document is asked for.
 * - The client's types are generated from the same document, without examples (`client-types.ts`).
 */

/** A recorded request and its reply. */
export interface Example {
  /** What the example shows, one line. */
  readonly summary: string;
  /** Values of the path parameters by name. */
  readonly params?: Fields;
  /** Values of the query parameters by name. */
  readonly query?: Fields;
  /** Values of the header parameters by name, as declared: `If-Match`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body as JSON, also for a form; files are left out. */
  readonly body?: unknown;
  readonly reply: {
    readonly status: number;
    /** Without parameters: `application/json`. */
    readonly mediaType: string;
    /** JSON, or the text of another media type; absent for binary data. */
    readonly body?: unknown;
  };
}

/** The examples of an operation by a name that is unique within it: `aGuest`, `keyOfNobody`. */
export type OperationExamples = Readonly<Record<string, Example>>;

/** The examples of an API by operation id. */
export type Examples = Readonly<Record<string, OperationExamples>>;

/** Returns the path of the examples of an API. */
export const examplesFile = (api: string): string =>
  fileURLToPath(new URL(`./examples/${api}.json`, import.meta.url));

/** Reads the examples of an API. They are not kept in memory, since the printed document is. */
export const readExamples = async (api: string): Promise<Examples> =>
  JSON.parse(await readFile(examplesFile(api), 'utf8')) as Examples;
