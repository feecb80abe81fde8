import { defaultTicksPerMl } from '../../core/pours/calibration.ts';
import type { Controller } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';
import { validateControllerName, validateText, validateTicksPerMl } from '../shared/bounds.ts';
import { addTap } from './tap-fields.ts';

/** Hardware declared in the configuration file or chosen on the page; a tap without a port has no meter, toggle or sensor there. */
export interface HardwareDeclaration {
  readonly controller: { readonly name: string; readonly modelName: string; readonly serialNumber?: string };
  readonly meters: readonly DeclaredMeter[];
  readonly toggles: readonly { readonly portName: string }[];
  readonly taps: readonly DeclaredTap[];
  /** Ports of `meters` and `toggles` that were chosen on the page, not declared in the file. */
  readonly chosenPorts?: readonly string[];
}

interface DeclaredMeter {
  readonly portName: string;
  readonly ticksPerMl: number | null;
  /** Standard uncertainty of the factor by its model, as a share; that known before unless given. */
  readonly uModel?: number;
  /** Ticks per second of an open tap by its model, null without a model; that known before unless given. */
  readonly modelHz?: number | null;
  /** Least flow of its model's range, mL/s; null where it is not known. */
  readonly leastMlPerS?: number | null;
  /** The factor of its model, null without a model; as known before unless `modelHz` is given. */
  readonly modelTicksPerMl?: number | null;
}

interface DeclaredTap {
  readonly name: string;
  readonly meterPort?: string;
  readonly togglePort?: string;
  readonly thermoSensor?: string;
}

/**
 * Stores the declared hardware in the database, inside the caller's transaction. Running it twice changes
 * nothing.
 */
export function provision(store: Store, declared: HardwareDeclaration): void {
  const controller = findOrAddController(store, declared.controller);
  for (const meter of declared.meters) declareMeter(store, controller, meter);
  for (const { portName } of declared.toggles) {
    if (store.taps.toggles.byPort(controller.id, portName) === null) {
      store.taps.toggles.add(controller.id, validateText('port', portName, { max: 128 }));
    }
  }
  declared.taps.forEach((tap, position) => {
    declareTap(store, controller, tap, position);
  });
}

function findOrAddController(store: Store, declared: HardwareDeclaration['controller']): Controller {
  const name = validateControllerName(declared.name);
  const modelName = validateText('model_name', declared.modelName, { min: 0, max: 128 }) || null;
  const serialNumber =
    validateText('serial_number', declared.serialNumber ?? '', { min: 0, max: 128 }) || null;
  const existing = store.controllers.byName(name);
  if (existing === null) return store.controllers.add({ name, modelName, serialNumber });
  if (existing.modelName !== modelName || existing.serialNumber !== serialNumber) {
    store.controllers.describe(existing.id, modelName, serialNumber);
  }
  return existing;
}

/**
 * A calibration set on the web page is kept until the configuration file has another value than at the last
 * start.
 */
function declareMeter(
  store: Store,
  controller: Controller,
  { portName, ticksPerMl, uModel, modelHz, leastMlPerS = null, modelTicksPerMl = null }: DeclaredMeter,
): void {
  const configured = ticksPerMl === null ? null : validateTicksPerMl(ticksPerMl);
  const port = validateText('port', portName, { max: 128 });
  const existing = store.taps.meters.byName(`${controller.name}.${port}`);
  const meter =
    existing ??
    store.taps.meters.add({
      controllerId: controller.id,
      portName: port,
      ticksPerMl: configured ?? defaultTicksPerMl,
      calibrated: configured !== null,
    });
  if (uModel !== undefined) store.taps.meterEvidence.setModel(meter.id, uModel);
  if (modelHz !== undefined) store.taps.meters.setModel(meter.id, { modelHz, leastMlPerS, modelTicksPerMl });
  if (store.taps.meters.declaredTicksPerMl(meter.id) === configured) return;
  if (configured !== null) store.taps.meters.calibrate(meter.id, configured);
  store.taps.meters.declareTicksPerMl(meter.id, configured);
}

/** A tap is created once. Later only values that changed in the configuration file are applied. */
function declareTap(store: Store, controller: Controller, tap: DeclaredTap, position: number): void {
  const name = validateText('name', tap.name, { max: 128 });
  const meter =
    tap.meterPort === undefined ? null : store.taps.meters.byName(`${controller.name}.${tap.meterPort}`);
  const key = meter === null ? `tap ${name}` : `meter ${meter.name}`;
  const togglePort = tap.togglePort ?? null;
  const thermoSensor = tap.thermoSensor ?? null;
  const previous = store.taps.declared(key);
  // The tap was deleted on the web page: do not create it again.
  if (previous !== null && previous.tapId === null) return;
  const tapId = previous?.tapId ?? meter?.tapId ?? addTap(store, { name, sortOrder: position });
  if (previous === null && meter !== null && meter.tapId === null) store.taps.meters.bind(meter.id, tapId);
  if (previous !== null && previous.name !== name) store.taps.change(tapId, { name });
  if ((previous?.togglePort ?? null) !== togglePort) bindToggle(store, controller, tapId, togglePort);
  if ((previous?.thermoSensor ?? null) !== thermoSensor) bindSensor(store, tapId, thermoSensor);
  store.taps.declare({ key, tapId, name, togglePort, thermoSensor });
}

function bindToggle(store: Store, controller: Controller, tapId: number, port: string | null): void {
  store.taps.toggles.unbindTap(tapId);
  const toggle = port === null ? null : store.taps.toggles.byPort(controller.id, port);
  if (toggle !== null) store.taps.toggles.bind(toggle.id, tapId);
}

function bindSensor(store: Store, tapId: number, name: string | null): void {
  if (name === null) {
    store.taps.setSensor(tapId, null);
    return;
  }
  const rawName = validateText('thermo', name, { max: 256 });
  const sensor = store.temperatures.byRawName(rawName) ?? store.temperatures.add(rawName);
  store.taps.setSensor(tapId, sensor.id);
}
