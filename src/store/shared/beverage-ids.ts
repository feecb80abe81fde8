/** A column of an extension's table that holds ids of beverages. */
export interface BeverageIds {
  readonly table: string;
  readonly column: string;
  /** SQL that holds for the rows where it does; absent: for all. */
  readonly where?: string;
  /** The columns of the primary key. */
  readonly key: readonly string[];
}
