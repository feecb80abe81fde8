import type { StagedRecord } from '../store/import-staging.ts';

type Kind = StagedRecord['kind'];

/** Faulty rows and notes that are printed; more are only counted. */
const maxListed = 100;

const names: Readonly<Record<Kind, readonly [one: string, many: string]>> = {
  user: ['account', 'accounts'],
  beverage: ['beverage', 'beverages'],
  keg: ['keg', 'kegs'],
  drink: ['drink', 'drinks'],
};
const kinds = Object.keys(names) as Kind[];

/** A row that cannot be imported. */
export interface BadRow {
  /** File and line, or the record of a server. */
  readonly place: string;
  /** The column or field; null for the whole row. */
  readonly column: string | null;
  readonly message: string;
}

/** What is known of an import before its records are planned or written. */
export interface StagedNotes {
  readonly notes: readonly string[];
  /** Numbers of records that are never imported, by kind and reason. */
  readonly leftOut: ReadonlyMap<
    string,
    { readonly kind: Kind; readonly reason: string; readonly count: number }
  >;
}

/** What an import does or would do; what `staged` has is printed before what is added. */
export function createImportReport(staged: StagedNotes = { notes: [], leftOut: new Map() }) {
  const counts = Object.fromEntries(
    kinds.map((kind) => [kind, { new: 0, updated: 0, known: 0, matched: 0 }]),
  ) as Record<Kind, { new: number; updated: number; known: number; matched: number }>;
  const badRows: BadRow[] = [];
  const notes: string[] = [...staged.notes];
  const leftOut = new Map(staged.leftOut);
  /** Numbers of drinks that come without a keg, by the key of that keg. */
  const missingKegs = new Map<string, number>();
  let badCount = 0;
  let noteCount = notes.length;
  let volumeMl = 0;
  return {
    counts,
    get badCount(): number {
      return badCount;
    },
    /** Number of records that are written. */
    get newCount(): number {
      return kinds.reduce(
        (sum, kind) => sum + counts[kind].new + counts[kind].updated + counts[kind].matched,
        0,
      );
    },
    addBad(row: BadRow): void {
      badCount += 1;
      if (badRows.length < maxListed) badRows.push(row);
    },
    addNote(note: string): void {
      noteCount += 1;
      if (notes.length < maxListed) notes.push(note);
    },
    /** Counts a record that is never imported, though nothing is wrong with it. */
    addLeftOut(kind: Kind, reason: string): void {
      const key = `${kind} ${reason}`;
      leftOut.set(key, { kind, reason, count: (leftOut.get(key)?.count ?? 0) + 1 });
    },
    addMissingKeg(key: string): void {
      missingKegs.set(key, (missingKegs.get(key) ?? 0) + 1);
    },
    /** Notes and left-out records so far. */
    staged: (): StagedNotes => ({ notes: [...notes], leftOut: new Map(leftOut) }),
    addVolume(ml: number): void {
      volumeMl += ml;
    },
    /** The faulty rows as lines. */
    badText: (): string => lines(badRows.map(toLine), badCount),
    text(isDone: boolean): string {
      const table = kinds.flatMap((kind) => {
        const { known, matched, updated, new: added } = counts[kind];
        if (known + matched + updated + added === 0) return [];
        const parts = [
          `${added} ${isDone ? 'imported' : 'to import'}`,
          ...(matched > 0 ? [`${matched} the same as here`] : []),
          ...(updated > 0 ? [`${updated} brought up to date`] : []),
          ...(known > 0 ? [`${known} imported before`] : []),
        ];
        return [`${names[kind][1].padEnd(10)} ${parts.join(', ')}`];
      });
      const volume =
        counts.drink.new > 0 ? [`volume     ${(volumeMl / 1_000).toFixed(1)} L of new drinks`] : [];
      const absent = [...leftOut.values()].map(
        ({ kind, reason, count }) => `left out   ${inWords(count, kind)}: ${reason}`,
      );
      const kegless = [...missingKegs].map(
        ([key, count]) =>
          `no keg     ${inWords(count, 'drink')} of keg ${key}, which is not imported: without a keg here`,
      );
      const head = [...table, ...volume, ...absent];
      return (
        lines(head, head.length) +
        lines(kegless.slice(0, maxListed), kegless.length) +
        lines(notes, noteCount)
      );
    },
  };
}

export type ImportReport = ReturnType<typeof createImportReport>;

const inWords = (count: number, kind: Kind): string => `${count} ${names[kind][count === 1 ? 0 : 1]}`;

const toLine = ({ place, column, message }: BadRow): string =>
  `${place}${column === null ? '' : `, ${column}`}: ${message}.`;

function lines(shown: readonly string[], count: number): string {
  const more = count - shown.length;
  return [...shown, ...(more > 0 ? [`… and ${more} more.`] : [])].map((line) => `${line}\n`).join('');
}
