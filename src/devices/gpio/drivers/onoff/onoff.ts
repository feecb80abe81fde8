import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProblem } from '../../../../core/health/problems.ts';
import type { LineFault, PulseInput } from '../../../device-interfaces.ts';
import { chooseSysfsChip, listSysfsChips, type SysfsChip } from '../../chips.ts';
import { EdgeBuffer, monotonicMs } from '../../edge-buffer.ts';
import { formatHostInfo, type HostInfo, readHostInfo } from '../../host-info.ts';
import { InterruptCounters, readInterrupts } from '../../interrupts.ts';
import { errorCode, lineProblem } from '../../line-problems.ts';
import { LossCounters } from '../../loss-counters.ts';
import { MainLoopToggles } from '../../main-loop-toggles.ts';
import type { OpenPins, PinRequest } from '../../open-pins.ts';
import { formatPins } from '../../pin-plan.ts';
import { loadLibrary } from '../load-library.ts';
import { onoff } from './driver.ts';

/** The kernel's name for the owner of an interrupt requested through sysfs. */
const sysfsConsumer = 'gpiolib';

/** The part of the library onoff used here; the library is optional, so its own types may be absent. */
export interface OnoffLibrary {
  readonly Gpio: new (
    line: number,
    direction: 'in' | 'high' | 'low',
    edge?: 'falling' | 'rising' | { readonly activeLow: boolean },
  ) => OnoffGpio;
}

interface OnoffGpio {
  readSync(): 0 | 1;
  writeSync(value: 0 | 1): void;
  watch(callback: (error: Error | null | undefined) => void): void;
  unexport(): void;
}

/**
 * Opens the lines through sysfs. Edges are stamped when the main loop receives them, so a stall loses some.
 */
export async function openOnoff(
  request: PinRequest,
  load: () => Promise<OnoffLibrary> = () => loadLibrary<OnoffLibrary>(onoff.library!),
): Promise<OpenPins> {
  const hostInfo = readHostInfo(request.roots);
  const chipOption = request.chip === undefined ? {} : { configuredChip: request.chip };
  const chip = chooseSysfsChip(listSysfsChips(request.roots), { hostInfo, ...chipOption });
  const library = await load();
  const exporter = new SysfsExporter({ request, chip, hostInfo, library });

  const interrupts = new InterruptCounters(() => readInterrupts(request.roots.proc));
  const relays = request.plan.relays.flatMap((relay) => {
    // The direction is a level, not a state: a relay that is on at low level starts high.
    const gpio = exporter.open(relay, relay.activeLow ? 'high' : 'low', { activeLow: relay.activeLow });
    return gpio === null ? [] : [{ relay, gpio }];
  });
  const meters = request.plan.meters.flatMap((line) => {
    const gpio = exporter.open(line, 'in', line.edge);
    return gpio === null ? [] : [{ line, gpio }];
  });

  const buffer = new EdgeBuffer(meters.map(({ line }) => line.name));
  const losses = new LossCounters({ lineCount: meters.length, seqnoCountsInterrupts: false });
  const numbers = meters.map(() => 0);
  let seqno = 0;
  meters.forEach(({ gpio }, index) => {
    gpio.watch((error) => {
      if (error) return;
      const stampMs = monotonicMs();
      buffer.add(index, stampMs);
      seqno += 1;
      numbers[index]! += 1;
      losses.record(index, seqno, numbers[index]!, stampMs);
    });
  });
  const lossDeltas = new LossDeltas(losses, buffer, meters.length);
  const pins = meters.map(({ line }) => line.pin);
  const faults = [...request.plan.faults, ...exporter.faults];

  const toggles = new MainLoopToggles({
    names: relays.map(({ relay }) => relay.name),
    faults,
    set: (relay, on) => relays[relay]!.gpio.writeSync(on ? 1 : 0),
    report: request.report,
    findLine: (meter) => meters.findIndex(({ line }) => line.name === meter),
    countTicks: (line) => buffer.received(line),
  });
  const input: PulseInput = {
    driver: onoff.name,
    description: [
      createProblem('pins_onoff', {
        label: chip.label,
        base: chip.base,
        host: formatHostInfo(hostInfo),
        meters: formatPins(meters.map(({ line }) => line)),
      }),
    ],
    faults,
    drain() {
      const nowMs = monotonicMs();
      const untilMonoMs = buffer.markDrain(nowMs);
      losses.check(nowMs, () => interrupts.counts(sysfsConsumer, pins));
      return { untilMonoMs, lines: buffer.take((line) => lossDeltas.since(line)) };
    },
    lines: () =>
      meters.map(({ line, gpio }, index) => ({
        name: line.name,
        pin: line.pin,
        received: buffer.received(index),
        lost: lossDeltas.total(index),
        dropped: buffer.dropped(index),
        level: readLevel(gpio),
      })),
    async close() {
      await toggles.close();
      for (const { gpio } of [...meters, ...relays]) gpio.unexport();
    },
  };
  return { input, toggles };
}

/** Exports lines one at a time; a failure becomes a fault. */
class SysfsExporter {
  readonly faults: LineFault[] = [];
  readonly #context: { request: PinRequest; chip: SysfsChip; hostInfo: HostInfo; library: OnoffLibrary };

  constructor(context: { request: PinRequest; chip: SysfsChip; hostInfo: HostInfo; library: OnoffLibrary }) {
    this.#context = context;
  }

  open(
    line: { readonly name: string; readonly pin: number },
    direction: 'in' | 'high' | 'low',
    option: 'falling' | 'rising' | { readonly activeLow: boolean },
  ): OnoffGpio | null {
    const { chip, library } = this.#context;
    if (line.pin >= chip.lines) return this.#refuse(line, 'RANGE');
    try {
      this.#releaseLeftover(chip.base + line.pin);
      return new library.Gpio(chip.base + line.pin, direction, option);
    } catch (error) {
      return this.#refuse(line, errorCode(error));
    }
  }

  /** A line that is still exported was left by a crash: its edge setting is unknown, so unexport it first. */
  #releaseLeftover(number: number): void {
    const directory = join(this.#context.request.roots.sys, 'class/gpio');
    if (existsSync(join(directory, `gpio${number}`))) {
      writeFileSync(join(directory, 'unexport'), String(number));
    }
  }

  #refuse(line: { readonly name: string; readonly pin: number }, code: string): null {
    const { chip, hostInfo } = this.#context;
    const shown = { path: '/sys/class/gpio', label: chip.label, lines: chip.lines };
    this.faults.push({
      name: line.name,
      problem: lineProblem({ code, pin: line.pin, chip: shown }, hostInfo),
    });
    return null;
  }
}

/** Turns the running totals of the loss counters into the change since the last drain. */
class LossDeltas {
  readonly #counters: LossCounters;
  readonly #buffer: EdgeBuffer;
  readonly #lost: number[];
  readonly #unproven: number[];

  constructor(counters: LossCounters, buffer: EdgeBuffer, lineCount: number) {
    this.#counters = counters;
    this.#buffer = buffer;
    this.#lost = new Array<number>(lineCount).fill(0);
    this.#unproven = new Array<number>(lineCount).fill(0);
  }

  since(line: number): number | null {
    const lost = this.#counters.lost(line);
    const unproven = this.#counters.unproven(line);
    const fresh = lost - this.#lost[line]!;
    const isUnknown = unproven !== this.#unproven[line];
    this.#lost[line] = lost;
    this.#unproven[line] = unproven;
    return isUnknown ? null : fresh;
  }

  total(line: number): number | null {
    return this.#counters.unproven(line) > 0 ? null : this.#counters.lost(line) + this.#buffer.dropped(line);
  }
}

function readLevel(gpio: OnoffGpio): 0 | 1 | null {
  try {
    return gpio.readSync();
  } catch {
    return null;
  }
}
