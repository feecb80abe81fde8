import type { StoreExtension } from '../extension.ts';
import type { LazyDatabase as Database } from '../lazy-statements.ts';
import type { Caches } from './caches.ts';

/** What the tables of each subject are created with. */
export interface TableParts {
  readonly db: Database;
  readonly caches: Caches;
  /** All extensions of the program, on or off. */
  readonly extensions: readonly StoreExtension[];
}
