import type { Board, BoardCommand, GrantLimits } from '../../core/boards.ts';
import type { Moment } from '../../core/moment.ts';
import type { EngineParts } from '../parts.ts';
import { createPours } from '../pours.ts';
import { createThermo } from '../thermo.ts';
import type { WaitingBus } from '../waiting-bus.ts';
import type { BoardBatch, BoardReport } from './board-batch.ts';
import { commandsFor, dropLate } from './board-commands.ts';
import { flowingPour, type Hearing, takeEvent } from './board-events.ts';
import { wallMs } from './board-pairing.ts';
import type { BoardPoursRunning } from './board-pours-running.ts';

/** As much as is drawn without a pause of half a minute. */
const usualLimits: GrantLimits = { maxVolumeMl: 0, maxDurationMs: 0, maxIdleMs: 30_000 };

/** Ids of shown pours remembered until the next write; each is a second of flow. */
const mostUnwritten = 4_096;

/** How exact `lastSeenMs` is while a board reports, milliseconds. */
const noteEveryMs = 10_000;

export interface HeardBatch {
  readonly commands: readonly BoardCommand[];
  /** Sentences for the log about events that could not be used. */
  readonly notes: readonly string[];
}

/** Hears batches of boards that have shown their token. */
export class BoardHearing {
  readonly #parts: EngineParts;
  readonly #bus: WaitingBus;
  readonly #running: BoardPoursRunning;
  readonly #doors: Pick<Hearing, 'pours' | 'thermo'>;
  /** Events that were only shown: they change nothing, so they are not worth a write of their own. */
  readonly #unwritten = new Map<number, { readonly bootId: string; readonly ids: Set<number> }>();

  constructor(parts: EngineParts, bus: WaitingBus, running: BoardPoursRunning) {
    this.#parts = parts;
    this.#bus = bus;
    this.#running = running;
    const inner = { ...parts, bus };
    this.#doors = { pours: createPours(inner), thermo: createThermo(inner) };
  }

  /** Shows running pours when the batch has nothing else; null when it wants a transaction. Writes nothing. */
  glance(board: Board, batch: BoardBatch, now: Moment): HeardBatch | null {
    const { store } = this.#parts;
    const controller = board.controllerId === null ? null : store.controllers.byId(board.controllerId);
    if (controller === null || board.bootId !== batch.bootId || board.state !== 'paired') return null;
    const updates = batch.events.filter(isUpdate);
    if (updates.length < batch.events.length) return null;
    const unwritten = this.#idsOf(board, batch);
    for (const update of updates) {
      if (unwritten.size < mostUnwritten) unwritten.add(update.id);
      const pour = flowingPour({ store, controller, now }, update);
      if (pour !== null) this.#running.update(pour, now);
    }
    return { commands: commandsFor(store, board, now), notes: [] };
  }

  /** Takes a batch inside the caller's transaction; gives what to show and tell after its commit. */
  hear(known: Board, batch: BoardBatch, address: string | null, now: Moment) {
    const { store, ids, settings } = this.#parts;
    const { device } = known;
    const cursor = store.deviceCursors.find(device, batch.bootId);
    const isPast = cursor !== null && known.bootId !== null && known.bootId !== batch.bootId;
    const hearing: Hearing = {
      ...{ store, ids, isPast, now, ...this.#doors },
      bus: this.#bus,
      limits: settings.grants ?? usualLimits,
      controller: store.controllers.byId(known.controllerId!)!,
      bootId: batch.bootId,
      board: isPast ? known : { ...known, bootId: batch.bootId },
      notes: [],
      flowing: [],
      ended: [],
    };
    // A board forgets its grants when it starts, and whoever stood at the tap has had to wait.
    if (!isPast && known.bootId !== batch.bootId) store.deviceCommands.removeAll(known.id);
    else dropLate(store, known, now);

    const seen = cursor ?? store.deviceCursors.begin(device);
    const unwritten = this.#unwritten.get(known.id);
    if (unwritten?.bootId === batch.bootId) for (const id of unwritten.ids) seen.add(id);
    for (const event of batch.events) {
      const state = seen.state(event.id);
      // A pour protects itself by its pour_id, so it may be told once too often but never once too seldom.
      if (state === 'seen' || (state === 'forgotten' && !isPour(event.report))) continue;
      seen.add(event.id);
      takeEvent(hearing, event);
    }
    store.deviceCursors.save(device, batch.bootId, seen);
    const lastError = [...hearing.notes.join(' ')].slice(0, 300).join('') || null;
    const board: Board = {
      ...hearing.board,
      ...{ state: 'paired', address, lastError, lastSeenMs: wallMs(now) },
    };
    if (isNews(known, board)) store.devices.save(board);
    const heard: HeardBatch = { commands: commandsFor(store, board, now), notes: hearing.notes };
    return { heard, isPast, flowing: hearing.flowing, ended: hearing.ended };
  }

  /** After the commit: what was only remembered is written now, and those who watch see how the pours go. */
  show(board: Board, taken: ReturnType<BoardHearing['hear']>, now: Moment): void {
    if (!taken.isPast) this.#unwritten.delete(board.id);
    for (const pour of taken.flowing) this.#running.update(pour, now);
    for (const pourId of taken.ended) this.#running.end(pourId);
  }

  #idsOf(board: Board, { bootId }: BoardBatch): Set<number> {
    const known = this.#unwritten.get(board.id);
    if (known?.bootId === bootId) return known.ids;
    const ids = new Set<number>();
    this.#unwritten.set(board.id, { bootId, ids });
    return ids;
  }
}

/** That it was heard a moment ago is not worth a write of its own. */
function isNews(before: Board, after: Board): boolean {
  const isLater = Math.abs((after.lastSeenMs ?? 0) - (before.lastSeenMs ?? 0)) >= noteEveryMs;
  const names = Object.keys(after) as (keyof Board)[];
  return isLater || names.some((name) => name !== 'lastSeenMs' && before[name] !== after[name]);
}

type Update = { id: number; ageMs: number; report: Extract<BoardReport, { kind: 'pour_update' }> };
const isUpdate = (event: { report: BoardReport }): event is Update => event.report.kind === 'pour_update';

const isPour = (report: BoardReport): boolean =>
  report.kind === 'pour' || (report.kind === 'unusable' && report.type === 'pour');
