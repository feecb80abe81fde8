import { AppError } from '../../../../core/app-error.ts';
import type { Moment } from '../../../../core/clock/moment.ts';
import type { Engine } from '../../../../engine/engine.ts';
import type { Imports } from '../../engine/imports.ts';
import type { ImportStaging } from '../../store/import-staging.ts';
import type { ImportReport } from '../import-report.ts';
import { isObject, type JsonObject, type RemoteApi, type RemoteList, refusedError } from './remote-api.ts';
import type { RemoteClient } from './remote-client.ts';
import { beverageOf, keyOf } from './remote-records.ts';
import {
  createRecordStager,
  lowestUnstagedDrink,
  noteStaff,
  type RecordStager,
  reportFindings,
} from './stage-records.ts';

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
  readonly imports: Imports;
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
  const stager = createRecordStager(options);
  await stageUsers(options, stager);
  const hasBeverages = await stageBeverages(options, stager);
  await stageKegs(options, stager, hasBeverages);
  const drinksThrough = await stageDrinks(options, stager);
  reportFindings(options.staging, options.report);
  return drinksThrough;
}

async function stageUsers(options: StagingOptions, stager: RecordStager): Promise<void> {
  const { staging, report, showProgress } = options;
  staging.clearFindings('user');
  let staffCount = 0;
  const isThere = await readList({ ...options, list: 'users' }, (items) => {
    for (const json of items) if (stager.user(json)) staffCount += 1;
  });
  if (!isThere) report.addNote('The server does not list its accounts: they are known by their drinks only.');
  noteStaff(report, staffCount);
  showProgress(`${staging.count('user')} accounts`);
}

/** False when the server has no such list. */
function stageBeverages(options: StagingOptions, stager: RecordStager): Promise<boolean> {
  options.staging.clearFindings('beverage');
  return readList({ ...options, list: 'beverages' }, (items) => {
    for (const json of items) stager.beverage(json);
  });
}

async function stageKegs(
  options: StagingOptions,
  stager: RecordStager,
  hasBeverages: boolean,
): Promise<void> {
  const { engine, staging, showProgress } = options;
  staging.clearFindings('keg');
  const kegs: JsonObject[] = [];
  await readList({ ...options, list: 'kegs' }, (items) => {
    kegs.push(...items);
  });
  for (const listed of kegs) {
    const key = keyOf(listed);
    // The oldest form names beverage and size by ids, and has them beside a single keg only.
    const isBare = beverageOf(listed) === null && !hasBeverages && key !== null;
    const detail = isBare ? await readKeg(options, key) : listed;
    const json = isBare && isObject(detail.keg) ? detail.keg : listed;
    const beverageKey = beverageOf(detail) === null ? String(json.type_id ?? '') : stager.beverageOf(detail);
    const size = isObject(detail.size) ? detail.size : sizeById(engine, json);
    stager.keg(json, { beverageKey: beverageKey ?? '', size });
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

async function stageDrinks(options: StagingOptions, stager: RecordStager): Promise<number> {
  const { api, staging, drinksThrough } = options;
  const saved = staging.progress(drinksProgress);
  const place = saved === null ? null : (JSON.parse(saved) as DrinksPlace);
  let from: DrinksPlace = { path: api.firstPath('drinks'), bottom: drinksThrough, highest: drinksThrough };
  if (place !== null) {
    // Null: the server has forgotten the place, so everything is read again.
    const highest = place.path === '' ? place.highest : await walkDrinks(options, stager, place);
    // Drinks that could not be staged may have been corrected there meanwhile, so they are read again.
    const known = Math.min(highest ?? 0, lowestUnstagedDrink(staging) - 1);
    from = { ...from, bottom: Math.max(drinksThrough, known) };
    staging.transaction(() => {
      staging.clearFindings('drink');
      staging.setProgress(drinksProgress, JSON.stringify(from));
    });
  }
  const highest = await walkDrinks(options, stager, from);
  if (highest === null) throw listChanged('drinks');
  // One that is held there may be confirmed later, so the next import begins with it.
  return Math.min(highest, lowestUnstagedDrink(staging) - 1);
}

/**
 * Reads the drinks from a page down to `bottom`. Each page is staged together with the place of the next one. Returns the
 * highest id of a drink; null when the first page is not there.
 */
async function walkDrinks(
  options: StagingOptions,
  stager: RecordStager,
  from: DrinksPlace,
): Promise<number | null> {
  const { imports, staging, showProgress } = options;
  const { bottom } = from;
  let { highest } = from;
  let path = from.path;
  let shown = staging.count('drink');
  for (let page = 0; path !== '' && page < maxPages; page++) {
    const read = await readPage({ ...options, list: 'drinks' }, path);
    if (read === null && page === 0) return null;
    if (read === null) throw listChanged('drinks');
    const { items } = read;
    const ids = items.map(idOf).filter((id) => Number.isSafeInteger(id));
    imports.requireSpace();
    path = ids.some((id) => id <= bottom) || read.next === path ? '' : (read.next ?? '');
    highest = Math.max(highest, ...ids);
    staging.transaction(() => {
      for (const json of items) if (!(idOf(json) <= bottom)) stager.drink(json);
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

/** Not a number for a drink without an id. */
const idOf = ({ id }: JsonObject): number => Number(id ?? Number.NaN);

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
