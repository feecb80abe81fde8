/** A column of an extension's table with ids of beverages: a merge moves its rows. */
export interface BeverageIds {
  readonly table: string;
  readonly column: string;
  /** SQL that holds for the rows that are moved to the beverage `@to`; absent: all are. */
  readonly where?: string;
  /** The columns of the primary key. */
  readonly key: readonly string[];
}
