import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import type { LineFault, PulseInput } from '../ports.ts';
import { chooseSysfsChip, listSysfsChips, type SysfsChip } from './chips.ts';
import { EdgeTray, monotonicMs } from './edge-tray.ts';
import { InterruptTally, readInterrupts } from './interrupts.ts';
import { LossLedger } from './loss-ledger.ts';
import { MainLoopToggles } from './main-loop-toggles.ts';
import type { OpenPins, PinRequest } from './open-pins.ts';
import { type Place, placeText, readPlace } from './place.ts';
import { codeOf, lineProblem } from './troubles.ts';

/** What the kernel calls the holder of an interrupt asked for through sysfs. */
const sysfsConsumer = 'gpiolib';

/** The part of the library onoff that we use; it may not be installed, so its own types may be absent too. */
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

/** Opens the lines through sysfs. Stamps are taken when the main loop hears of an edge, so a stall loses some. */
export async function openOnoff(
  request: PinRequest,
  load: () => Promise<OnoffLibrary> = loadOnoff,
): Promise<OpenPins> {
  const place = readPlace(request.roots);
  const wanted = request.chip === undefined ? {} : { wanted: request.chip };
  const chip = chooseSysfsChip(listSysfsChips(request.roots), { place, ...wanted });
  const library = await load();
  const gate = new SysfsGate({ request, chip, place, library });

  const tally = new InterruptTally(() => readInterrupts(request.roots.proc));
  const relays = request.plan.relays.flatMap((relay) => {
    // The direction word is a level, not a state: a relay that is on at low starts high.
    const gpio = gate.open(relay, relay.activeLow ? 'high' : 'low', { activeLow: relay.activeLow });
    return gpio === null ? [] : [{ relay, gpio }];
  });
  const meters = request.plan.meters.flatMap((line) => {
    const gpio = gate.open(line, 'in', line.edge);
    return gpio === null ? [] : [{ line, gpio }];
  });

  const tray = new EdgeTray(meters.map(({ line }) => line.name));
  const ledger = new LossLedger({ lineCount: meters.length, seqnoCountsInterrupts: false });
  const numbers = meters.map(() => 0);
  let seqno = 0;
  meters.forEach(({ gpio }, index) => {
    gpio.watch((error) => {
      if (error) return;
      const stampMs = monotonicMs();
      tray.add(index, stampMs);
      seqno += 1;
      numbers[index]! += 1;
      ledger.note(index, seqno, numbers[index]!, stampMs);
    });
  });
  const books = new LossBooks(ledger, tray, meters.length);
  const pins = meters.map(({ line }) => line.pin);
  const faults = [...request.plan.faults, ...gate.faults];

  const toggles = new MainLoopToggles({
    names: relays.map(({ relay }) => relay.name),
    faults,
    set: (relay, on) => relays[relay]!.gpio.writeSync(on ? 1 : 0),
    report: request.report,
    lineOf: (meter) => meters.findIndex(({ line }) => line.name === meter),
    ticksOf: (line) => tray.received(line),
  });
  const input: PulseInput = {
    driver: 'onoff',
    describe:
      `onoff: sysfs chip "${chip.label}", lines from ${chip.base}, counts on GPIO ${pins.join(', ') || '(none)'}; it loses ` +
      `ticks whenever the program is busy, and pulls must be set in config.txt; ${placeText(place)}.`,
    faults,
    drain() {
      const nowMs = monotonicMs();
      const untilMonoMs = tray.markDrain(nowMs);
      ledger.settle(nowMs, () => tally.counts(sysfsConsumer, pins));
      return { untilMonoMs, lines: tray.take((line) => books.since(line)) };
    },
    lines: () =>
      meters.map(({ line, gpio }, index) => ({
        name: line.name,
        pin: line.pin,
        received: tray.received(index),
        lost: books.total(index),
        level: levelOf(gpio),
      })),
    async close() {
      await toggles.close();
      for (const { gpio } of [...meters, ...relays]) gpio.unexport();
    },
  };
  return { input, toggles };
}

/** Exports lines one by one; what fails becomes a fault. */
class SysfsGate {
  readonly faults: LineFault[] = [];
  readonly #context: { request: PinRequest; chip: SysfsChip; place: Place; library: OnoffLibrary };

  constructor(context: { request: PinRequest; chip: SysfsChip; place: Place; library: OnoffLibrary }) {
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
      return this.#refuse(line, codeOf(error));
    }
  }

  /** A line still exported was left by a crash: its edge setting is unknown, so it starts afresh. */
  #releaseLeftover(number: number): void {
    const directory = join(this.#context.request.roots.sys, 'class/gpio');
    if (existsSync(join(directory, `gpio${number}`))) {
      writeFileSync(join(directory, 'unexport'), String(number));
    }
  }

  #refuse(line: { readonly name: string; readonly pin: number }, code: string): null {
    const { chip, place } = this.#context;
    const shown = { path: '/sys/class/gpio', label: chip.label, lines: chip.lines };
    this.faults.push({ name: line.name, problem: lineProblem({ code, pin: line.pin, chip: shown }, place) });
    return null;
  }
}

/** Turns the ledger's running totals into what is new at each drain. */
class LossBooks {
  readonly #ledger: LossLedger;
  readonly #tray: EdgeTray;
  readonly #lost: number[];
  readonly #unproven: number[];

  constructor(ledger: LossLedger, tray: EdgeTray, lineCount: number) {
    this.#ledger = ledger;
    this.#tray = tray;
    this.#lost = new Array<number>(lineCount).fill(0);
    this.#unproven = new Array<number>(lineCount).fill(0);
  }

  since(line: number): number | null {
    const lost = this.#ledger.lost(line);
    const unproven = this.#ledger.unproven(line);
    const fresh = lost - this.#lost[line]!;
    const cannotTell = unproven !== this.#unproven[line];
    this.#lost[line] = lost;
    this.#unproven[line] = unproven;
    return cannotTell ? null : fresh;
  }

  total(line: number): number | null {
    return this.#ledger.unproven(line) > 0 ? null : this.#ledger.lost(line) + this.#tray.dropped(line);
  }
}

function levelOf(gpio: OnoffGpio): 0 | 1 | null {
  try {
    return gpio.readSync();
  } catch {
    return null;
  }
}

/** Loads the library when first needed: it compiles on installation and a Pi may have no compiler. */
async function loadOnoff(): Promise<OnoffLibrary> {
  const name: string = 'onoff';
  try {
    const library: OnoffLibrary = await import(name);
    return library;
  } catch (cause) {
    throw new AppError(
      'unavailable',
      'The optional library onoff is not installed: in the program’s folder, "sudo apt install build-essential python3" and then "npm install --no-save onoff" add it.',
      { cause },
    );
  }
}
