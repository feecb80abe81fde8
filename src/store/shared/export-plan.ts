/** Records of one kind that can be exported, and how they are read. */
export interface ExportPlan {
  /** Named so in addresses and files. */
  readonly kind: string;
  /** A table or a query in brackets, called `x`, with `id`. */
  readonly table: string;
  /** The column that a time span filters, of `x`. */
  readonly time: string;
  readonly columns: string;
  readonly joins?: string;
}
