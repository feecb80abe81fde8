import type { Imports } from '../../../engine/imports.ts';
import type { ImportStaging } from '../../../store/import-staging.ts';
import type { ImportReport } from '../../import-report.ts';
import type { JsonObject } from '../remote-api.ts';
import { noteStaff, type RecordStager } from '../stage-records.ts';
import {
  referenceOf,
  toBeverageJson,
  toDrinkJson,
  toKegJson,
  toProducerJson,
  toUserJson,
} from './table-records.ts';
import { invalidBackup, type TableRow, type TableSource } from './table-rows.ts';

/** Tables that the others refer to, which may stand before them. */
const firstTables = new Set(['core_user', 'core_beverageproducer', 'core_kegtap', 'core_kegbotsite']);
const secondTables = new Set(['core_beverage', 'core_keg', 'core_drink']);

/** Rows of the first tables that are held in memory, and their texts, characters. */
const maxHeldRows = 200_000;
const maxHeldCharacters = 16 * 1024 * 1024;

/** Drinks between two messages. */
const progressDrinks = 20_000;

interface TableStaging {
  /** Name of the file for messages. */
  readonly name: string;
  readonly tables: TableSource;
  readonly stager: RecordStager;
  readonly imports: Imports;
  readonly staging: ImportStaging;
  readonly report: ImportReport;
  readonly showProgress: (sentence: string) => void;
}

/** What the tables say about the site. */
export interface StagedSite {
  /** By which the site tells itself from others; null when it has none. */
  readonly registrationId: string | null;
  /** The highest id of a drink. */
  readonly highest: number;
}

/** Reads the tables twice, since rows refer to others that may stand behind them, and stages what is imported. */
export async function stageTables(options: TableStaging): Promise<StagedSite> {
  const { tables, name, staging, report, showProgress } = options;
  const first = await readFirstTables(options);
  requireKegbot(name, tables.tables);
  showProgress(`${staging.count('user')} accounts`);
  const highest = await stageSecondTables(options, first);
  showProgress(
    `${staging.count('keg')} kegs, ${staging.count('beverage')} beverages, ${staging.count('drink')} drinks`,
  );
  for (const note of tables.notes) report.addNote(note);
  return { registrationId: first.registrationId, highest };
}

function requireKegbot(name: string, tables: ReadonlySet<string>): void {
  if (['core_drink', 'core_keg', 'core_beverage', 'core_user'].every((table) => tables.has(table))) return;
  if (tables.has('core_drink')) {
    throw invalidBackup(
      name,
      'is of a Kegbot before version 0.9.17: upgrade that server first, or import from it running',
    );
  }
  throw invalidBackup(name, 'has no tables of a Kegbot, such as core_drink and core_keg');
}

type FirstTables = Awaited<ReturnType<typeof readFirstTables>>;

async function readFirstTables({ name, tables, stager, staging, imports, report }: TableStaging) {
  const usernames = new Map<string, string>();
  const producers = new Map<string, JsonObject>();
  const kegsOnTap = new Set<string>();
  let registrationId: string | null = null;
  let staffCount = 0;
  let heldRows = 0;
  let heldCharacters = 0;
  const take = ({ table, values }: TableRow): void => {
    heldRows += 1;
    const id = String(values.id);
    if (table === 'core_user') {
      const username = String(values.username ?? '').slice(0, 256);
      usernames.set(id, username);
      heldCharacters += username.length;
      if (stager.user(toUserJson(values))) staffCount += 1;
    } else if (table === 'core_beverageproducer') {
      const producer = toProducerJson(values);
      producers.set(id, producer);
      heldCharacters += JSON.stringify(producer).length;
    } else if (table === 'core_kegtap') {
      const keg = referenceOf(values, 'current_keg');
      if (keg !== null) kegsOnTap.add(keg);
    } else {
      registrationId ??= String(values.registration_id ?? values.serial_number ?? '') || null;
    }
    if (heldRows > maxHeldRows || heldCharacters > maxHeldCharacters) {
      throw invalidBackup(name, 'has more accounts and producers than a Kegbot has');
    }
  };
  for await (const rows of tables.rows(firstTables)) {
    imports.requireSpace();
    staging.transaction(() => rows.forEach(take));
  }
  noteStaff(report, staffCount);
  return { usernames, producers, kegsOnTap, registrationId: registrationId as string | null };
}

async function stageSecondTables(
  { tables, stager, staging, imports, report, showProgress }: TableStaging,
  { usernames, producers, kegsOnTap }: FirstTables,
): Promise<number> {
  let highest = 0;
  let nobodys = 0;
  let shown = 0;
  const take = ({ table, values }: TableRow): void => {
    if (table === 'core_beverage') {
      stager.beverage(toBeverageJson(values, producers.get(referenceOf(values, 'producer') ?? '') ?? null));
    } else if (table === 'core_keg') {
      const beverageKey = referenceOf(values, 'type') ?? referenceOf(values, 'beverage') ?? '';
      stager.keg(toKegJson(values, kegsOnTap.has(String(values.id))), { beverageKey, size: null });
    } else {
      const user = referenceOf(values, 'user');
      const username = user === null ? null : (usernames.get(user) ?? null);
      if (user !== null && username === null) nobodys += 1;
      highest = Math.max(highest, Number(values.id) || 0);
      stager.drink(toDrinkJson(values, username));
    }
  };
  for await (const rows of tables.rows(secondTables)) {
    imports.requireSpace();
    staging.transaction(() => rows.forEach(take));
    const count = staging.count('drink');
    if (count < shown + progressDrinks) continue;
    shown = count;
    showProgress(`${count} drinks read`);
  }
  if (nobodys > 0) {
    const drinks = nobodys === 1 ? '1 drink names' : `${nobodys} drinks name`;
    report.addNote(`${drinks} an account that is not in the file: nobody drank them here.`);
  }
  return highest;
}
