import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { AppError } from '../../../../src/core/app-error.ts';
import type { Moment } from '../../../../src/core/clock/moment.ts';
import { createEventBus } from '../../../../src/core/event-bus.ts';
import { createEngine } from '../../../../src/engine/create-engine.ts';
import type { EngineSettings } from '../../../../src/engine/engine.ts';
import { kegboards } from '../../../../src/extensions/kegboards/extension.ts';
import { readEvent } from '../../../../src/extensions/kegboards/http/device-events/events.ts';
import { openStore, type Store } from '../../../../src/store/store.ts';
import { switchOn } from '../../../kit/extensions.ts';
import { SimulatedBoard, type Wire } from '../../../kit/simulated-board.ts';
import { boardsOf, boardTablesOf } from '../kit/boards.ts';

const boardsOn = await switchOn([kegboards]);

/** Friday 1 May 2026, 18:00 UTC. */
export const startMs = Date.UTC(2026, 4, 1, 18);

/**
 * When the power is cut: before the n-th commit inside a batch, or after all commits and before the answer.
 */
export type PowerCutPoint = { readonly beforeCommit: number } | 'before the answer' | null;

/**
 * A database in a file with a paired board on a tap; the power can be cut at any commit. Call `remove`
 * afterwards.
 */
export function createKegboardRig(settings: Partial<EngineSettings> = {}, switchedOn = boardsOn) {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-kegboard-'));
  const file = join(folder, 'tapster.db');
  let passedMs = 0;
  let bootId = 'boot-1';
  let powerCut: PowerCutPoint = null;
  const now = (): Moment => ({
    monoMs: 3_600_000 + passedMs,
    wallMs: startMs + passedMs,
    synced: true,
    bootId,
  });
  let store = openStore({ file, extensions: switchedOn.all });
  let engine = engineOn(store);

  function engineOn(on: Store) {
    const bus = createEventBus((fault) => {
      throw fault;
    });
    return createEngine(
      {
        store: on,
        bus,
        ids: { next: randomUUID },
        settings: { maxFlowMlPerS: 200, ...settings },
      },
      switchedOn.engine,
    );
  }

  /** Restarts the engine on the stored database. */
  function restart(): void {
    store.close();
    store = openStore({ file, extensions: switchedOn.all });
    engine = engineOn(store);
  }

  const wire: Wire = async (batch, token) => {
    const { device, boot_id: bootId, events } = batch;
    const call = { device, token, address: '10.0.0.7', batch: { bootId, events: events.map(readEvent) } };
    const answering =
      powerCut !== null && powerCut !== 'before the answer'
        ? engineOn(failing(store, powerCut.beforeCommit))
        : engine;
    try {
      const answer = boardsOf(answering).recordBatch(call, now());
      if (powerCut === 'before the answer') throw new PowerCut();
      return answer.kind === 'recorded'
        ? { status: 200, body: { commands: answer.commands } }
        : { status: 401, body: { pairing: answer.pairing } };
    } catch (fault) {
      if (fault instanceof AppError && fault.code === 'unavailable') return { status: 503, body: {} };
      if (!(fault instanceof PowerCut)) throw fault;
      restart();
      return { status: 0, body: {} };
    }
  };
  const board = new SimulatedBoard({ wire, nowMs: () => startMs + passedMs });

  return {
    board,
    /** The database file. */
    file,
    wire,
    now,
    restart,
    get engine() {
      return engine;
    },
    get kegboards() {
      return boardsOf(engine);
    },
    /** Statements on the tables of boards. */
    get tables() {
      return boardTablesOf(store);
    },
    http: switchedOn.http,
    get store() {
      return store;
    },
    pass(ms: number) {
      passedMs += ms;
    },
    /** Reboots the daemon's machine, which starts a new monotonic clock. */
    rebootMachine() {
      bootId = 'boot-2';
      restart();
    },
    /** Runs `work` with the power cut at that point. */
    async withPowerCut<T>(when: PowerCutPoint, work: () => Promise<T>): Promise<T> {
      powerCut = when;
      try {
        return await work();
      } finally {
        powerCut = null;
      }
    },
    /** Changes the database directly. */
    edit(sql: string) {
      const db = new Sqlite(file);
      db.exec(sql);
      db.close();
    },
    /** Pairs the board, connects its first meter to a tap with a keg, and gives Anna a token. */
    async open() {
      board.status('boot');
      await board.deliver();
      boardsOf(engine).allow(board.device, {}, now());
      await board.deliver();
      await board.deliverAll();
      const tap = engine.taps.create({ name: 'Middle' });
      engine.taps.connectMeter(tap.id, engine.taps.hardware.meters()[0]!.id);
      const beverage = { name: 'Lager', producerName: 'Brewery', styleName: 'Pils' };
      engine.kegs.start(tap.id, { beverage, sizeKey: 'euro' }, now());
      for (const username of ['anna', 'bert']) engine.users.addUser({ username }, now());
      engine.access.tokens.create({ device: 'core.rfid', value: 'fob', username: 'anna' }, now());
    },
    remove() {
      store.close();
      rmSync(folder, { recursive: true });
    },
  };
}

export class PowerCut extends Error {}

/** A store that loses power just before its n-th commit. */
function failing(store: Store, beforeCommit: number): Store {
  let left = beforeCommit;
  return {
    ...store,
    transaction: <T>(work: () => T): T =>
      store.transaction(() => {
        const result = work();
        if (left-- === 0) throw new PowerCut();
        return result;
      }),
  };
}
