import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { TapState } from '../../src/core/taps/tap-state.ts';
import type { Store } from '../../src/store/store.ts';
import type { CredentialCase } from '../http/credentials/credential-routes.ts';
import type { Watched } from '../http/credentials/credential-watch.ts';
import type { ExampleRequests } from '../http/openapi/example-requests/example-request.ts';
import type { TestServer } from '../http/test-server.ts';

/** A tap as every view shows it. */
export interface ShownTap {
  readonly state: TapState;
  readonly hasKeg: boolean;
  readonly beer: string;
  readonly price: string;
}

/** What tests of the whole API know of an extension: `test/extensions/<name>/cases.ts` exports it as `cases`. */
export interface ExtensionCases {
  readonly name: string;
  /** The requests of the examples by operation id, where the usual ones do not succeed. */
  readonly exampleRequests?: ExampleRequests;
  /** Fields of requests that hold secrets which let nobody act as an account: `operation.field`. */
  readonly foreignSecrets?: readonly string[];
  /** Reads of one thing that has several parts, or of all at once, by operation id. */
  readonly unpagedReads?: readonly string[];
  /** Its lists that are always answered whole, by operation id. */
  readonly wholeLists?: readonly string[];
  /** Its routes that write credentials, and the columns that hold them. */
  readonly credentials?: {
    readonly cases: readonly CredentialCase[];
    readonly watched: readonly Watched[];
  };
  /** What staff may do by PIN on a shared tablet: `method /path`. */
  readonly byPin?: readonly string[];
  /** What each claim of its texts rests on, as in `test/web/locales/evidence.ts`. */
  readonly evidence?: Readonly<Record<string, readonly string[]>>;
  /** Choices of its texts whose values are any text: `key variable`. */
  readonly freeChoices?: readonly string[];
  /** Choices of its texts with their values, of which `other` stands for one: `key variable`. */
  readonly choices?: Readonly<Record<string, { readonly values: readonly string[]; readonly other: string }>>;
  /** Operations with other methods than GET that write nothing to the disk. */
  readonly writeNothing?: readonly string[];
  /** What it has of Kegbot 2.0’s API: method and path, or `all` and a path for every operation of a list and its records. */
  readonly kegbotOperations?: readonly string[];
  /** Has the plans of its queries checked; its tables with as many rows as a bar has hardware may be scanned. */
  readonly smallTables?: readonly string[];
  /** Matches those of its queries that may sort: sums, and lists of a few rows. */
  readonly sortedQueries?: RegExp;
  /** Its operations that change something after they have waited, and of which only one runs at a time. */
  readonly oneAtATime?: readonly string[];
  /** Values of its mails by template, as long as they may be. */
  readonly mails?: Readonly<Record<string, object>>;
  /** Its hashes that let nobody act as an account: `table.column`. */
  readonly otherHashes?: readonly string[];
  /** What only superusers read: the ends of the addresses. */
  readonly forSuperusers?: readonly string[];
  /** Its records that people name: address, field, other fields of a new one. */
  readonly namedRecords?: readonly (readonly [path: string, field: string, others: object])[];
  /** Writes what its tables may hold of a person, in which columns (`table.column`). */
  readonly personTraces?: {
    readonly columns: readonly string[];
    leave(store: Store, person: { readonly token: string; readonly username: string }): void;
  };
  /** Operations that write although the disk is full. */
  readonly allowedOnFullDisk?: readonly string[];
  /** Adds what the server with something of everything has of it, at its opening. */
  populate?(server: TestServer): void;
  /** Starts what only shows while it lasts, before all answers are compared with the document. */
  beforeAnswers?(server: TestServer): void;
  /** Writes these names of a person wherever it can; returns the columns as `table.column`. */
  leaveTraces?(server: TestServer, names: readonly [string, string]): readonly string[];
  /** Checks what it shows of the first tap, whose keg has that beer and price. */
  checkTapState?(server: TestServer, expected: ShownTap): void;
  /** What its routes find in place of its background service. */
  readonly background?: object;
}

const folder = fileURLToPath(new URL('../extensions/', import.meta.url));
const files = existsSync(folder)
  ? readdirSync(folder)
      .map((name) => `${folder}${name}/cases.ts`)
      .filter((file) => existsSync(file))
  : [];

export const extensionCases: readonly ExtensionCases[] = await Promise.all(
  files.map(async (file) => ((await import(file)) as { readonly cases: ExtensionCases }).cases),
);

/** The background services of routes in tests. */
export function backgroundInTests({ name }: { readonly name: string }): unknown {
  return extensionCases.find((one) => one.name === name)?.background;
}
