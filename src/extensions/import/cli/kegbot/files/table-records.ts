import type { JsonObject } from '../remote-api.ts';
import type { TableRow, TableValue } from './table-rows.ts';

type Values = TableRow['values'];

/** The column of a reference: a dump calls it `keg_id`, a backup as JSON `keg`. */
export const referenceOf = (values: Values, name: string): string | null => {
  const found = values[`${name}_id`] ?? values[name] ?? null;
  return found === null ? null : String(found);
};

/** PostgreSQL writes `t` and `f`, MySQL 1 and 0. */
const isTrue = (value: TableValue | undefined): boolean =>
  value === true || value === 1 || value === 't' || value === '1' || value === 'true';

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

const toNumber = (value: TableValue | undefined): TableValue =>
  typeof value === 'string' && decimal.test(value) ? Number(value) : (value ?? null);

/** Times are in UTC; PostgreSQL adds a zone of two digits. */
const toTime = (value: TableValue | undefined): TableValue =>
  typeof value === 'string' ? value.replace(/([+-]\d\d)$/, '$1:00') : (value ?? null);

/** The columns as numbers, and the others as they are. */
const withNumbers = (values: Values, columns: readonly string[]): JsonObject => ({
  ...values,
  ...Object.fromEntries(columns.map((column) => [column, toNumber(values[column])])),
});

const beverageNumbers = [
  ...['abv_percent', 'calories_per_ml', 'carbs_per_ml', 'original_gravity', 'specific_gravity'],
  ...['srm', 'ibu', 'star_rating', 'untappd_beer_id'],
];

/** A row of `core_user` in the form of the API. */
export const toUserJson = (values: Values): JsonObject => ({
  id: values.id,
  username: values.username,
  display_name: values.display_name,
  email: values.email,
  is_active: values.is_active === undefined || isTrue(values.is_active),
  is_staff: isTrue(values.is_staff),
  is_superuser: isTrue(values.is_superuser),
  joined_time: toTime(values.date_joined),
});

/** A row of `core_beverageproducer` in the form of the API. */
export const toProducerJson = (values: Values): JsonObject => ({
  name: values.name,
  country: values.country,
  origin_state: values.origin_state,
  origin_city: values.origin_city,
  is_homebrew: isTrue(values.is_homebrew),
  url: values.url,
  description: values.description,
});

/** A row of `core_beverage` in the form of the API. */
export const toBeverageJson = (values: Values, producer: JsonObject | null): JsonObject => ({
  ...withNumbers(values, beverageNumbers),
  producer,
});

/** A row of `core_keg` in the form of the API. Kegbot 1.1 has no status, and sets `online` for a keg on a tap. */
export const toKegJson = (values: Values, isOnTap: boolean): JsonObject => ({
  ...withNumbers(values, ['full_volume_ml', 'served_volume_ml', 'spilled_ml']),
  start_time: toTime(values.start_time),
  end_time: toTime(values.end_time),
  status: isOnTap ? 'on_tap' : (values.status ?? (isTrue(values.finished) ? 'finished' : 'available')),
});

/** A row of `core_drink` in the form of the API. */
export const toDrinkJson = (values: Values, username: string | null): JsonObject => ({
  id: values.id,
  ticks: toNumber(values.ticks),
  volume_ml: toNumber(values.volume_ml),
  time: toTime(values.time),
  duration: toNumber(values.duration),
  shout: values.shout,
  keg_id: referenceOf(values, 'keg'),
  user: username === null ? null : { username },
});
