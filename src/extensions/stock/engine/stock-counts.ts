import { AppError } from '../../../core/app-error.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { Keg } from '../../../core/records.ts';
import type { createKegs } from '../../../engine/kegs/kegs.ts';
import { validateNewKeg } from '../../../engine/kegs/new-keg.ts';
import { type Corrected, correctableRecordChange } from '../../../engine/kegs/record-corrections.ts';
import { kegRows, mergeRows, type RecordRows } from '../../../engine/kegs/record-rows.ts';
import { endKeg } from '../../../engine/kegs/tap-kegs.ts';
import type { ActorContext } from '../../../engine/shared/actor-context.ts';
import { validateNumber, validateText, validationError } from '../../../engine/shared/bounds.ts';
import { type Page, type PageRequest, readPage } from '../../../engine/shared/paging.ts';
import type { EngineParts } from '../../../engine/shared/parts.ts';
import { newestRows } from '../../../store/shared/slice.ts';
import { compareForUse } from '../core/keg-stock.ts';
import {
  type CountReason,
  type KegKind,
  kindKey,
  maxCountedKegs,
  maxCountLines,
  maxCountNote,
  type StockCount,
  type StockCountLine,
} from '../core/stock-count.ts';
import { countLinesTable, countsTable, type StockTables } from '../store/stock-store.ts';

/** Kegs of one kind that are in stock by the records. */
export interface CountSheetLine extends KegKind {
  readonly beverage: string;
  readonly sizeKey: string;
  readonly size: string;
  readonly expected: number;
  /** Where they stand. */
  readonly locations: readonly string[];
}

/** What staff counted of one kind. */
interface CountedLine {
  readonly beverageId: number;
  readonly sizeKey: string;
  /** Of a full keg; that of the size unless given. */
  readonly fullVolumeMl?: number | undefined;
  readonly counted: number;
  /** What the sheet said; the count is refused where that has changed since. */
  readonly expected?: number | undefined;
  readonly reason?: CountReason | undefined;
}

interface NewCount {
  readonly lines: readonly CountedLine[];
  readonly note?: string | undefined;
  /** Whether missing kegs are ended and found ones added. */
  readonly isAdjusted: boolean;
}

/** A line with its kegs by the records, in the order in which they should be used. */
interface ComparedLine {
  readonly kind: KegKind & { readonly sizeKey: string };
  readonly line: StockCountLine;
  readonly kegs: readonly Keg[];
}

/** Counts of the kegs in stock, with their differences from the records. Kegs on taps are not counted: their level is. */
export function createStockCounts(
  parts: EngineParts,
  { purchases, counts, times }: StockTables,
  kegs: Pick<ReturnType<typeof createKegs>, 'create'>,
) {
  const { store } = parts;
  /** A count with its lines. */
  const countRows = (id: number): RecordRows => ({
    [countsTable]: store.drinks.rows.ofExtension(countsTable, 'id', id),
    [countLinesTable]: store.drinks.rows.ofExtension(countLinesTable, 'count_id', id),
  });
  const sizeOf = (sizeId: number) => store.kegs.sizes().find(({ id }) => id === sizeId)!;
  const nameOf = (beverageId: number) => store.kegs.beverages.byId(beverageId)?.name ?? '';

  /** The kegs in stock by kind, each in the order in which they should be used. */
  const readKinds = (): ReadonlyMap<string, readonly Keg[]> => {
    const kinds = new Map<string, Keg[]>();
    const inStock = store.kegs
      .pageByState('available', newestRows(maxCountedKegs))
      .map((keg) => ({ keg, use: { ...purchases.byKeg(keg.id), kegId: keg.id } }))
      .sort((one, other) => compareForUse(one.use, other.use));
    for (const { keg } of inStock) {
      const key = kindKey(keg);
      kinds.set(key, [...(kinds.get(key) ?? []), keg]);
    }
    return kinds;
  };

  const compare = (
    counted: CountedLine,
    place: number,
    kinds: ReadonlyMap<string, readonly Keg[]>,
  ): ComparedLine => {
    const beverage = Number.isSafeInteger(counted.beverageId)
      ? store.kegs.beverages.byId(counted.beverageId)
      : null;
    if (beverage === null)
      throw validationError(`lines.${place}.beverage_id`, 'must be the id of a beverage', {
        name: 'exists',
        what: 'beverage',
      });
    const size = store.kegs.sizes().find(({ key }) => key === counted.sizeKey);
    if (size === undefined)
      throw validationError(`lines.${place}.keg_type`, 'must be the key of a keg size', {
        name: 'exists',
        what: 'keg_size',
      });
    const { fullVolumeMl } = validateNewKeg(size, omitUndefined({ fullVolumeMl: counted.fullVolumeMl }));
    const kind = { beverageId: beverage.id, sizeId: size.id, sizeKey: size.key, fullVolumeMl };
    const recorded = kinds.get(kindKey(kind)) ?? [];
    const number = validateNumber(`lines.${place}.counted`, counted.counted, {
      min: 0,
      max: maxCountedKegs,
      whole: true,
    });
    if (counted.expected !== undefined && counted.expected !== recorded.length)
      throw stockChanged(beverage.name);
    const isSame = number === recorded.length;
    return {
      kind,
      kegs: recorded,
      line: {
        beverageId: beverage.id,
        beverage: beverage.name,
        size: size.name,
        fullVolumeMl,
        expected: recorded.length,
        counted: number,
        reason: isSame ? null : (counted.reason ?? 'unknown'),
        valueMinor: isSame ? null : costOfDifference(kind, number, recorded),
      },
    };
  };

  /** Cost of the difference: of the missing kegs, or of as many of the last delivery with a known cost. */
  const costOfDifference = (kind: KegKind, counted: number, recorded: readonly Keg[]): number | null => {
    const missing = recorded.slice(0, Math.max(0, recorded.length - counted));
    const costs = missing.map(({ id }) => purchases.byKeg(id).costMinor);
    if (missing.length > 0) return costs.includes(null) ? null : -costs.reduce<number>((a, b) => a + b!, 0);
    const perMl = purchases.costPerMl(kind.beverageId);
    return perMl === null ? null : Math.round(perMl * kind.fullVolumeMl) * (counted - recorded.length);
  };

  const compareAll = ({ lines }: NewCount): readonly ComparedLine[] => {
    if (lines.length === 0 || lines.length > maxCountLines)
      throw validationError('lines', `must have 1 to ${maxCountLines} items`);
    const kinds = readKinds();
    const compared = lines.map((line, place) => compare(line, place, kinds));
    const keys = compared.map(({ kind }) => kindKey(kind));
    if (new Set(keys).size < keys.length)
      throw validationError('lines', 'must name each kind of keg once', { name: 'different' });
    return compared;
  };

  return {
    /** What is to be counted, by beverage and size. */
    sheet: (): readonly CountSheetLine[] =>
      [...readKinds().values()]
        .map((some) => {
          const { beverageId, sizeId, fullVolumeMl } = some[0]!;
          const { key, name } = sizeOf(sizeId);
          const locations = new Set(some.map(({ id }) => purchases.byKeg(id).location));
          locations.delete('');
          return {
            beverageId,
            sizeId,
            fullVolumeMl,
            sizeKey: key,
            size: name,
            beverage: nameOf(beverageId),
            expected: some.length,
            locations: [...locations],
          };
        })
        .sort((one, other) => one.beverage.localeCompare(other.beverage) || one.sizeId - other.sizeId),

    /** The newest first. */
    list: (page: PageRequest): Page<StockCount> => readPage(page, counts.total(), counts.page),

    /**
     * Stores a count. Adjusted, it ends the missing kegs, those first that should be used first, and adds the found ones. Throws
     * `conflict` where the records changed since the sheet was read. The undo takes all of it back.
     */
    add(count: NewCount, context: ActorContext): Corrected<StockCount> {
      const note = validateText('note', count.note ?? '', { min: 0, max: maxCountNote, kind: 'lines' });
      let compared: readonly ComparedLine[] | undefined;
      let added: StockCount | undefined;
      const created: number[] = [];
      const missing = () =>
        compared!.flatMap(({ kegs: some, line }) => some.slice(0, Math.max(0, some.length - line.counted)));
      return correctableRecordChange(
        parts,
        context,
        {
          action: 'stock.counted',
          kind: 'stock_count',
          id: () => added!.id,
          snapshot: () => added && toAuditSnapshot(added),
        },
        () => {
          compared ??= compareAll(count);
          const ids = count.isAdjusted ? [...missing().map(({ id }) => id), ...created] : [];
          return mergeRows([
            ...ids.map((id) => kegRows(store, id)),
            ...(added === undefined ? [] : [countRows(added.id)]),
          ]);
        },
        () => {
          if (count.isAdjusted) adjust(compared!, missing(), created, context);
          const userId = context.actor.userId ?? null;
          const lines = compared!.map(({ line }) => line);
          const timeMs = Math.round(context.now.wallMs);
          const id = counts.add({ timeMs, userId, note, isAdjusted: count.isAdjusted, lines });
          times.note('stock_count', id, context.now);
          added = counts.page(newestRows(1))[0]!;
          return added;
        },
      );
    },
  };

  function adjust(
    compared: readonly ComparedLine[],
    missing: readonly Keg[],
    created: number[],
    { now }: ActorContext,
  ): void {
    for (const { id } of missing) endKeg(store, id, { at: now, isPast: false }, { ranDry: false });
    for (const { kind, line } of compared) {
      for (let more = line.counted - line.expected; more > 0; more -= 1) {
        const { beverageId, sizeKey, fullVolumeMl } = kind;
        created.push(kegs.create({ beverage: { id: beverageId }, sizeKey, fullVolumeMl }, now).id);
      }
    }
  }
}

/** For the audit log: what differs. */
const toAuditSnapshot = ({ note, isAdjusted, lines }: StockCount) => ({
  note,
  isAdjusted,
  counted: lines.reduce((sum, { counted }) => sum + counted, 0),
  differences: lines
    .filter(({ expected, counted }) => expected !== counted)
    .map(({ beverage, size, expected, counted }) => `${beverage}, ${size}: ${expected} → ${counted}`)
    .join('; '),
});

const stockChanged = (beverage: string): AppError =>
  new AppError('conflict', `The stock of ${beverage} changed while it was counted: read the sheet again.`, {
    reason: { name: 'stock_changed', beverage },
  });
