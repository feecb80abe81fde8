import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/clock/moment.ts';
import type { MeterCurve } from '../../core/measurement/meter-curve.ts';
import type { MeasuredBy } from '../../core/measurement/uncertainty.ts';
import type { PinEntry, PinRelay } from '../../core/taps/pin-entries.ts';
import type { LearningState } from '../../store/taps/meter-evidence-table.ts';
import type { ActorContext } from '../shared/actor-context.ts';
import { writeAudit } from '../shared/audit.ts';
import { change, type EngineParts } from '../shared/parts.ts';
import type { Hardware } from './hardware.ts';
import { forgetMeasured } from './meter-replacement.ts';
import { type HardwareDeclaration, provision } from './provision.ts';

/** What the record of a meter or relay has besides its name. */
interface PinRecord {
  readonly tapId: number | null;
  readonly ticksPerMl?: number;
  readonly calibrated?: boolean;
  readonly uFactor?: number | null;
  readonly measuredBy?: MeasuredBy | null;
  readonly uLagS?: number | null;
  readonly curve?: MeterCurve | null;
  /** Id and learning of a meter: a restored one gets its evidence back. */
  readonly id?: number;
  readonly learning?: LearningState | null;
}

/** An entry with its record, as an undo restores them; both null when there is none. */
interface PinState {
  readonly entry: PinEntry | null;
  readonly record: PinRecord | null;
}

/** A replacement of one entry: one of both may be null. */
interface PinReplacement {
  readonly before: PinEntry | null;
  readonly after: PinEntry | null;
  /** The hardware of settings file and database after it. */
  readonly declared: HardwareDeclaration;
  /** Id of the change that it undoes. */
  readonly undoes?: number;
}

/** What becomes of relays that were wired to another machine. */
interface SettledRelays {
  /** By port: the relay as one of this machine; null to remove it. */
  readonly settled: ReadonlyMap<string, PinRelay | null>;
  /** The hardware of settings file and database after it. */
  readonly declared: HardwareDeclaration;
}

/** The newest change, if it can be undone. */
export interface UndoablePinChange {
  readonly id: number;
  readonly before: PinEntry | null;
  readonly after: PinEntry | null;
}

/** Meters and relays on pins of this machine that superusers chose on the page. */
export function createPinEntries(parts: EngineParts, hardware: Pick<Hardware, 'claim'>) {
  const { store } = parts;

  function findRecord(controller: string, entry: PinEntry): { id: number; record: PinRecord } | null {
    if (entry.kind === 'meter') {
      const meter = store.taps.meters.byName(`${controller}.${entry.port}`);
      if (meter === null) return null;
      const { id, tapId, ticksPerMl, calibrated, uFactor, measuredBy, uLagS, curve } = meter;
      const learning = store.taps.meterEvidence.state(id);
      return {
        id,
        record: { tapId, ticksPerMl, calibrated, uFactor, measuredBy, uLagS, curve, id, learning },
      };
    }
    const owner = store.controllers.byName(controller);
    const toggle = owner === null ? null : store.taps.toggles.byPort(owner.id, entry.port);
    return toggle && { id: toggle.id, record: { tapId: toggle.tapId } };
  }

  function removeRecord(controller: string, entry: PinEntry): void {
    const found = findRecord(controller, entry);
    if (found === null) return;
    if (entry.kind === 'meter') store.taps.meters.remove(found.id);
    else store.taps.toggles.remove(found.id);
  }

  /** Gives the record its tap and calibration back; a tap that has got another one since keeps that. */
  function restoreRecord(controller: string, entry: PinEntry, { tapId, ...calibration }: PinRecord): void {
    const found = findRecord(controller, entry);
    if (found === null) return;
    const table = entry.kind === 'meter' ? store.taps.meters : store.taps.toggles;
    const tap = tapId === null ? null : store.taps.byId(tapId);
    if (tap !== null && found.record.tapId === null && table.byTap(tap.id) === null)
      table.bind(found.id, tap.id);
    const { ticksPerMl, calibrated, curve = null, id: formerId, learning } = calibration;
    if (entry.kind !== 'meter' || ticksPerMl === undefined || calibrated === undefined) return;
    const { uFactor = null, measuredBy = null, uLagS = null } = calibration;
    store.taps.meters.restoreCalibration({
      id: found.id,
      ticksPerMl,
      calibrated,
      uFactor,
      measuredBy,
      uLagS,
    });
    store.taps.meters.setCurve(found.id, curve, ticksPerMl);
    if (formerId !== undefined && formerId !== found.id)
      store.taps.meterEvidence.takeOver(found.id, formerId);
    if (learning) store.taps.meterEvidence.restoreState(found.id, learning);
  }

  /** What was measured of one model says nothing of another. */
  function startWithModel({ controller, meters }: HardwareDeclaration, entry: PinEntry, now: Moment): void {
    const meter = store.taps.meters.byName(`${controller.name}.${entry.port}`);
    const declared = meters.find(({ portName }) => portName === entry.port);
    if (meter === null || declared === undefined) return;
    forgetMeasured(store, meter, now);
    store.taps.meterEvidence.setModel(meter.id, declared.uModel ?? null);
  }

  function undoable(): UndoablePinChange | null {
    const newest = store.taps.pinEntries.newestChange();
    if (newest === null || newest.undoneBy !== null) return null;
    const { entry: before } = JSON.parse(newest.before) as PinState;
    const { entry: after } = JSON.parse(newest.after) as PinState;
    return { id: newest.id, before, after };
  }

  return {
    /** In the order they were added. */
    list: (): readonly PinEntry[] => store.taps.pinEntries.all(),

    /** Id of the newest change; null when there is none, or it has been undone. */
    undoable: (): number | null => undoable()?.id ?? null,

    /** The newest change. Throws `conflict` unless it is that of the id and can be undone, `not_found` for an unknown id. */
    requireUndoable(id: number): UndoablePinChange {
      const newest = store.taps.pinEntries.newestChange();
      if (newest === null || id > newest.id)
        throw new AppError('not_found', `There is no hardware change ${id}.`);
      if (id < newest.id) {
        throw new AppError('conflict', 'The hardware was changed again since: undo that change first.', {
          reason: { name: 'hardware_changed_since' },
        });
      }
      const change = undoable();
      if (change === null)
        throw new AppError('conflict', 'This change is undone already.', {
          reason: { name: 'already_undone' },
        });
      return change;
    },

    /**
     * Stores a changed entry with its meter or toggle. One that is taken away loses its record, and so its tap; an undo gives
     * it back. Returns the id of the audit entry.
     */
    replace({ before, after, declared, undoes }: PinReplacement, { actor, now }: ActorContext): number {
      const controller = declared.controller.name;
      const either = (after ?? before)!;
      const state = (entry: PinEntry | null): PinState => ({
        entry,
        record: findRecord(controller, either)?.record ?? null,
      });
      const work = (): number => {
        const undone = undoes === undefined ? null : store.taps.pinEntries.newestChange();
        const was = state(before);
        if (after === null) store.taps.pinEntries.remove(either.port);
        else store.taps.pinEntries.save(after);
        provision(store, declared);
        if (hasOtherModel(before, after)) startWithModel(declared, either, now);
        const target = undone === null ? null : (JSON.parse(undone.before) as PinState);
        if (after === null && (target === null || target.record === null)) removeRecord(controller, either);
        else if (target?.record) restoreRecord(controller, either, target.record);
        const verb =
          undone !== null ? 'undone' : before === null ? 'added' : after === null ? 'removed' : 'changed';
        const is = state(after);
        const id = writeAudit(
          store,
          {
            actor,
            action: `pin.${verb}`,
            before: toAudit(before),
            after: toAudit(after),
            subject: pinSubject(controller, either.port),
          },
          now,
        );
        if (undone === null)
          store.taps.pinEntries.addChange({ id, before: JSON.stringify(was), after: JSON.stringify(is) });
        else store.taps.pinEntries.setUndone(undone.id, id);
        return id;
      };
      const id = change(parts, work, after === null ? 'removal' : 'change');
      hardware.claim(declared);
      return id;
    },

    /** Stores the relays of another machine as those of this one, or removes them. No earlier change can be undone then. */
    settle({ settled, declared }: SettledRelays, { actor, now }: ActorContext): void {
      const controller = declared.controller.name;
      const entries = new Map(store.taps.pinEntries.all().map((entry) => [entry.port, entry]));
      const work = (): void => {
        for (const [port, relay] of settled) {
          const before = entries.get(port) ?? null;
          if (relay === null) {
            store.taps.pinEntries.remove(port);
            if (before !== null) removeRecord(controller, before);
          } else store.taps.pinEntries.save(relay);
          const action = relay === null ? 'pin.removed' : 'pin.confirmed';
          writeAudit(
            store,
            {
              actor,
              action,
              before: toAudit(before),
              after: toAudit(relay),
              subject: pinSubject(controller, port),
            },
            now,
          );
        }
        provision(store, declared);
        store.taps.pinEntries.removeChanges();
      };
      const isRemoval = [...settled.values()].every((relay) => relay === null);
      change(parts, work, isRemoval ? 'removal' : 'change');
      hardware.claim(declared);
    },
  };
}

const hasOtherModel = (before: PinEntry | null, after: PinEntry | null): boolean =>
  before?.kind === 'meter' && after?.kind === 'meter' && before.model !== after.model;

const pinSubject = (controller: string, port: string) => ({
  kind: 'pin' as const,
  id: `${controller}.${port}`.slice(0, 64),
});

/** The entry without the mark of its machine, which tells people nothing. */
function toAudit(entry: PinEntry | null): object | undefined {
  if (entry === null) return undefined;
  if (entry.kind === 'meter') return entry;
  const { machine: _mark, ...shown } = entry;
  return shown;
}
