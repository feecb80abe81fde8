import { createHash } from 'node:crypto';
import { AppError } from '../../../../core/app-error.ts';
import { omitUndefined } from '../../../../core/omit-undefined.ts';
import type { BeverageType, KegState } from '../../../../core/records.ts';
import type { ImportedBeverage, ImportedDrink, ImportedKeg } from '../../engine/imports.ts';
import { CellFault, type RowReader } from './csv-values.ts';

/** Longest id in a file. */
const maxIdLength = 64;

/** A row as a record; null for a row that is left out. */
interface CsvRecord<T> {
  /** Its id in the file; null without one. */
  readonly id: string | null;
  readonly record: T;
}

/** A keg's state as our exports, older programs and people write it. */
const kegStates: Readonly<Record<string, KegState>> = {
  available: 'available',
  on_tap: 'on_tap',
  online: 'on_tap',
  finished: 'finished',
  offline: 'available',
};

export function toBeverage(row: RowReader): CsvRecord<ImportedBeverage> {
  const number = (name: string) => row.number(name) ?? undefined;
  const text = (name: string) => row.text(name) ?? undefined;
  return {
    id: readId(row, 'id'),
    record: {
      name: row.text('name') ?? '',
      ...omitUndefined({
        style: text('style'),
        beverageType: text('beverage_type')?.toLowerCase() as BeverageType | undefined,
        abvPercent: number('abv_percent'),
        ibu: number('ibu'),
        srm: number('srm'),
        colorHex: text('color_hex'),
        originalGravity: number('original_gravity'),
        specificGravity: number('specific_gravity'),
        caloriesPerMl: number('calories_per_ml'),
        carbsPerMl: number('carbs_per_ml'),
        starRating: number('star_rating'),
        vintageYear: toVintage(text('vintage_year')),
        untappdBeerId: number('untappd_beer_id'),
        description: row.text('description', 'lines') ?? undefined,
      }),
      producer: {
        name: row.text('producer') ?? '',
        ...omitUndefined({
          country: text('country')?.toUpperCase(),
          originState: text('origin_state'),
          originCity: text('origin_city'),
          isHomebrew: row.boolean('is_homebrew') ?? undefined,
          url: text('url'),
        }),
      },
    },
  };
}

export function toKeg(row: RowReader): CsvRecord<ImportedKeg> {
  const beverageId = readId(row, 'beverage_id');
  const finishedTimeMs = row.time('finished_time');
  const stateText = row.text('state')?.toLowerCase().replaceAll(/[\s-]/g, '_');
  const state = stateText === undefined ? undefined : kegStates[stateText];
  if (stateText !== undefined && state === undefined) {
    throw new CellFault(
      row.title('state'),
      `must be available, on_tap or finished, not “${stateText.slice(0, 40)}”`,
    );
  }
  return {
    id: readId(row, 'id'),
    record: {
      beverage:
        beverageId === null
          ? { name: row.text('beverage') ?? '', producerName: row.text('producer') ?? '' }
          : { key: beverageId },
      size: row.text('size'),
      fullVolumeMl: row.number('full_volume_ml'),
      state: state ?? (finishedTimeMs === null ? 'available' : 'finished'),
      createdTimeMs: row.time('created_time'),
      startedTimeMs: row.time('started_time'),
      finishedTimeMs,
      spilledVolumeMl: row.number('spilled_volume_ml') ?? 0,
      description: row.text('description', 'lines') ?? '',
      notes: row.text('notes', 'lines') ?? '',
      hasLooseKey: true,
    },
  };
}

/** Null for a pour that is held for review: it counts nowhere. */
export function toDrink(row: RowReader): CsvRecord<ImportedDrink> | null {
  if (row.boolean('is_valid') === false) return null;
  const pourTimeMs = row.time('pour_time');
  const volumeMl = row.number('volume_ml');
  if (pourTimeMs === null) throw new CellFault(row.title('pour_time'), 'must not be empty');
  if (volumeMl === null) throw new CellFault(row.title('volume_ml'), 'must not be empty');
  return {
    id: readId(row, 'id'),
    record: {
      pourId: row.text('pour_id'),
      pourTimeMs,
      timeCertain: row.boolean('time_certain') ?? true,
      durationMs: (row.number('duration') ?? 0) * 1_000,
      ticks: row.number('ticks') ?? 0,
      volumeMl,
      username: row.text('user_id') ?? row.text('claimed_username'),
      kegKey: readId(row, 'keg_id'),
      // The taps of our exports may be those of another site; their kegs are named.
      tapName: row.has('keg_id') ? null : row.text('tap'),
      shout: row.text('shout', 'lines'),
    },
  };
}

/** The key of a row without an id: a hash of its values. */
export const toRowKey = (record: unknown): string =>
  createHash('sha256').update(JSON.stringify(record)).digest('base64url').slice(0, 22);

/** The sentence and column of a fault in a row. */
export function describeRowFault(fault: unknown, row: RowReader): CellFault {
  if (fault instanceof CellFault) return fault;
  if (!(fault instanceof AppError) || fault.fields === undefined) throw fault;
  const [[field, allowed]] = Object.entries(fault.fields) as [[string, string]];
  return new CellFault(row.title(aliases[field] ?? field), allowed);
}

/** Names of fields in the rules of the engine, where the column has another one. */
const aliases: Readonly<Record<string, string>> = { user: 'user_id' };

function readId(row: RowReader, name: string): string | null {
  const id = row.text(name);
  if (id === null || ([...id].length <= maxIdLength && !/\s/.test(id))) return id;
  throw new CellFault(row.title(name), `must have at most ${maxIdLength} characters and no blanks`);
}

/** A year alone means its first day. */
const toVintage = (text: string | undefined): string | undefined =>
  text !== undefined && /^\d{4}$/.test(text) ? `${text}-01-01` : text;
