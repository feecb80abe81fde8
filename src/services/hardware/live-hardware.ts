import { type MergedHardware, mergeHardware } from '../../config/merged-hardware.ts';
import type { MeterCatalogue } from '../../config/meter-catalogue.ts';
import type { Config } from '../../config/schema.ts';
import type { Problem } from '../../core/health/problems.ts';
import type { PinEntry } from '../../core/taps/pin-entries.ts';
import type { HardwareDeclaration } from '../../engine/engine.ts';
import type { Logger } from '../../system/log/log.ts';
import type { MachineIdentity } from '../../system/machine-identity.ts';
import type { Counting } from '../counting/counting.ts';
import { declaredHardware } from '../counting/declared-hardware.ts';
import type { PinHardware, Pins } from '../counting/pins.ts';
import type { ReportProblem } from '../monitors/health-reporters.ts';
import type { ChangingHardware } from './hardware-in-force.ts';
import { machineProblems } from './machine-problems.ts';
import { writePinEntries } from './pin-entries-file.ts';

/** Why a change was not made; the hardware before it goes on. */
export interface LineRefusal {
  /** Full name of the part. */
  readonly name: string;
  readonly problem: Problem;
}

interface LiveHardwareOptions {
  readonly config: Config;
  readonly hardware: ChangingHardware;
  readonly catalogue: MeterCatalogue;
  readonly pins: Pick<Pins, 'input' | 'toggles' | 'canChange' | 'released' | 'change'>;
  readonly counting: Pick<Counting, 'addMeters' | 'removeMeters'>;
  readonly relayList: { store(): void; storeBoth(next: PinHardware): void };
  readonly identity: MachineIdentity;
  /** Reports that relays may not belong to this machine. */
  readonly reportProblem: ReportProblem;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

export type LiveHardware = ReturnType<typeof createLiveHardware>;

/** Brings pins, counting and relays from one set of meters and relays to another while the daemon runs, one change at a time. */
export function createLiveHardware(options: LiveHardwareOptions) {
  const { config, hardware, catalogue, pins, counting, relayList, identity, log } = options;
  let running: Promise<unknown> = Promise.resolve();
  /** Changes that are under way or wait for it. */
  let pending = 0;

  const merge = (entries: readonly PinEntry[]): MergedHardware =>
    mergeHardware(config, entries, catalogue, identity);
  const fullName = (port: string): string => `${config.controller.name}.${port}`;

  /** Runs `work` after the changes before it. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    pending += 1;
    const result = running.then(work).finally(() => {
      pending -= 1;
    });
    running = result.catch(() => undefined);
    return result;
  }

  /** Opens and releases the lines; meters count before their line is open, so that no edge of it is dropped. */
  async function changeLines(next: MergedHardware): Promise<void> {
    relayList.storeBoth(next);
    counting.addMeters(next.meters);
    await pins.change(next);
  }

  /** Ends the pours of meters that are gone or different, and counts the different ones anew. */
  function changeMeters(before: MergedHardware, next: MergedHardware): void {
    const kept = new Set(next.meters.map((meter) => JSON.stringify(meter)));
    const gone = before.meters.filter((meter) => !kept.has(JSON.stringify(meter)));
    counting.removeMeters(gone.map(({ port }) => port));
    counting.addMeters(next.meters);
  }

  function adoptNow(next: MergedHardware): void {
    hardware.replace(next);
    relayList.store();
    reportMachine(next);
    storeCopy(next.entries);
  }

  function reportMachine(merged: MergedHardware): void {
    options.reportProblem(machineProblems(merged, { identity, fullName }));
  }

  function storeCopy(entries: readonly PinEntry[]): void {
    try {
      writePinEntries(config.database, entries);
    } catch (err) {
      // The database has them too; without the copy counting of these lines starts when it is open.
      log.warn({ err }, 'the copy of the hardware beside the database could not be written');
    }
  }

  reportMachine(hardware.merged);
  return {
    merge,
    /** What the database stores of a set of meters and relays. */
    declare: (next: MergedHardware): HardwareDeclaration => declaredHardware(config, next, catalogue),
    isChanging: (): boolean => pending > 0,

    /**
     * Changes the hardware and calls `commit` when the lines of `ports` are open and the pours of changed meters are recorded.
     * When one of these lines cannot be opened, or `commit` throws, the hardware before it goes on. Returns the refusal, if any.
     */
    change: (
      next: MergedHardware,
      ports: readonly string[],
      commit: () => void,
    ): Promise<LineRefusal | null> =>
      inTurn(async () => {
        const before = hardware.merged;
        const revert = async () => {
          await pins.change(before);
          changeMeters(next, before);
          relayList.storeBoth(before);
        };
        if (!pins.canChange()) {
          commit();
          for (const port of ports) hardware.waitForRestart(port);
          reportMachine(next);
          storeCopy(next.entries);
          return null;
        }
        await changeLines(next);
        const names = new Set(ports.filter((port) => isUsed(next, port)).map(fullName));
        const fault = pins.input.faults.find(({ name }) => names.has(name));
        if (fault !== undefined) {
          await revert();
          return fault;
        }
        changeMeters(before, next);
        try {
          commit();
        } catch (refusal) {
          await revert();
          throw refusal;
        }
        adoptNow(next);
        return null;
      }),

    /** Adopts the entries of a database that was just opened. A line that cannot be opened is a fault and tried again. */
    async adopt(entries: readonly PinEntry[]): Promise<void> {
      const isSame = JSON.stringify(entries) === JSON.stringify(hardware.merged.entries);
      if (isSame && pending === 0) return;
      const work = inTurn(async () => {
        const before = hardware.merged;
        const next = merge(entries);
        if (pins.canChange()) {
          await changeLines(next);
          changeMeters(before, next);
        }
        adoptNow(next);
      });
      await work.catch((err: unknown) =>
        log.error({ err }, 'the hardware of the database could not be adopted'),
      );
    },
  };
}

const isUsed = ({ meters, toggles }: MergedHardware, port: string): boolean =>
  [...meters, ...toggles].some((one) => one.port === port);
