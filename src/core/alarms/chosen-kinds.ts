/** The kinds of alarms that somebody chooses from. */
interface Choice {
  /** The kinds that were chosen before; null: all. */
  readonly before: readonly string[] | null;
  /** Of those that are shown. */
  readonly wanted: readonly string[];
  readonly shown: readonly string[];
  /** Those of features that are off, too. */
  readonly all: readonly string[];
}

/** The kinds that are chosen now, null for all: those that are not shown stay as they were. */
export function chooseAlarmKinds({ before, wanted, shown, all }: Choice): readonly string[] | null {
  const chosen = all.filter((kind) =>
    shown.includes(kind) ? wanted.includes(kind) : (before?.includes(kind) ?? true),
  );
  return chosen.length === all.length ? null : chosen;
}
