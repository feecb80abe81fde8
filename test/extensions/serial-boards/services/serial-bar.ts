import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settingsOf } from '../../../../src/config/settings-group.ts';
import { createEventBus } from '../../../../src/core/event-bus.ts';
import type { Drink } from '../../../../src/core/records.ts';
import { loadConfig } from '../../../../src/daemon/load-config.ts';
import { createSimulatedPins } from '../../../../src/devices/simulated/simulated-pins.ts';
import { createEngine } from '../../../../src/engine/create-engine.ts';
import { extensions } from '../../../../src/extensions/all.ts';
import { serialGroup } from '../../../../src/extensions/serial-boards/config/settings-group.ts';
import { serialBoards } from '../../../../src/extensions/serial-boards/extension.ts';
import { startSerialBoards } from '../../../../src/extensions/serial-boards/services/serial-controllers.ts';
import { startCounting } from '../../../../src/services/counting/counting.ts';
import { openStore } from '../../../../src/store/store.ts';
import { createClock } from '../../../../src/system/clock.ts';
import { createLog } from '../../../../src/system/log/log.ts';
import { openingMs } from '../../../engine/bar.ts';
import type { BoardDouble } from '../kit/board-double.ts';

const { log } = createLog({ level: 'fatal', write: () => {} });

/** A running daemon's counting. */
interface Run {
  readonly clock: ReturnType<typeof createClock>;
  readonly counting: ReturnType<typeof startCounting>;
}

/** A bar with one serial port, whose daemon can be killed, stopped and started; time is given by the test. */
export function openSerialBar(controller = 'kegboard') {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-serial-bar-'));
  const path = join(folder, 'tapster.json');
  const database = join(folder, 'tapster.db');
  const port = '/dev/ttyUSB0';
  writeFileSync(
    path,
    JSON.stringify({
      database,
      gpio: { driver: 'simulated' },
      serial: { boards: [{ path: port, name: controller }] },
    }),
  );
  const { config } = loadConfig({ path, env: {}, cwd: folder });
  const settings = settingsOf(config, serialGroup);
  const store = openStore({ file: database, extensions });
  let count = 0;
  const newBus = () =>
    createEventBus((fault) => {
      throw fault;
    });
  const engine = createEngine({
    store,
    bus: newBus(),
    ids: { next: () => `id-${++count}` },
    settings: { maxFlowMlPerS: 200 },
  });
  const { id: controllerId } = engine.taps.hardware.createController({ name: controller });
  for (const portName of ['flow0', 'flow1']) {
    const meter = engine.taps.hardware.createMeter({ controllerId, portName, ticksPerMl: 5 });
    engine.taps.connectMeter(engine.taps.create({ name: portName }).id, meter.id);
  }

  /** Real time, which the board's clock follows. */
  let nowMs = 1_000_000;
  let bootMs = 0;
  let synced = true;
  let clockErrorMs = 0;
  let board: BoardDouble | null = null;
  let plugs = 0;
  let run: Run | null = null;
  /** The clock of a machine that has forgotten the time starts at the opening. */
  const newClock = () =>
    createClock({
      readings: {
        monoMs: () => nowMs - bootMs,
        uptimeMs: () => nowMs - bootMs,
        wallMs: () => openingMs + (synced ? nowMs + clockErrorMs : nowMs - bootMs),
        flagFile: () => (synced ? 'present' : 'absent'),
        bootId: `boot-${bootMs}`,
      },
    });

  /** `isOn` says whether the feature is on. */
  function start({ isOn = true } = {}): void {
    const bus = newBus();
    const clock = newClock();
    const pins = createSimulatedPins({ meters: [], toggles: [], nowMonoMs: () => clock.now().monoMs });
    const options = {
      config,
      bus,
      clock,
      log,
      reporters: () => () => {},
      database: { requireEngine: () => engine },
    };
    const { returnMs } = serialBoards.countingSource!;
    const counting = startCounting({
      ...options,
      pins: { input: pins, toggles: pins },
      isFlowWhileShut: () => false,
      sourceReturnMs: isOn ? returnMs : null,
    });
    run = { clock, counting };
    if (!isOn) return;
    const source = startSerialBoards({
      config,
      settings,
      bus,
      clock,
      log,
      returnMs,
      reportProblem: () => {},
      hardware: () => engine.taps.hardware,
      findFacts: counting.findFacts,
      keptCounters: counting.keptCounters,
      interruptedPours: counting.takeInterruptedPours(),
      machine: {
        findPorts: async () => [{ ...settings.boards[0]!, isDetected: false, device: board && `${plugs}` }],
        async openLink(_path, listeners) {
          if (board === null) throw new Error('No such file or directory');
          return board.open(listeners);
        },
      },
    });
    counting.addSource(source);
  }

  function step(): void {
    nowMs += 50;
    board?.step(nowMs);
    run?.counting.everyHeartbeat();
    if (nowMs % 1_000 !== 0) return;
    run?.clock.poll();
    run?.counting.everySecond();
    if (nowMs % 60_000 === 0) run?.counting.everyMinute();
  }

  return {
    store,
    engine,
    now: () => nowMs,
    start,
    plugIn(double: BoardDouble) {
      board = double;
      plugs++;
    },
    unplug() {
      board?.unplug();
      board = null;
    },
    /** Advances time in steps of 50 ms; `flow` gives the ticks of `flow0` in each. */
    async pass(ms: number, flow = 0, meter = 'flow0') {
      for (const untilMs = nowMs + ms; nowMs < untilMs; ) {
        if (flow > 0) board?.pulse(meter, flow);
        step();
        // Opening a port takes one turn of the event loop.
        await new Promise<void>((done) => setImmediate(done));
      }
    },
    /** Advances time at once, while no daemon runs. */
    skip(ms: number) {
      nowMs += ms;
      board?.step(nowMs);
    },
    /** Ends the daemon as `kill -9` does. */
    kill() {
      run = null;
      board?.disconnect();
    },
    /** Stops the daemon as the service manager does. */
    async stop() {
      const stopped = run;
      run = null;
      await stopped?.counting.close();
    },
    /** Cuts the power of the machine; call it after `kill`. A set clock may be wrong by `errorMs`. */
    reboot(clockIsSet: boolean, errorMs = 0) {
      bootMs = nowMs;
      synced = clockIsSet;
      clockErrorMs = errorMs;
    },
    /** All drinks, held ones included, oldest first. */
    drinks: (): Drink[] =>
      [...store.drinks.page('valid', 1e9, 1_000), ...store.drinks.page('held', 1e9, 1_000)].sort(
        (a, b) => a.id - b.id,
      ),
    async close() {
      await run?.counting.close();
      store.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Ticks of all drinks. */
export const sumTicks = (drinks: readonly { readonly ticks: number }[]): number =>
  drinks.reduce((sum, { ticks }) => sum + ticks, 0);
