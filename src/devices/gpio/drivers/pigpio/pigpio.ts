import { AppError } from '../../../../core/app-error.ts';
import { createProblem } from '../../../../core/health/problems.ts';
import type { LineFault, PulseInput } from '../../../device-interfaces.ts';
import { EdgeBuffer, monotonicMs } from '../../edge-buffer.ts';
import { formatHostInfo, isPi5, readHostInfo } from '../../host-info.ts';
import { MainLoopToggles } from '../../main-loop-toggles.ts';
import type { OpenPins, PinRequest } from '../../open-pins.ts';
import { formatPins, type MeterLine } from '../../pin-plan.ts';
import { loadLibrary } from '../load-library.ts';
import { pigpio } from './driver.ts';
import { PigpioClock } from './pigpio-clock.ts';

/** The library samples only the first bank of pins. */
const highestPin = 31;
/** The library evaluates its samples every millisecond; no alert arrives later than this. */
const lateAlertMs = 20;
const input = 0; // PI_INPUT, pigpio.h
const output = 1; // PI_OUTPUT
const pulls = { none: 0, 'pull-down': 1, 'pull-up': 2 } as const; // PI_PUD_OFF, _DOWN, _UP

/** The part of the library pigpio used here; the library is optional, so its own types may be absent. */
export interface PigpioLibrary {
  readonly Gpio: new (
    pin: number,
    options: { readonly mode: number; readonly pullUpDown?: number; readonly alert?: boolean },
  ) => PigpioGpio;
  getTick(): number;
  initialize(): void;
  terminate(): void;
}

interface PigpioGpio {
  on(event: 'alert', listener: (level: number, tick: number) => void): void;
  digitalRead(): 0 | 1;
  digitalWrite(level: 0 | 1): void;
  disableAlert(): void;
}

/**
 * Opens the lines through DMA sampling: stamps with 5 µs resolution, for noisy wiring on a Pi 1 to 4. Needs
 * root.
 */
export async function openPigpio(
  request: PinRequest,
  load: () => Promise<PigpioLibrary> = () => loadLibrary<PigpioLibrary>(pigpio.library!),
): Promise<OpenPins> {
  const hostInfo = readHostInfo(request.roots);
  const host = formatHostInfo(hostInfo);
  if (isPi5(hostInfo)) {
    throw new AppError('unavailable', createProblem('pigpio_wrong_board', { host }));
  }
  const library = await load();
  start(library, host);

  const clock = new PigpioClock(library.getTick(), monotonicMs());
  const faults: LineFault[] = [...request.plan.faults];
  const inReach = (line: { readonly name: string; readonly pin: number }): boolean => {
    if (line.pin <= highestPin) return true;
    const problem = createProblem('pin_out_of_reach', { highest: highestPin, pin: line.pin });
    faults.push({ name: line.name, problem });
    return false;
  };
  const relays = request.plan.relays.filter(inReach).map((relay) => {
    const gpio = new library.Gpio(relay.pin, { mode: output });
    gpio.digitalWrite(relay.activeLow ? 1 : 0);
    return { relay, gpio };
  });
  const lines = request.plan.meters.filter(inReach);
  const buffer = new EdgeBuffer(lines.map((line) => line.name));
  let lastMs = 0;
  let hasAlerts = false;
  const meters = lines.map((line, index) => ({
    line,
    gpio: watchPin(library, line, (tick) => {
      lastMs = clock.toMonoMs(tick);
      hasAlerts = true;
      buffer.add(index, lastMs);
    }),
  }));

  const toggles = new MainLoopToggles({
    names: relays.map(({ relay }) => relay.name),
    faults,
    set: (index, on) => {
      const { relay, gpio } = relays[index]!;
      gpio.digitalWrite(on === relay.activeLow ? 0 : 1);
    },
    report: request.report,
    findLine: (meter) => lines.findIndex((line) => line.name === meter),
    countTicks: (line) => buffer.received(line),
  });
  let untilMonoMs = 0;
  const pulseInput: PulseInput = {
    driver: pigpio.name,
    description: [createProblem('pins_pigpio', { meters: formatPins(lines), host })],
    faults,
    drain() {
      const nowMs = monotonicMs();
      const beforeMs = buffer.markDrain(nowMs);
      // One alert is delivered per turn of the loop, in order of the stamps: after a turn without one, none
      // is pending.
      untilMonoMs = Math.max(untilMonoMs, hasAlerts ? lastMs : beforeMs - lateAlertMs);
      hasAlerts = false;
      clock.anchor(library.getTick(), nowMs);
      return { untilMonoMs, lines: buffer.take(() => null).filter((batch) => batch.stampsMonoMs.length > 0) };
    },
    lines: () =>
      meters.map(({ line, gpio }, index) => ({
        name: line.name,
        pin: line.pin,
        received: buffer.received(index),
        lost: null,
        level: gpio.digitalRead(),
      })),
    async close() {
      await toggles.close();
      for (const { gpio } of meters) gpio.disableAlert();
      library.terminate();
    },
  };
  return { input: pulseInput, toggles };
}

function watchPin(library: PigpioLibrary, line: MeterLine, onTick: (tick: number) => void): PigpioGpio {
  const counted = line.edge === 'falling' ? 0 : 1;
  const gpio = new library.Gpio(line.pin, { mode: input, pullUpDown: pulls[line.bias], alert: true });
  gpio.on('alert', (level, tick) => {
    if (level === counted) onTick(tick);
  });
  return gpio;
}

function start(library: PigpioLibrary, host: string): void {
  try {
    library.initialize();
  } catch (cause) {
    throw new AppError('unavailable', createProblem('pigpio_not_started', { host }), { cause });
  }
  rearmSignals();
}

/**
 * The C library installs handlers for every signal when it starts; adding the listeners again restores them.
 */
function rearmSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'] as const) {
    const listeners = process.rawListeners(signal);
    process.removeAllListeners(signal);
    for (const listener of listeners) process.on(signal, (...args) => listener.apply(process, args));
  }
}
