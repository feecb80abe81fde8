import { AppError } from '../../../core/app-error.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import { isGuestName } from '../../../core/rules/username-rules.ts';
import type { Engine, ImportStaging } from '../../../engine/engine.ts';
import type { ImportReport } from '../import-report.ts';
import { isObject, type JsonObject, type RemoteApi, type RemoteList, refusedError } from './remote-api.ts';
import type { RemoteClient } from './remote-client.ts';
import {
  beverageOf,
  checkLeniently,
  dropBeverageField,
  keyOf,
  toBeverage,
  toDrink,
  toKeg,
  toUser,
} from './remote-records.ts';

/** Name of the saved place in the list of drinks. */
const drinksProgress = 'drinks';

/** Pages of one list: a hundred million drinks. */
const maxPages = 1_000_000;

/** Drinks between two messages. */
const progressDrinks = 5_000;

interface StagingOptions {
  readonly client: RemoteClient;
  readonly api: RemoteApi;
  readonly engine: Engine;
  readonly now: Moment;
  readonly staging: ImportStaging;
  readonly report: ImportReport;
  /** Drinks up to this id were handled by an earlier import. */
  readonly drinksThrough: number;
  readonly showProgress: (sentence: string) => void;
}

/** A place in the list of drinks. */
interface DrinksPlace {
  /** Path of the next page; empty at the end. */
  readonly path: string;
  /** Drinks up to this id are known. */
  readonly bottom: number;
  /** The highest id that was read. */
  readonly highest: number;
}

/**
 * Stages everything that a server has and that was not imported before. The drinks that were read are kept when it is
 * interrupted: called again it continues where it was, and then reads what is newer. Returns the highest id of a drink.
 */
export async function stageRemote(options: StagingOptions): Promise<number> {
  await stageUsers(options);
  const hasBeverages = await stageBeverages(options);
  await stageKegs(options, hasBeverages);
  return stageDrinks(options);
}

async function stageUsers({
  client,
  api,
  engine,
  staging,
  report,
  showProgress,
}: StagingOptions): Promise<void> {
  const { check } = engine.imports;
  let staffCount = 0;
  const isThere = await readList({ client, api, list: 'users' }, (items) => {
    for (const json of items) {
      const user = toUser(json);
      if (user === null || isGuestName(user.username)) continue;
      if (json.is_staff === true || json.is_superuser === true) staffCount += 1;
      const drop = (one: typeof user, field: string) =>
        field === 'email' && one.email !== '' ? { ...one, email: '' } : null;
      const checked = tryCheck(report, `user “${user.username}”`, () =>
        checkLeniently(user, check.user, drop),
      );
      if (checked !== null) {
        staging.replace({ kind: 'user', key: user.username, order: 0, line: 0, data: checked });
      }
    }
  });
  if (!isThere) report.addNote('The server does not list its accounts: they are known by their drinks only.');
  if (staffCount > 0) {
    report.addNote(`${staffCount} of the accounts are staff there. Rights are not imported: give them here.`);
  }
  showProgress(`${staging.count('user')} accounts`);
}

/** False when the server has no such list. */
function stageBeverages(options: StagingOptions): Promise<boolean> {
  return readList({ client: options.client, api: options.api, list: 'beverages' }, (items) => {
    for (const json of items) stageBeverage(options, json);
  });
}

function stageBeverage({ engine, staging, report }: StagingOptions, json: JsonObject): string | null {
  const key = keyOf(json);
  if (key === null) return null;
  const { check } = engine.imports;
  const checked = tryCheck(report, `beverage ${key}`, () =>
    checkLeniently(toBeverage(json), check.beverage, dropBeverageField),
  );
  if (checked === null) return null;
  staging.replace({ kind: 'beverage', key, order: Number(key) || 0, line: 0, data: checked });
  return key;
}

async function stageKegs(options: StagingOptions, hasBeverages: boolean): Promise<void> {
  const { client, api, engine, now, staging, report, showProgress } = options;
  const kegs: JsonObject[] = [];
  await readList({ client, api, list: 'kegs' }, (items) => {
    kegs.push(...items);
  });
  for (const listed of kegs) {
    const key = keyOf(listed);
    if (key === null) continue;
    // The oldest form names beverage and size by ids, and has them beside a single keg only.
    const isBare = beverageOf(listed) === null && !hasBeverages;
    const detail = isBare ? await readKeg(options, key) : listed;
    const json = isBare && isObject(detail.keg) ? detail.keg : listed;
    const beverage = beverageOf(detail);
    const beverageKey = beverage === null ? String(json.type_id ?? '') : stageBeverage(options, beverage);
    const size = isObject(detail.size) ? detail.size : sizeById(engine, json);
    const checked = tryCheck(report, `keg ${key}`, () =>
      engine.imports.check.keg(toKeg(json, beverageKey ?? '', size), now),
    );
    if (checked !== null) {
      staging.replace({ kind: 'keg', key, order: Number(key) || 0, line: 0, data: checked });
    }
  }
  showProgress(`${staging.count('keg')} kegs, ${staging.count('beverage')} beverages`);
}

async function readKeg({ client, api }: StagingOptions, key: string): Promise<JsonObject> {
  const { body } = await client.get(`${api.root}/kegs/${encodeURIComponent(key)}`);
  const holder = isObject(body) && isObject(body.result) ? body.result : body;
  return isObject(holder) ? holder : {};
}

/** The sizes have fixed ids in every server of the reference form that is ours. */
const sizeById = (engine: Engine, { size_id: sizeId }: JsonObject): JsonObject | null => {
  const size = engine.kegs.sizes().find(({ id }) => id === Number(sizeId));
  return size === undefined ? null : { key: size.key };
};

async function stageDrinks(options: StagingOptions): Promise<number> {
  const { api, staging, drinksThrough } = options;
  const saved = staging.progress(drinksProgress);
  const place = saved === null ? null : (JSON.parse(saved) as DrinksPlace);
  const fromTop = (bottom: number): DrinksPlace => ({
    path: api.firstPath('drinks'),
    bottom,
    highest: bottom,
  });
  let bottom = drinksThrough;
  if (place !== null) {
    // Null: the server has forgotten the place, so everything is read again.
    const highest = place.path === '' ? place.highest : await walkDrinks(options, place);
    bottom = Math.max(bottom, highest ?? 0);
  }
  const highest = await walkDrinks(options, fromTop(bottom));
  if (highest === null) throw listChanged('drinks');
  return highest;
}

/**
 * Reads the drinks from a page down to `bottom`. Each page is staged together with the place of the next one. Returns the
 * highest id of a drink; null when the first page is not there.
 */
async function walkDrinks(options: StagingOptions, from: DrinksPlace): Promise<number | null> {
  const { client, api, engine, staging, showProgress } = options;
  const { bottom } = from;
  let { highest } = from;
  let path = from.path;
  let shown = staging.count('drink');
  for (let page = 0; path !== '' && page < maxPages; page++) {
    const read = await readPage({ client, api, list: 'drinks' }, path);
    if (read === null && page === 0) return null;
    if (read === null) throw listChanged('drinks');
    const items = read.items.filter(({ id }) => Number.isSafeInteger(Number(id)));
    const ids = items.map(({ id }) => Number(id));
    engine.imports.requireSpace();
    path = ids.some((id) => id <= bottom) || read.next === path ? '' : (read.next ?? '');
    highest = Math.max(highest, ...ids);
    staging.transaction(() => {
      for (const json of items) if (Number(json.id) > bottom) stageDrink(options, json);
      staging.setProgress(drinksProgress, JSON.stringify({ path, bottom, highest } satisfies DrinksPlace));
    });
    const count = staging.count('drink');
    if (count >= shown + progressDrinks) {
      shown = count;
      showProgress(`${count} drinks read`);
    }
  }
  return highest;
}

function stageDrink({ engine, now, staging, report }: StagingOptions, json: JsonObject): void {
  const key = keyOf(json);
  if (key === null) return;
  const drink = tryCheck(report, `drink ${key}`, () => {
    const read = toDrink(json);
    return read === null ? null : engine.imports.check.drink(read, now);
  });
  if (drink === null) return;
  staging.add({ kind: 'drink', key, order: drink.pourTimeMs, line: 0, data: drink });
  if (drink.username === null || isGuestName(drink.username)) return;
  const user = (isObject(json.user) ? toUser(json.user) : null) ?? {
    username: drink.username,
    displayName: '',
    email: '',
    isActive: true,
    joinedTimeMs: null,
  };
  staging.add({
    kind: 'user',
    key: drink.username,
    order: 1,
    line: 0,
    data: { ...user, username: drink.username, email: '' },
  });
}

interface ListPlace {
  readonly client: RemoteClient;
  readonly api: RemoteApi;
  readonly list: RemoteList;
}

/** Reads a whole list page by page. Returns false when the server has no such list, or not for this key. */
async function readList(place: ListPlace, stage: (items: readonly JsonObject[]) => void): Promise<boolean> {
  let path: string | null = place.api.firstPath(place.list);
  for (let page = 0; path !== null && page < maxPages; page++) {
    const read: Awaited<ReturnType<typeof readPage>> = await readPage(place, path);
    if (read === null) {
      if (page === 0 && place.list !== 'kegs') return false;
      throw listChanged(place.list);
    }
    stage(read.items);
    path = read.next === path ? null : read.next;
  }
  return true;
}

/** Null when there is no such list; throws `not_allowed` for one that must be there. */
async function readPage({ client, api, list }: ListPlace, path: string) {
  const answer = await client.get(path);
  if (answer.status === 200) return api.readPage(list, answer.body, path);
  const isNeeded = list === 'kegs' || list === 'drinks';
  if (isNeeded && (answer.status === 401 || answer.status === 403)) throw refusedError(answer);
  if (answer.status >= 500 || answer.status === 429) {
    throw new AppError(
      'unavailable',
      `The other server answers ${answer.status} for its ${list}. Call the command again later: it continues from here.`,
    );
  }
  return null;
}

const listChanged = (list: RemoteList): AppError =>
  new AppError('unavailable', `The other server does not list its ${list} any more. Call the command again.`);

/** Runs a check; a refused record goes into the report. */
function tryCheck<T>(report: ImportReport, place: string, check: () => T): T | null {
  try {
    return check();
  } catch (fault) {
    if (!(fault instanceof AppError) || fault.code !== 'invalid_request') throw fault;
    const [field, allowed] = Object.entries(fault.fields ?? {})[0] ?? [null, fault.message];
    report.addBad({ place, column: field, message: allowed });
    return null;
  }
}
