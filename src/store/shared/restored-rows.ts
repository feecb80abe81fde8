declare const ofExtension: unique symbol;

/** Name of a table of an extension whose rows an undo restores; its key is `id`. */
export type RestoredTable = string & { readonly [ofExtension]: true };

export const restoredTable = (name: string): RestoredTable => name as RestoredTable;

/** Rows of an extension's table that an undo restores, also while the extension is off. */
export interface RestoredRows {
  readonly table: RestoredTable;
  /** The column with the keg that a row belongs to: it is deleted with the keg, and comes back with it. Absent: it belongs to no keg. */
  readonly kegColumn?: string;
  /** The same with a beverage. */
  readonly beverageColumn?: string;
  /** The column with the row of a table before it that a row belongs to: it comes back with that row only. */
  readonly owner?: { readonly table: RestoredTable; readonly column: string };
  /**
   * The column with a serving size. A row that is `deleted` with its size comes back with it; one that is `kept` gets its size
   * again, and a size that such a row has got since cannot be taken away by an undo.
   */
  readonly size?: { readonly column: string; readonly withoutSize: 'deleted' | 'kept' };
  /** True where an undo leaves rows that were changed since as they are, and restores the others. */
  readonly keepsLaterChanges?: true;
}
