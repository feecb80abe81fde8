import { AppError } from '../../../../core/app-error.ts';
import { parseTime } from '../../../../core/clock/parse-time.ts';
import { gravityRange } from '../../../../core/kegs/beer-volume.ts';
import { omitUndefined } from '../../../../core/omit-undefined.ts';
import type { BeverageType, KegState } from '../../../../core/records.ts';
import { removeHiddenCharacters } from '../../../../core/text/text-rules.ts';
import type { ImportedBeverage, ImportedDrink, ImportedKeg, ImportedUser } from '../../engine/imports.ts';
import { isObject, type JsonObject } from './remote-api.ts';

const unknownProducerName = 'Unknown brewery';
const day = 86_400;

/** A text without what is not allowed here, and not longer: the other server cannot be corrected. */
function text(value: unknown, max: number, kind: 'line' | 'lines' = 'line'): string | undefined {
  if (typeof value !== 'string') return undefined;
  return [...removeHiddenCharacters(value, kind).trim()].slice(0, max).join('').trim() || undefined;
}

function number(value: unknown): number | undefined {
  const found = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}

/** Unix milliseconds of a time; one without zone is in UTC. */
function time(value: unknown): number | undefined {
  return typeof value === 'string' || typeof value === 'number'
    ? (parseTime(value, 'UTC') ?? undefined)
    : undefined;
}

function id(value: unknown): string | undefined {
  return typeof value === 'number' || typeof value === 'string'
    ? String(value).slice(0, 64) || undefined
    : undefined;
}

/** The key of an object; null when it has none. */
export const keyOf = (json: JsonObject): string | null => id(json.id) ?? null;

/** An account; null for one without a name. */
export function toUser(json: JsonObject): ImportedUser | null {
  const username = text(json.username, 128);
  if (username === undefined) return null;
  return {
    username,
    displayName: text(json.display_name, 127) ?? '',
    email: text(json.email, 254) ?? '',
    isActive: json.is_active !== false,
    joinedTimeMs: time(json.joined_time) ?? time(json.date_joined) ?? null,
  };
}

/** A beverage in any of the forms. */
export function toBeverage(json: JsonObject): ImportedBeverage {
  const producer = isObject(json.producer) ? json.producer : {};
  const vintage = json.vintage_year;
  return {
    name: text(json.name, 255) ?? '',
    ...omitUndefined({
      beverageType: text(json.beverage_type, 32) as BeverageType | undefined,
      style: text(json.style, 255) ?? text(json.style_id, 255),
      description: text(json.description, 10_000, 'lines'),
      vintageYear: typeof vintage === 'number' ? `${vintage}-01-01` : text(vintage, 10),
      abvPercent: number(json.abv_percent) ?? number(json.abv),
      caloriesPerMl: number(json.calories_per_ml),
      carbsPerMl: number(json.carbs_per_ml),
      colorHex: text(json.color_hex, 7),
      originalGravity: gravity(json.original_gravity),
      specificGravity: gravity(json.specific_gravity),
      srm: number(json.srm),
      ibu: number(json.ibu),
      starRating: number(json.star_rating),
      untappdBeerId: number(json.untappd_beer_id) ?? number(json.untappd_id),
    }),
    producer: {
      name: text(producer.name, 255) ?? text(json.producer, 255) ?? unknownProducerName,
      ...omitUndefined({
        country: text(producer.country, 3),
        originState: text(producer.origin_state, 128),
        originCity: text(producer.origin_city, 128),
        isHomebrew: typeof producer.is_homebrew === 'boolean' ? producer.is_homebrew : undefined,
        url: text(producer.url, 200),
        description: text(producer.description, 10_000, 'lines'),
      }),
    },
  };
}

/** Kegbot accepts any number; one that is no gravity is left out. */
function gravity(value: unknown): number | undefined {
  const read = number(value);
  return read !== undefined && read >= gravityRange.min && read <= gravityRange.max ? read : undefined;
}

/** The beverage within a keg, or of a keg's own address; null without one, or where only its name is told. */
export function beverageOf(json: JsonObject): JsonObject | null {
  const found = [json.beverage, json.type].filter(isObject).find((one) => keyOf(one) !== null);
  return found ?? null;
}

export function toKeg(json: JsonObject, beverageKey: string, size: JsonObject | null): ImportedKeg {
  const startedTimeMs = time(json.started_time) ?? time(json.start_time) ?? null;
  const endedTimeMs = time(json.finished_time) ?? time(json.end_time) ?? null;
  const state = toState(json, { startedTimeMs, endedTimeMs });
  return {
    beverage: { key: beverageKey },
    size: text(json.keg_type, 64) ?? text(size?.key, 64) ?? text(size?.name, 128) ?? null,
    fullVolumeMl: positive(json.full_volume_ml) ?? positive(size?.volume_ml) ?? null,
    state,
    createdTimeMs: time(json.created_time) ?? null,
    startedTimeMs,
    // Kegbot stores an end for kegs that have not ended.
    finishedTimeMs: state === 'finished' ? endedTimeMs : null,
    spilledVolumeMl: Math.max(0, number(json.spilled_ml) ?? number(json.spilled_volume_ml) ?? 0),
    description: text(json.description, 10_000, 'lines') ?? '',
    notes: text(json.notes, 10_000, 'lines') ?? '',
    hasLooseKey: false,
  };
}

const positive = (value: unknown): number | undefined => {
  const found = number(value);
  return found !== undefined && found > 0 ? found : undefined;
};

/** Kegbot 1 has no state: a keg on no tap that was poured from is finished. */
function toState(
  json: JsonObject,
  { startedTimeMs, endedTimeMs }: { startedTimeMs: number | null; endedTimeMs: number | null },
): KegState {
  const state = json.state ?? json.status;
  if (state === 'available' || state === 'on_tap' || state === 'finished') return state;
  if (json.online === true || state === 'online') return 'on_tap';
  const wasPoured = (number(json.served_volume_ml) ?? 0) > 0;
  const hasEnded = endedTimeMs !== null && endedTimeMs > (startedTimeMs ?? 0);
  return wasPoured || hasEnded ? 'finished' : 'available';
}

/** A drink in any of the forms. Throws `invalid_request` without time or volume. */
export function toDrink(json: JsonObject): ImportedDrink {
  const pourTimeMs = time(json.pour_time) ?? time(json.time);
  const volumeMl = number(json.volume_ml);
  if (pourTimeMs === undefined) throw missing('pour_time', 'must be a time since 1970');
  if (volumeMl === undefined) throw missing('volume_ml', 'must be a number');
  const user = isObject(json.user) ? json.user : {};
  const keg = isObject(json.keg) ? json.keg : {};
  return {
    pourId: null,
    pourTimeMs,
    timeCertain: json.time_certain !== false,
    durationMs: Math.min(day, Math.max(0, number(json.duration) ?? 0)) * 1_000,
    ticks: Math.min(2 ** 31 - 1, Math.max(0, Math.round(number(json.ticks) ?? 0))),
    volumeMl,
    username: text(json.user_id, 128) ?? text(user.username, 128) ?? null,
    kegKey: id(json.keg_id) ?? id(keg.id) ?? null,
    tapName: null,
    shout: text(json.shout, 1_000, 'lines') ?? null,
  };
}

const missing = (field: string, allowed: string): AppError =>
  new AppError('invalid_request', `${field} ${allowed}.`, { fields: { [field]: allowed } });

/**
 * Checks a record and leaves out what is not possible here, such as an unknown country, as long as `drop` finds it.
 * `check` throws `invalid_request` naming the field.
 */
export function checkLeniently<T>(
  record: T,
  check: (record: T) => T,
  drop: (record: T, field: string) => T | null,
): T {
  let present = record;
  for (;;) {
    try {
      return check(present);
    } catch (fault) {
      const field = fault instanceof AppError && fault.fields ? Object.keys(fault.fields)[0]! : null;
      const smaller = field === null ? null : drop(present, field);
      if (smaller === null) throw fault;
      present = smaller;
    }
  }
}

/** The beverage without a field of it or of its producer; null when it has none of that name. */
export function dropBeverageField(beverage: ImportedBeverage, field: string): ImportedBeverage | null {
  const name = field.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  if (name === 'name' || name === 'producer') return null;
  const { producer, ...own } = beverage;
  if (name in own) return { ...without(own, name), producer } as ImportedBeverage;
  return name in producer ? ({ ...own, producer: without(producer, name) } as ImportedBeverage) : null;
}

const without = (object: object, name: string): object =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
