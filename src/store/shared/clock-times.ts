/** What becomes of the times in a column when a wrong clock is corrected. */
export type ClockTime =
  /** Those taken before the clock was set are noted under this name (`provisional_times`), and moved to the true time. */
  | { readonly moves: string }
  /** The engine moves them with something else, or by their notes of that name where writing the column is not enough. */
  | { readonly follows: string; readonly noted?: string }
  | { readonly stays: string };

/** By table and column: every column whose name ends in `_ms`. */
export type ClockTimes = Readonly<Record<string, Readonly<Record<string, ClockTime>>>>;

export const duration = { stays: 'a duration' } as const;
export const monotonic = { stays: 'by the monotonic clock, which is never set' } as const;
export const onlySet = { stays: 'is taken from a set clock only' } as const;
export const shown = { stays: 'is shown to people, and nothing follows from it' } as const;
export const renewed = { stays: 'is written again soon' } as const;

/** The names under which times of these tables are noted. */
export type TimeName<Times extends ClockTimes> = {
  [Table in keyof Times]: {
    [Column in keyof Times[Table]]: Times[Table][Column] extends
      | { readonly moves: infer Name }
      | { readonly noted: infer Name }
      ? Name
      : never;
  }[keyof Times[Table]];
}[keyof Times] &
  string;
