import { type DateOrder, readDateOrder } from './dates.ts';
import { type DecimalSign, decimalSigns, readSigns } from './numbers.ts';

/** A cell by which something was found out. */
export interface Evidence {
  readonly line: number;
  readonly column: string;
  readonly text: string;
}

/** What is known of a whole file: an answer, two cells that contradict each other, or a cell that may be read in two ways. */
export type FileAnswer<T> =
  | { readonly kind: 'known'; readonly value: T }
  | { readonly kind: 'contradiction'; readonly cells: readonly [Evidence, Evidence] }
  | { readonly kind: 'doubt'; readonly cell: Evidence };

/**
 * Finds the decimal sign of a file from all of its numbers. Only what a cell proves counts; a file whose cells are separated by commas writes
 * decimals with points unless it shows otherwise, as RFC 4180 files of programs do.
 */
export function createSignFinder(delimiter: string) {
  const proofs = new Map<DecimalSign, Evidence>();
  const doubts = new Map<DecimalSign, Evidence>();
  const groups = new Set<DecimalSign>();
  const note = (map: Map<DecimalSign, Evidence>, sign: DecimalSign | null, cell: Evidence): void => {
    if (sign !== null && !map.has(sign)) map.set(sign, cell);
  };
  return {
    add(cell: Evidence): void {
      const { decimal, group, doubtful } = readSigns(cell.text);
      note(proofs, decimal, cell);
      note(doubts, doubtful, cell);
      if (group !== null) groups.add(group);
    },
    answer(): FileAnswer<DecimalSign> {
      const [point, comma] = decimalSigns.map((sign) => proofs.get(sign));
      if (point !== undefined && comma !== undefined) return contradiction(point, comma);
      const sign = point !== undefined ? '.' : comma !== undefined ? ',' : null;
      const [doubtfulPoint, doubtfulComma] = decimalSigns.map((one) => doubts.get(one));
      if (sign !== null) {
        const other = sign === '.' ? ',' : '.';
        const doubt = doubts.get(other);
        return doubt === undefined || groups.has(other)
          ? { kind: 'known', value: sign }
          : contradiction(proofs.get(sign)!, doubt);
      }
      if (doubtfulPoint !== undefined && doubtfulComma !== undefined)
        return contradiction(doubtfulPoint, doubtfulComma);
      if (doubtfulComma !== undefined) return { kind: 'doubt', cell: doubtfulComma };
      if (doubtfulPoint !== undefined && delimiter !== ',') return { kind: 'doubt', cell: doubtfulPoint };
      return { kind: 'known', value: '.' };
    },
  };
}

/** Finds the order of day and month in the dates of a file from all of them. Null: the file has no date that needs one. */
export function createOrderFinder() {
  const proofs = new Map<DateOrder, Evidence>();
  let doubt: Evidence | undefined;
  return {
    add(cell: Evidence): void {
      const order = readDateOrder(cell.text);
      if (order === 'doubtful') doubt ??= cell;
      else if (order !== null && !proofs.has(order)) proofs.set(order, cell);
    },
    answer(): FileAnswer<DateOrder | null> {
      const [first, second] = [...proofs];
      if (first !== undefined && second !== undefined) return contradiction(first[1], second[1]);
      if (first !== undefined) return { kind: 'known', value: first[0] };
      return doubt === undefined ? { kind: 'known', value: null } : { kind: 'doubt', cell: doubt };
    },
  };
}

const contradiction = (one: Evidence, other: Evidence): FileAnswer<never> => ({
  kind: 'contradiction',
  cells: one.line <= other.line ? [one, other] : [other, one],
});
