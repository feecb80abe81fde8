import { createProblem, type Problem } from '../../../core/health/problems.ts';
import { defaultTicksPerMl } from '../../../core/pours/calibration.ts';
import type { Controller, MeterConfig } from '../../../core/records.ts';
import type { EngineParts } from '../../../engine/shared/parts.ts';
import type { Store } from '../../../store/store.ts';
import type { Kegboard } from '../core/kegboards.ts';
import type { KegboardStatus } from './kegboard-batch.ts';

/** Upper bound of meters, and of relays, per board. */
const maxPorts = 64;

/** A board's calibration factor is adopted when it differs by more than this rounding error. */
const calibrationTolerance = 1e-9;

export const meterPort = (number: number): string => `flow${number}`;
const relayPort = (number: number): string => `relay${number}`;

/**
 * Stores a board's reported meters and relays; its own calibration takes precedence until its meter was measured here. Returns
 * whether anything changed.
 */
export function updateInventory(store: Store, controller: Controller, status: KegboardStatus): boolean {
  let changed = false;
  for (const { meterNumber, mlPerTick } of status.meters ?? []) {
    const ticksPerMl = toTicksPerMl(mlPerTick);
    const meter = findOrAddMeter(store, controller, meterNumber, ticksPerMl);
    if (meter === null) continue;
    changed ||= meter.isNew;
    if (ticksPerMl === null || meter.uFactor !== null) continue;
    if (Math.abs(meter.ticksPerMl - ticksPerMl) <= calibrationTolerance) continue;
    store.taps.meters.calibrate(meter.id, ticksPerMl);
    changed = true;
  }
  for (const number of status.relayNumbers ?? []) {
    if (store.taps.toggles.byPort(controller.id, relayPort(number)) !== null) continue;
    if (ownToggles(store, controller).length >= maxPorts) break;
    store.taps.toggles.add(controller.id, relayPort(number));
    changed = true;
  }
  return changed;
}

/** The board's meter with this number, created if missing; null when the board has too many. */
export function findOrAddMeter(
  store: Store,
  controller: Controller,
  number: number,
  ticksPerMl: number | null = null,
): (MeterConfig & { readonly isNew: boolean }) | null {
  const existing = store.taps.meters.byName(`${controller.name}.${meterPort(number)}`);
  if (existing !== null) return { ...existing, isNew: false };
  if (ownMeters(store, controller).length >= maxPorts) return null;
  const meter = store.taps.meters.add({
    controllerId: controller.id,
    portName: meterPort(number),
    ticksPerMl: ticksPerMl ?? defaultTicksPerMl,
    calibrated: ticksPerMl !== null,
  });
  return { ...meter, isNew: true };
}

/**
 * The meters a grant may name, and the relays on their taps: a board rejects a grant that names others. Without those of taps
 * that are closed; `isClosed` when there are such.
 */
export function grantPorts(
  { store, hooks }: Pick<EngineParts, 'store' | 'hooks'>,
  board: Kegboard,
  controller: Controller,
) {
  const reported = ownMeters(store, controller).filter(({ port }) => isReported(board.meterNumbers, port));
  const meters = reported.filter(({ tapId }) => tapId === null || hooks.closedState(tapId) === null);
  const tapIds = new Set(meters.map(({ tapId }) => tapId));
  const relays = ownToggles(store, controller).filter(
    ({ port, tapId }) => tapId !== null && tapIds.has(tapId) && isReported(board.relayNumbers, port),
  );
  return {
    meterNumbers: meters.map(({ port }) => port),
    relayNumbers: relays.map(({ port }) => port),
    isClosed: meters.length < reported.length,
  };
}

/** Warnings about ports that are connected to a tap but no longer reported by the board. */
export function missingPorts(store: Store, board: Kegboard): readonly Problem[] {
  const controller = board.controllerId === null ? null : store.controllers.byId(board.controllerId);
  if (controller === null) return [];
  const missing = [
    ...ownMeters(store, controller).filter(({ port }) => !isReported(board.meterNumbers, port)),
    ...ownToggles(store, controller).filter(({ port }) => !isReported(board.relayNumbers, port)),
  ];
  return missing
    .filter(({ tapId }) => tapId !== null)
    .map(({ name }) => createProblem('kegboard_part_missing', { part: name }));
}

const isReported = (numbers: readonly number[] | null, port: number): boolean =>
  numbers === null || numbers.includes(port);

const ownMeters = (store: Store, { id }: Controller) =>
  store.taps.meters.all().flatMap((meter) => {
    const port = portNumber(meter.portName, 'flow');
    return meter.controllerId === id && port !== null ? [{ ...meter, port }] : [];
  });

const ownToggles = (store: Store, { id }: Controller) =>
  store.taps.toggles.all().flatMap((toggle) => {
    const port = portNumber(toggle.portName, 'relay');
    return toggle.controllerId === id && port !== null ? [{ ...toggle, port }] : [];
  });

function portNumber(portName: string, kind: 'flow' | 'relay'): number | null {
  const digits = portName.startsWith(kind) ? portName.slice(kind.length) : '';
  return /^\d{1,9}$/.test(digits) ? Number(digits) : null;
}

/** Converts to ticks per millilitre; null for an implausible value. */
function toTicksPerMl(mlPerTick: number): number | null {
  const ticksPerMl = 1 / mlPerTick;
  return ticksPerMl >= 0.001 && ticksPerMl <= 1_000 ? ticksPerMl : null;
}
