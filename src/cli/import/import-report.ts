import type { StagedRecord } from '../../engine/engine.ts';

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

/** What an import does or would do; `firstNotes` are printed before those that are added. */
export function createImportReport(firstNotes: readonly string[] = []) {
  const counts = Object.fromEntries(
    kinds.map((kind) => [kind, { new: 0, updated: 0, known: 0, matched: 0 }]),
  ) as Record<Kind, { new: number; updated: number; known: number; matched: number }>;
  const badRows: BadRow[] = [];
  const notes: string[] = [...firstNotes];
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
    /** The notes so far. */
    notes: (): readonly string[] => [...notes],
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
      return lines([...table, ...volume], table.length + volume.length) + lines(notes, noteCount);
    },
  };
}

export type ImportReport = ReturnType<typeof createImportReport>;

const toLine = ({ place, column, message }: BadRow): string =>
  `${place}${column === null ? '' : `, ${column}`}: ${message}.`;

function lines(shown: readonly string[], count: number): string {
  const more = count - shown.length;
  return [...shown, ...(more > 0 ? [`… and ${more} more.`] : [])].map((line) => `${line}\n`).join('');
}
