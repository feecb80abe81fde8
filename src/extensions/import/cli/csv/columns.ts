import { cleanCell } from '../../../../core/files/cells.ts';
import { mlPerOz } from '../../../../core/kegs/volume-units.ts';
import { findClosest } from '../../../../core/text/find-closest.ts';

/** Kinds of CSV files, in the order in which they are imported. */
export const csvKinds = ['beers', 'kegs', 'drinks'] as const;
export type CsvKind = (typeof csvKinds)[number];

/** A column that a file may have. */
interface Column {
  /** Other names of it. */
  readonly also?: readonly string[];
  readonly isRequired?: boolean;
  /** A volume: its name ends in a unit, and any of `volumeUnits` can take the place of `_ml`. */
  readonly isVolume?: boolean;
  /** What its cells are; absent for texts. */
  readonly holds?: 'number' | 'time';
}

const known: Column = {};
const number: Column = { holds: 'number' };
const time: Column = { holds: 'time' };
const volume: Column = { isVolume: true, holds: 'number' };

/** Millilitres in each unit; the ounce is the US fluid ounce. */
const volumeUnits = { ml: 1, cl: 10, l: 1_000, oz: mlPerOz } as const;

/** The columns that are read, by kind and name. */
const columns: Readonly<Record<CsvKind, Readonly<Record<string, Column>>>> = {
  beers: {
    id: known,
    name: { also: ['beverage', 'beer'], isRequired: true },
    producer: { also: ['brewery', 'brewer'], isRequired: true },
    style: { also: ['style_id'] },
    beverage_type: { also: ['type'] },
    abv_percent: { ...number, also: ['abv'] },
    ibu: number,
    srm: number,
    color_hex: known,
    original_gravity: number,
    specific_gravity: number,
    calories_per_ml: number,
    carbs_per_ml: number,
    star_rating: number,
    vintage_year: known,
    untappd_beer_id: known,
    description: known,
    country: known,
    origin_state: known,
    origin_city: known,
    is_homebrew: known,
    url: known,
  },
  kegs: {
    id: known,
    beverage_id: known,
    beverage: { also: ['beer', 'name'] },
    producer: { also: ['brewery', 'brewer'] },
    size: { also: ['keg_type', 'size_id'] },
    full_volume_ml: volume,
    spilled_volume_ml: volume,
    state: { also: ['status'] },
    created_time: time,
    started_time: { ...time, also: ['start_time'] },
    finished_time: { ...time, also: ['end_time'] },
    created_time_utc_offset: known,
    started_time_utc_offset: known,
    finished_time_utc_offset: known,
    description: known,
    notes: known,
  },
  drinks: {
    id: known,
    pour_id: known,
    pour_time: { ...time, also: ['time'], isRequired: true },
    pour_time_utc_offset: known,
    volume_ml: { ...volume, isRequired: true },
    ticks: number,
    duration: number,
    user_id: { also: ['user', 'username'] },
    claimed_username: known,
    keg_id: known,
    tap: known,
    shout: known,
    time_certain: known,
    is_valid: known,
  },
};

/** Further columns that follow from others or belong to the hardware, so that they are not read. */
const unread: Readonly<Record<CsvKind, readonly string[]>> = {
  beers: [],
  kegs: ['served_volume_ml', 'volume_ml_remain', 'percent_full', 'type_id'],
  drinks: ['auth_token', 'rejected_edges', 'series', 'tick_time_series', 'picture', 'display_name'],
};

/** Where a value is: the column's position in the row, its name in the file, and how much one unit is. */
export interface ColumnPlace {
  readonly index: number;
  /** As the file writes it. */
  readonly title: string;
  /** Millilitres of one; 1 for what is no volume. */
  readonly factor: number;
}

/** The columns of a file by their own names. */
export type ColumnPlaces = ReadonlyMap<string, ColumnPlace>;

/** Finds the columns in a header row, or returns what is wrong with it, one sentence each. */
export function readHeader(
  kind: CsvKind,
  titles: readonly string[],
  {
    ignoresUnknown,
    exported,
  }: {
    readonly ignoresUnknown: boolean;
    /** Columns of our own exports; those that are not read are known nevertheless. */
    readonly exported: readonly string[];
  },
): { readonly places: ColumnPlaces } | { readonly faults: readonly string[] } {
  const places = new Map<string, ColumnPlace>();
  const faults: string[] = [];
  const names = namesOf(kind);
  titles.forEach((title, index) => {
    const written = toColumnName(title);
    const found = names.get(written);
    if (found !== undefined) {
      if (places.has(found.name)) faults.push(`The column ${found.name} is there twice.`);
      places.set(found.name, { index, title: cleanCell(title), factor: found.factor });
    } else if (![...unread[kind], ...exported, ''].includes(written) && !ignoresUnknown) {
      const nearest = findClosest(written, [...names.keys()]);
      const hint =
        nearest === null ? 'It can be left out with --ignore-unknown-columns.' : `Did you mean ${nearest}?`;
      faults.push(`There is no column “${cleanCell(title).slice(0, 60)}” in a file of ${kind}. ${hint}`);
    }
  });
  for (const [name, { isRequired }] of Object.entries(columns[kind])) {
    if (isRequired && !places.has(name)) faults.push(`The column ${name} is missing.`);
  }
  if (kind === 'kegs' && !places.has('beverage_id') && !(places.has('beverage') && places.has('producer'))) {
    faults.push('The columns beverage and producer are missing, or beverage_id in their place.');
  }
  return faults.length > 0 ? { faults } : { places };
}

const toColumnName = (title: string): string =>
  cleanCell(title)
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');

/** How many cells of a row are names of columns. */
export function countKnownColumns(kind: CsvKind, cells: readonly string[]): number {
  const names = namesOf(kind);
  return cells.filter((cell) => names.has(toColumnName(cell))).length;
}

/** A cell without the percent sign that a column of percents may have. */
export const withoutPercent = (name: string, cell: string): string =>
  name.endsWith('_percent') ? cell.replace(/\s*%$/, '') : cell;

/** The columns whose cells are numbers, or times. */
export const columnsHolding = (kind: CsvKind, holds: 'number' | 'time'): readonly string[] =>
  Object.entries(columns[kind]).flatMap(([name, column]) => (column.holds === holds ? [name] : []));

/** Every name that a column may have in a file. */
function namesOf(kind: CsvKind): ReadonlyMap<string, { readonly name: string; readonly factor: number }> {
  const names = new Map<string, { readonly name: string; readonly factor: number }>();
  for (const [name, { also = [], isVolume = false }] of Object.entries(columns[kind])) {
    for (const one of [name, ...also]) names.set(one, { name, factor: 1 });
    if (!isVolume) continue;
    for (const [unit, factor] of Object.entries(volumeUnits)) {
      names.set(name.replace(/_ml$/, `_${unit}`), { name, factor });
    }
  }
  return names;
}
