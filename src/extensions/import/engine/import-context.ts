import type { Moment } from '../../../core/clock/moment.ts';
import type { Store } from '../../../store/store.ts';
import type { ImportsTable } from '../store/imports-table.ts';

/** What happened to a record: `matched` ones exist here and did not come from the source. */
export type ImportResult = 'new' | 'updated' | 'known' | 'matched';

/** Result of one record. */
export interface ImportOutcome {
  readonly result: ImportResult;
  /** A sentence about something that people should know, such as a changed name. */
  readonly note?: string;
  /** The key of a keg of the source that is not here, so that its drink was imported without a keg. */
  readonly missingKeg?: string;
}

/** What the parts of one import share. */
export interface ImportContext {
  readonly store: Store;
  readonly tables: ImportsTable;
  readonly now: Moment;
  /** Null while the source is unknown, which only happens in a dry run. */
  readonly sourceId: number | null;
  /** A dry run reads as an import does and writes nothing: its new records get negative ids. */
  readonly isDryRun: boolean;
}

/** Source of the negative ids of a dry run. */
export function createPlannedIds(): () => number {
  let last = 0;
  return () => --last;
}

/** The form by which names of beverages and producers are compared: without case, width and repeated blanks. */
export const toNameKey = (name: string): string =>
  name.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
