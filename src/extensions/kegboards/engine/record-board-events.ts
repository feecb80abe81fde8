import type { GrantLimits } from '../../../core/access/live-grants.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import { createPours } from '../../../engine/drinks/pours.ts';
import type { BufferedBus } from '../../../engine/shared/buffered-bus.ts';
import type { EngineParts } from '../../../engine/shared/parts.ts';
import { createThermo } from '../../../engine/temperatures/thermo.ts';
import type { Kegboard, KegboardCommand } from '../core/kegboards.ts';
import type { KegboardTables } from '../store/kegboards-store.ts';
import type { BatchContext } from './batch-context.ts';
import type { KegboardBatch, KegboardReport } from './kegboard-batch.ts';
import { dropExpired, pendingCommands } from './kegboard-commands.ts';
import { recordEvent, toRunningPour } from './kegboard-events.ts';
import { wallMs } from './kegboard-pairing.ts';
import type { RunningKegboardPours } from './running-kegboard-pours.ts';

/** Default limits: a grant ends after 30 s without flow. */
const defaultLimits: GrantLimits = { maxVolumeMl: 0, maxDurationMs: 0, maxIdleMs: 30_000 };

/** Upper bound of event ids kept in memory until the next write; each is a second of flow. */
const maxUnwritten = 4_096;

/** Problems of one batch that staff see; more are in the log only. */
const maxShown = 3;

/** Resolution of `lastSeenMs` while a board reports, milliseconds. */
const lastSeenStepMs = 10_000;

interface RecordedBatch {
  readonly commands: readonly KegboardCommand[];
  /** Log messages about events that could not be used. */
  readonly notes: readonly string[];
}

/** Records batches of boards with a valid token. */
export class KegboardEventRecorder {
  readonly #parts: EngineParts;
  readonly #tables: KegboardTables;
  readonly #bus: BufferedBus;
  readonly #running: RunningKegboardPours;
  readonly #recorders: Pick<BatchContext, 'pours' | 'thermo'>;
  /** Events that were only shown: they change nothing, so their ids are written with the next batch. */
  readonly #unwritten = new Map<number, { readonly bootId: string; readonly ids: Set<number> }>();

  constructor(parts: EngineParts, tables: KegboardTables, bus: BufferedBus, running: RunningKegboardPours) {
    this.#parts = parts;
    this.#tables = tables;
    this.#bus = bus;
    this.#running = running;
    const bufferedParts = { ...parts, bus };
    this.#recorders = { pours: createPours(bufferedParts), thermo: createThermo(bufferedParts) };
  }

  /**
   * Publishes running pours when the batch has nothing else; null when it needs a transaction. Writes
   * nothing.
   */
  showUpdates(board: Kegboard, batch: KegboardBatch, now: Moment): RecordedBatch | null {
    const { store } = this.#parts;
    const controller = board.controllerId === null ? null : store.controllers.byId(board.controllerId);
    if (controller === null || board.bootId !== batch.bootId || board.state !== 'paired') return null;
    const updates = batch.events.filter(isUpdate);
    if (updates.length < batch.events.length) return null;
    const unwritten = this.#idsOf(board, batch);
    for (const update of updates) {
      if (unwritten.size < maxUnwritten) unwritten.add(update.id);
      const pour = toRunningPour({ store, controller, board, now }, update);
      if (pour !== null) this.#running.update(pour, now);
    }
    return { commands: pendingCommands(this.#tables, board, now), notes: [] };
  }

  /** Records a batch inside the caller's transaction; returns what to publish after the commit. */
  recordBoardEvents(stored: Kegboard, batch: KegboardBatch, address: string | null, now: Moment) {
    const { store, ids, settings, hooks } = this.#parts;
    const tables = this.#tables;
    const { device } = stored;
    const cursor = tables.cursors.find(device, batch.bootId);
    const isEarlierBoot = cursor !== null && stored.bootId !== null && stored.bootId !== batch.bootId;
    const context: BatchContext = {
      store,
      tables,
      hooks,
      ids,
      isEarlierBoot,
      now,
      ...this.#recorders,
      bus: this.#bus,
      limits: settings.grants ?? defaultLimits,
      controller: store.controllers.byId(stored.controllerId!)!,
      bootId: batch.bootId,
      board: isEarlierBoot ? stored : { ...stored, bootId: batch.bootId },
      problems: [],
      runningPours: [],
      endedPours: [],
    };
    // A board loses its grants when it starts, so queued commands are obsolete.
    if (!isEarlierBoot && stored.bootId !== batch.bootId) tables.commands.removeAll(stored.id);
    else dropExpired(tables, stored, now);

    const seenIds = cursor ?? tables.cursors.begin(device);
    const unwritten = this.#unwritten.get(stored.id);
    if (unwritten?.bootId === batch.bootId) for (const id of unwritten.ids) seenIds.add(id);
    for (const event of batch.events) {
      const state = seenIds.state(event.id);
      // A pour is recorded at most once by its pour_id, which the number of its event cannot replace.
      if (
        state !== 'new' &&
        !(event.report.kind === 'pour' || (state === 'forgotten' && isPour(event.report)))
      )
        continue;
      seenIds.add(event.id);
      recordEvent(context, { ...event, isSentAgain: state === 'seen' });
    }
    tables.cursors.save(device, batch.bootId, seenIds);
    const problems = context.problems.slice(0, maxShown);
    const board: Kegboard = {
      ...context.board,
      state: 'paired',
      address,
      problems,
      lastSeenMs: wallMs(now),
    };
    if (hasChanged(stored, board)) tables.kegboards.save(board);
    const notes = context.problems.map(({ message }) => message);
    const recorded: RecordedBatch = { commands: pendingCommands(this.#tables, board, now), notes };
    return {
      recorded,
      isEarlierBoot,
      runningPours: context.runningPours,
      endedPours: context.endedPours,
    };
  }

  /** Call after the commit: clears the ids that are now written and publishes the running pours. */
  publishRunning(
    board: Kegboard,
    recorded: ReturnType<KegboardEventRecorder['recordBoardEvents']>,
    now: Moment,
  ): void {
    if (!recorded.isEarlierBoot) this.#unwritten.delete(board.id);
    for (const pour of recorded.runningPours) this.#running.update(pour, now);
    for (const pour of recorded.endedPours) this.#running.end(pour);
  }

  #idsOf(board: Kegboard, { bootId }: KegboardBatch): Set<number> {
    const cached = this.#unwritten.get(board.id);
    if (cached?.bootId === bootId) return cached.ids;
    const ids = new Set<number>();
    this.#unwritten.set(board.id, { bootId, ids });
    return ids;
  }
}

/** True when the row must be written; a small change of `lastSeenMs` alone is not written. */
function hasChanged(before: Kegboard, after: Kegboard): boolean {
  const isLater = Math.abs((after.lastSeenMs ?? 0) - (before.lastSeenMs ?? 0)) >= lastSeenStepMs;
  const names = Object.keys(after) as (keyof Kegboard)[];
  const isSame = (name: keyof Kegboard) =>
    name === 'problems'
      ? JSON.stringify(before.problems) === JSON.stringify(after.problems)
      : before[name] === after[name];
  return isLater || names.some((name) => name !== 'lastSeenMs' && !isSame(name));
}

type Update = { id: number; ageMs: number; report: Extract<KegboardReport, { kind: 'pour_update' }> };
const isUpdate = (event: { report: KegboardReport }): event is Update => event.report.kind === 'pour_update';

const isPour = (report: KegboardReport): boolean =>
  report.kind === 'pour' || (report.kind === 'unusable' && report.type === 'pour');
