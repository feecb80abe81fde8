/** A value of a drink in a table with at most one row per drink: undo restores it as if it were a column of the drink. */
export interface DrinkColumn {
  readonly table: string;
  /** Its column with the drink's id. */
  readonly key: string;
  /** Its column with the value, by which the rows of drinks name it; none of theirs has that name. */
  readonly column: string;
}
