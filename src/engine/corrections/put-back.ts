import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/moment.ts';
import type { Refusal } from '../../core/reasons.ts';
import { chooseSession } from '../../core/session-rules.ts';
import type { Store } from '../../store/store.ts';
import type { Row } from '../../store/tables/rows-table.ts';
import { resettleKeg, resettleSession, sessionTimeoutMs } from '../charging.ts';
import { correctDrinks } from '../clockwork.ts';
import { differences, figuresOf, type ImagedTable, type LedgerImage, rowIn } from './ledger-image.ts';

/** The two sides of a correction that is taken back. */
interface Sides {
  readonly before: LedgerImage;
  readonly after: LedgerImage;
}

/** Session by the id it had → the one it has now. */
type Homes = ReadonlyMap<number, number>;

/**
 * Puts the rows back as they were before a correction. What has changed since for other reasons stays: only columns
 * that the correction itself changed are written, and totals are put back only where nothing else has moved them,
 * else summed anew. Throws `conflict` naming what stands in the way; run it in a transaction.
 */
export function putBack(store: Store, sides: Sides, now: Moment): void {
  mustBePossible(store, sides);
  const untouched = untouchedTotals(store, sides);
  const homes = reopenSessions(store, sides.before);
  removeAdded(store, sides, 'spills', (id) => store.stamps.clear('spill', id));
  removeAdded(store, sides, 'cancelled_pours');
  putBackDrinks(store, sides, homes);
  store.corrections.quietly(() => putBackEvents(store, sides, homes));
  putBackPictures(store, sides);
  settleTotals(store, sides, { homes, untouched });
  const isUncertain = sides.before.drinks.some((row) => row.time_certain === 0 && row.boot_id === now.bootId);
  // The clock may have been set while the drink was away.
  if (now.synced && isUncertain) correctDrinks(store, now);
}

function mustBePossible(store: Store, { before, after }: Sides): void {
  for (const { id } of after.drinks) {
    if (store.rows.byKey('drinks', Number(id)) === null)
      throw inTheWay(`drink ${id} is gone`, { name: 'drink_gone', drink: Number(id) });
  }
  for (const row of before.drinks) {
    if (row.keg_id !== null && store.kegs.byId(Number(row.keg_id)) === null) {
      throw inTheWay(`keg ${row.keg_id} is gone`, { name: 'keg_gone', keg: Number(row.keg_id) });
    }
  }
  for (const row of after.drinks) {
    const isNew = rowIn(store, before, 'drinks', row.id) === undefined;
    const picture = isNew ? store.pictures.ofDrink(Number(row.id)) : null;
    const isKnown = picture !== null && rowIn(store, after, 'pictures', picture.id) !== undefined;
    if (picture !== null && !isKnown)
      throw inTheWay(`drink ${row.id} has got a picture since`, {
        name: 'picture_since',
        drink: Number(row.id),
      });
  }
}

/** Totals that are still as the correction left them: what they were before it is then right to the last digit. */
function untouchedTotals(store: Store, { before, after }: Sides) {
  const stillOf = (table: 'kegs' | 'sessions') =>
    new Map(
      before[table].flatMap((row) => {
        const left = rowIn(store, after, table, row.id);
        const current = store.rows.byKey(table, Number(row.id));
        if (left === undefined || current === null) return [];
        const isSame = (columns: readonly string[]) =>
          columns.every((column) => left[column] === current[column]);
        const figures = table === 'kegs' ? Object.keys(figuresOf(row)) : sessionFigures;
        return isSame(figures)
          ? [[Number(row.id), Object.fromEntries(figures.map((c) => [c, row[c] ?? null]))]]
          : [];
      }),
    );
  return { kegs: stillOf('kegs'), sessions: stillOf('sessions') };
}

const sessionFigures: readonly string[] = ['start_time_ms', 'end_time_ms', 'volume_ml'];

/**
 * A gathering that vanished with its last drink opens again, unless another one has taken its time meanwhile: then the
 * drinks go there.
 */
function reopenSessions(store: Store, before: LedgerImage): Homes {
  const timeoutMs = sessionTimeoutMs(store);
  const gone = before.sessions.filter((row) => store.sessions.byId(Number(row.id)) === null);
  return new Map(
    gone.map((row) => {
      const timeMs = Number(row.start_time_ms);
      const other = chooseSession(store.sessions.around(timeMs, timeoutMs), timeMs, timeoutMs);
      if (other === null) store.rows.insert('sessions', row);
      return [Number(row.id), other?.id ?? Number(row.id)];
    }),
  );
}

function removeAdded(
  store: Store,
  { before, after }: Sides,
  table: ImagedTable,
  tidy: (id: number) => void = () => {},
): void {
  const key = store.rows.keyOf(table);
  for (const row of after[table]) {
    if (rowIn(store, before, table, row[key]) !== undefined) continue;
    store.rows.remove(table, row[key]!);
    tidy(Number(row[key]));
  }
}

function putBackDrinks(store: Store, { before, after }: Sides, homes: Homes): void {
  for (const row of before.drinks) {
    const left = rowIn(store, after, 'drinks', row.id);
    const wanted = left === undefined ? row : differences(row, left);
    const fitting = withLiving(store, wanted, homes);
    if (left === undefined) store.rows.insert('drinks', fitting);
    else store.rows.update('drinks', Number(row.id), fitting);
  }
  removeAdded(store, { before, after }, 'drinks');
}

function putBackEvents(store: Store, { before, after }: Sides, homes: Homes): void {
  for (const row of before.events) {
    const left = rowIn(store, after, 'events', row.id);
    if (left !== undefined) {
      store.rows.update('events', Number(row.id), withLiving(store, differences(row, left), homes));
      continue;
    }
    const fitting = withLiving(store, row, homes);
    // A session begins once; somebody else's drink may have opened it meanwhile.
    const hasBegun =
      row.kind === 'session_started' && store.events.startDrink(Number(fitting.session_id)) !== null;
    if (!hasBegun) store.rows.insert('events', fitting);
  }
  removeAdded(store, { before, after }, 'events');
}

/** A row with its session where it is now, and nobody and nothing where account or tap are gone. */
function withLiving(store: Store, row: Row, homes: Homes): Row {
  const session = row.session_id === undefined || row.session_id === null ? null : Number(row.session_id);
  const lives = (table: 'users' | 'taps', id: string | number | null | undefined) =>
    id === undefined || id === null || store[table].byId(Number(id)) !== null;
  return {
    ...row,
    ...(session === null ? {} : { session_id: homes.get(session) ?? session }),
    ...(lives('users', row.user_id) ? {} : { user_id: null }),
    ...(lives('taps', row.tap_id) ? {} : { tap_id: null }),
  };
}

/** A picture that was taken down since stays down. */
function putBackPictures(store: Store, { before, after }: Sides): void {
  for (const row of before.pictures) {
    const left = rowIn(store, after, 'pictures', row.id);
    const isShown = store.rows.byKey('pictures', Number(row.id)) !== null;
    const drinkId = Number(row.drink_id);
    if (store.pictures.ofDrink(drinkId) !== null) continue;
    if (isShown) store.rows.update('pictures', Number(row.id), { drink_id: drinkId });
    else if (left === undefined && store.pictures.takeBack(String(row.name)))
      store.rows.insert('pictures', row);
  }
}

function settleTotals(
  store: Store,
  { before, after }: Sides,
  { homes, untouched }: { readonly homes: Homes; readonly untouched: ReturnType<typeof untouchedTotals> },
): void {
  const idsOf = (table: 'kegs' | 'sessions') =>
    [...before[table], ...after[table]].map(({ id }) => Number(id));
  for (const id of new Set([...idsOf('sessions'), ...homes.values()])) {
    const session = untouched.sessions.get(id);
    // As it was when this very correction emptied it; one that a later correction emptied has less in it by now.
    const isReopened = homes.get(id) === id && rowIn(store, after, 'sessions', id) === undefined;
    if (session) store.sessions.setSpan(id, spanOf(session));
    else if (!isReopened && store.sessions.byId(id) !== null) resettleSession(store, id);
    const now = store.sessions.byId(id);
    if (now) store.events.setSessionStart(id, now.startTimeMs);
  }
  for (const id of new Set(idsOf('kegs'))) {
    const keg = untouched.kegs.get(id);
    if (keg) store.rows.update('kegs', id, keg);
    else if (store.kegs.byId(id) !== null) resettleKeg(store, id);
  }
}

const spanOf = (row: Row) => ({
  startTimeMs: Number(row.start_time_ms),
  endTimeMs: Number(row.end_time_ms),
  volumeMl: Number(row.volume_ml),
});

const inTheWay = (why: string, reason: Refusal): AppError =>
  new AppError('conflict', `This cannot be undone: ${why}.`, { reason });
