import { findHeader, headers, meterModels } from '../../config/hardware-catalogue.ts';
import type { MergedHardware } from '../../config/merged-hardware.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { PinEntry, PinRelay } from '../../core/taps/pin-entries.ts';
import { readHostInfo, systemRoots } from '../../devices/gpio/host-info.ts';
import type { ActorContext } from '../../engine/engine.ts';
import type { HardwareChange, HardwareService, RelayDecision } from '../../http/hardware-ports.ts';
import type { BaseServices } from '../base-services.ts';
import type { Pins } from '../counting/pins.ts';
import type { DatabaseLifecycle } from '../database/database-lifecycle.ts';
import type { KnownSensor } from '../temperatures/thermo-recorder.ts';
import { changedEntry, newEntry, toOwnRelay, validateEntry } from './entry-rules.ts';
import { refusals } from './hardware-refusals.ts';
import { hardwareSnapshot } from './hardware-snapshot.ts';
import type { LiveHardware } from './live-hardware.ts';
import { toMeterModel } from './meter-model.ts';

/** Waits until the answer to the request has been sent. */
const restartDelayMs = 500;

interface HardwareServiceOptions
  extends Pick<BaseServices, 'config' | 'hardware' | 'identity' | 'scheduler' | 'log'> {
  readonly live: LiveHardware;
  readonly pins: Pick<Pins, 'input' | 'toggles' | 'released' | 'canChange'>;
  readonly thermo: { knownSensors(): readonly KnownSensor[] };
  readonly database: Pick<DatabaseLifecycle, 'requireEngine'>;
  /** True when the service manager starts the daemon again. */
  readonly isSupervised?: boolean;
  /** Ends the daemon as its service manager does. */
  readonly stop?: () => void;
}

/** Changes meters and relays on pins for superusers: checks, applies live, stores, undoes. */
export function createHardwareService(options: HardwareServiceOptions): HardwareService {
  const { config, hardware, identity, live, pins, thermo, database, scheduler, log } = options;
  const { isSupervised = process.env.NOTIFY_SOCKET !== undefined } = options;
  const { stop = () => void process.kill(process.pid, 'SIGTERM') } = options;
  const header =
    config.gpio.driver === 'simulated'
      ? (headers().get('header-40') ?? null)
      : findHeader(readHostInfo(systemRoots).board);
  const models = meterModels().map(toMeterModel);
  const fixedSensors = new Set(config.taps.flatMap(({ thermo: sensor }) => sensor ?? []));
  const fixedPorts = new Set([...config.meters, ...config.toggles].map(({ port }) => port));

  /** The entry of the database. Throws `conflict` for one of the settings file, `not_found` for an unknown one. */
  function requireEntry(kind: PinEntry['kind'], port: string): PinEntry {
    const entry = hardware.merged.entries.find((one) => one.kind === kind && one.port === port);
    if (entry !== undefined) return entry;
    throw fixedPorts.has(port) ? refusals.inSettingsFile(fullName(port)) : refusals.unknownPart(kind, port);
  }

  const fullName = (port: string): string => `${config.controller.name}.${port}`;

  /** Replaces one entry by another; null for none. */
  async function replace(
    { before, after, undoes }: { before: PinEntry | null; after: PinEntry | null; undoes?: number },
    by: ActorContext,
  ): Promise<HardwareChange> {
    if (JSON.stringify(before) === JSON.stringify(after)) return changed(null);
    requireUnchanging();
    const { port } = (after ?? before)!;
    if (fixedPorts.has(port) && after !== null) throw refusals.inSettingsFile(fullName(port));
    const next = live.merge(withEntry(hardware.merged.entries, before, after));
    if (after !== null) validateEntry(after, { merged: next, config, models });
    requireShut(next);
    let changeId: number | null = null;
    const declared = live.declare(next);
    await apply(next, [port], () => {
      const {
        taps: { pinEntries },
      } = database.requireEngine();
      if (undoes !== undefined) pinEntries.requireUndoable(undoes);
      changeId = pinEntries.replace({ before, after, declared, ...omitUndefined({ undoes }) }, by);
    });
    return changed(changeId);
  }

  const changed = (changeId: number | null): HardwareChange => ({
    changeId,
    isRestartNeeded: hardware.isRestartNeeded,
  });

  function requireUnchanging(): void {
    if (live.isChanging()) throw refusals.hardwareChanging();
  }

  /** Changes the lines and commits. Throws `conflict` when one of the ports cannot be opened. */
  async function apply(next: MergedHardware, ports: readonly string[], commit: () => void): Promise<void> {
    const refusal = await live.change(next, ports, commit);
    if (refusal !== null) throw refusals.lineNotOpened(refusal);
  }

  /** Keeps the relays that were wired to another machine as those of this one, or removes them. */
  async function decideRelays(decision: RelayDecision, by: ActorContext): Promise<HardwareChange> {
    requireUnchanging();
    const ports = [...hardware.merged.otherMachine].filter((port) => !hardware.isWaiting(port));
    if (ports.length === 0) throw refusals.noOtherMachine();
    const settled = new Map<string, PinRelay | null>();
    const entries = hardware.merged.entries.flatMap((entry) => {
      if (entry.kind !== 'relay' || !ports.includes(entry.port)) return entry;
      const relay = decision === 'remove' ? null : toOwnRelay(entry, identity);
      settled.set(entry.port, relay);
      return relay ?? [];
    });
    const next = live.merge(entries);
    const declared = live.declare(next);
    await apply(next, ports, () =>
      database.requireEngine().taps.pinEntries.settle({ settled, declared }, by),
    );
    return changed(null);
  }

  /** An open valve must not be shut by a change: somebody pours there. */
  function requireShut(next: MergedHardware): void {
    const relays = hardware.toggles().map(({ port }) => fullName(port));
    const released = pins.canChange() ? pins.released(next) : new Set<string>();
    const open = relays.find((relay) => released.has(relay) && pins.toggles.isOpen(relay));
    if (open !== undefined) throw refusals.relayIsOpen(open);
  }

  return {
    snapshot: () =>
      hardwareSnapshot({
        config,
        hardware,
        header,
        models,
        driver: pins.input.driver,
        faults: pins.input.faults,
        probes: thermo.knownSensors().map(({ name, tempC, isStale }) => ({
          name,
          tempC: isStale ? null : tempC,
          isFixed: fixedSensors.has(name),
        })),
        isRestartNeeded: hardware.isRestartNeeded,
        canRestart: isSupervised,
      }),

    async add(fields, by) {
      const entry = newEntry(
        fields,
        [...fixedPorts, ...hardware.merged.entries.map(({ port }) => port)],
        identity,
      );
      return { port: entry.port, ...(await replace({ before: null, after: entry }, by)) };
    },

    async change(kind, port, fields, by) {
      const before = requireEntry(kind, port);
      return replace({ before, after: changedEntry(before, fields, identity) }, by);
    },

    async remove(kind, port, by) {
      return replace({ before: requireEntry(kind, port), after: null }, by);
    },

    decideRelays,

    async undo(changeId, by) {
      const { before, after } = database.requireEngine().taps.pinEntries.requireUndoable(changeId);
      return replace({ before: after, after: before, undoes: changeId }, by);
    },

    restart({ actor, now }) {
      if (!isSupervised) throw refusals.noServiceManager();
      const subject = { kind: 'site', id: 1 };
      database.requireEngine().audit.record({ actor, action: 'site.restarted', subject }, now);
      log.info('restarting: a superuser asked for it');
      scheduler.after(restartDelayMs, stop);
    },
  };
}

/** The entries with `after` in the place of `before`, or at the end. */
function withEntry(
  entries: readonly PinEntry[],
  before: PinEntry | null,
  after: PinEntry | null,
): readonly PinEntry[] {
  if (before === null) return after === null ? entries : [...entries, after];
  return entries.flatMap((entry) => (entry.port === before.port ? (after ?? []) : entry));
}
