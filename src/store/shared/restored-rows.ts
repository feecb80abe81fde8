declare const ofExtension: unique symbol;

/** Name of a table of an extension whose rows an undo restores; its key is `id`. */
export type RestoredTable = string & { readonly [ofExtension]: true };

export const restoredTable = (name: string): RestoredTable => name as RestoredTable;

/** Rows of an extension's table that an undo restores, also while the extension is off. */
export interface RestoredRows {
  readonly table: RestoredTable;
  /** The column with the keg that a row belongs to: it is deleted with the keg, and comes back with it. Absent: it belongs to no keg. */
  readonly kegColumn?: string;
}
