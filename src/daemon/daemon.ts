import type { Config } from '../config/schema.ts';
import { createEventBus } from '../core/event-bus.ts';
import { createOneWireBus } from '../devices/onewire/onewire-bus.ts';
import { stockDemo } from '../engine/demo-data.ts';
import { createClock } from '../system/clock.ts';
import { createHealthBoard } from '../system/health.ts';
import type { Logger } from '../system/log.ts';
import { createLogMemory, type LogMemory } from '../system/log-memory.ts';
import { createBookkeeping } from './bookkeeping.ts';
import { ClockKeeper } from './clock-keeper.ts';
import { openCounting } from './counting.ts';
import { declaredHardware } from './declared-hardware.ts';
import { demoTraffic } from './demo-traffic.ts';
import { openDesk } from './desk.ts';
import { joinThermo } from './join-thermo.ts';
import { createLedgerDoor } from './ledger-door.ts';
import { openPins } from './pins.ts';
import type { PostRoom } from './post-room.ts';
import { startRhythm } from './rhythm.ts';
import type { SerialRoom } from './serial-room.ts';
import type { Serving } from './serving.ts';
import { openTapRoom, type TapRoom } from './tap-room.ts';
import { createTellers } from './tellers.ts';
import { ThermoKeeper } from './thermo-keeper.ts';
import type { UpstreamRoom } from './upstream-room.ts';
import { createWiringDesk } from './wiring/wiring-desk.ts';

/** HTTP answers that still run when we leave get this long; open pours are in the ledger before it starts. */
const farewellMs = 1_500;

/** Messages under way get this long to be let go of; they are due again at the next start. */
const postRoomClosesMs = 500;

/** A running daemon. */
export interface Daemon {
  /** The port the page is on; null while its address cannot be had yet. */
  port(): number | null;
  /** Milliseconds since the pulses were last drained; what the watchdog is fed by. */
  sinceBeatMs(): number;
  /** Ends open pours, records them, flushes, and lets go of pins, port and database. */
  close(): Promise<void>;
}

/** Builds, connects and starts every part, the pins first. What only a person can mend is thrown. */
export async function startDaemon({
  config,
  log,
  memory = createLogMemory(),
}: {
  config: Config;
  log: Logger;
  /** The log's last lines, for staff. */
  memory?: LogMemory;
}): Promise<Daemon> {
  const bus = createEventBus((err, { type }) => log.error({ err, event: type }, 'a listener failed'));
  const health = createHealthBoard((part, problem) => bus.publish({ type: 'health.changed', part, problem }));
  const tellers = createTellers(health, log);
  const clock = createClock();

  let hangUp: (() => void) | null = null;
  let taps: TapRoom | null = null;
  // From here on edges queue in the kernel and the pin thread, while the rest of the house gets ready.
  const opening = openPins(config, (problem, relay) => {
    log.warn({ part: 'pins' }, problem);
    if (relay !== undefined) taps?.relayTrouble(relay, problem);
  });

  let clockKeeper: ClockKeeper | null = null;
  const ledger = createLedgerDoor({
    config,
    bus,
    tell: tellers('storing'),
    onOpen(engine) {
      clockKeeper = new ClockKeeper({ clock, clockwork: engine.clockwork, tell: tellers('clock'), log });
      engine.hardware.provision(declaredHardware(config));
      engine.grants.endLeftOver(clock.now());
      if (config.demo.kegs) stockDemo(engine, clock.now());
    },
  });

  const pins = await opening;
  for (const sentence of [...pins.attempts, pins.input.describe]) log.info({ part: 'pins' }, sentence);
  const counting = openCounting({
    config,
    pins,
    bus,
    clock,
    pours: () => ledger.mustEngine().pours,
    tellers,
    log,
  });
  const serial = await openSerial();
  taps = await openTapRoom({
    config,
    bus,
    clock,
    grants: () => ledger.mustEngine().grants,
    pins: pins.toggles,
    serial: serial?.toggles ?? null,
    cut: counting.cut,
    tellers,
    log,
  });
  const tapRoom = taps;
  const probes = createOneWireBus({
    directory: config.onewire.directory,
    expected: config.taps.flatMap((tap) => tap.thermo ?? []),
  });
  const thermo = new ThermoKeeper({
    bus: serial === null ? probes : joinThermo([probes, serial.thermo]),
    eventBus: bus,
    thermo: () => ledger.mustEngine().thermo,
    clock,
    tell: tellers('sensors'),
    log,
  });
  const { backups, desk } = openDesk({
    config,
    clock,
    engine: ledger.engine,
    health,
    tellers,
    memory,
    log,
    replaceLedger: ledger.replace,
    // The answer to whoever restored goes out first.
    onReplaced: () => void setTimeout(() => hangUp?.(), 1_000).unref(),
  });
  const guests = pins.simulator && config.demo.traffic ? demoTraffic(config, pins.simulator) : null;

  const stopRhythm = startRhythm(
    {
      beat() {
        try {
          serial?.beat();
        } finally {
          counting.beat();
        }
        tapRoom.beat();
      },
      second: [
        ledger.knock,
        tapRoom.second,
        counting.second,
        () => serial?.second(),
        () => clockKeeper?.look(),
        () => ledger.engine()?.devices.snapshot(clock.now()),
        createBookkeeping({ engine: ledger.engine, clock, log }).second,
        () => guests?.(clock.now().monoMs),
      ],
      minute() {
        counting.minute();
        backups.minute();
        ledger.engine()?.reports.mailWhenDue(clock.now());
      },
      probes: { intervalMs: config.onewire.interval_s * 1_000, ask: () => thermo.ask() },
    },
    (err) => log.error({ err }, 'a part of the daemon failed at its turn'),
  );
  log.info({ sinceStartMs: Math.round(performance.now()) }, 'counting');

  async function openSerial(): Promise<SerialRoom | null> {
    if (!config.serial.auto && config.serial.boards.length === 0) return null;
    const { openSerialRoom } = await import('./serial-room.ts');
    const hardware = () => ledger.mustEngine().hardware;
    const room = openSerialRoom({ config, bus, clock, hardware, tell: tellers('serial'), log });
    counting.join(room.feed);
    return room;
  }

  async function closeCellar(): Promise<void> {
    stopRhythm();
    // Valves first: nobody watches their limits any more, and a backup may take its time to end.
    await tapRoom.close();
    await counting.close();
    await backups.close();
    await serial?.close();
    await postRoom?.close(postRoomClosesMs);
    await upstream?.close();
    thermo.flush();
    ledger.close();
  }

  let postRoom: PostRoom | null = null;
  let upstream: UpstreamRoom | null = null;

  async function openDoors(): Promise<Serving> {
    // Loaded only now: beer is counted before the house can read a request.
    const { openFaces } = await import('./faces.ts');
    const { openPostRoom } = await import('./post-room.ts');
    postRoom = openPostRoom({
      engine: ledger.engine,
      mustEngine: ledger.mustEngine,
      bus,
      clock,
      tellers,
      log,
      config,
      probes: () => thermo.probes(),
      health: () => health.report().parts,
    });
    const { running } = counting;
    const lines = () => [...counting.lines(), ...(serial?.lines() ?? [])];
    if (config.upstream.url !== '') {
      const { openUpstream } = await import('./upstream-room.ts');
      const meterNames = () => lines().map(({ meter }) => meter);
      const engine = ledger.engine;
      upstream = openUpstream({ config, engine, bus, clock, meterNames, tell: tellers('upstream'), log });
    }
    const { simulator } = pins;
    const wiring = createWiringDesk({
      config,
      pins,
      nowMonoMs: () => clock.now().monoMs,
      look: counting.look,
      lines: counting.lines,
      serial: serial && { look: serial.feed.snapshot, lines: serial.lines, ports: serial.ports },
      probes: () => thermo.known(),
      askProbes: () =>
        void thermo.ask().catch((err: unknown) => log.warn({ err }, 'the probes could not be asked')),
      readers: tapRoom.readers,
    });
    return openFaces({
      engine: ledger.engine,
      bus,
      clock,
      log,
      running,
      lines,
      probes: () => thermo.probes(),
      valves: tapRoom.hand,
      mailTester: postRoom.tester,
      webhookTester: postRoom.webhookTester,
      ...(upstream === null ? {} : { upstream: upstream.desk }),
      health: health.report,
      desk,
      wiring,
      config: config.http,
      tell: tellers('serving'),
      ...(simulator === null ? {} : { simulator }),
    });
  }
  const serving = await openDoors().catch(async (fault: unknown) => {
    await closeCellar();
    throw fault;
  });
  hangUp = serving.hangUp;

  return {
    port: serving.port,
    sinceBeatMs: counting.sinceBeatMs,
    async close() {
      bus.publish({ type: 'daemon.stopping' });
      await Promise.all([serving.close(farewellMs), closeCellar()]);
    },
  };
}
