import { omitUndefined } from '../../core/omit-undefined.ts';
import { defaultTicksPerMl } from '../../core/pours/calibration.ts';
import type { Controller, FlowMeter, FlowToggle } from '../../core/records.ts';
import { type HardwareTexts, hardwareTexts, meterFields } from '../../core/taps/meter-record.ts';
import type { Store } from '../../store/store.ts';
import { type ActorContext, auditedChange } from '../shared/actor-context.ts';
import {
  requireFound,
  validateControllerName,
  validateNew,
  validateText,
  validateTicksPerMl,
  validationError,
} from '../shared/bounds.ts';
import { change, type EngineParts } from '../shared/parts.ts';
import { correctableDeviceChange } from './device-corrections.ts';
import { HardwareClaims, type PluggedInBoard } from './hardware-claims.ts';
import { type MeterReplacement, replaceMeter } from './meter-replacement.ts';
import { type PartMove, requireMovable } from './moved-parts.ts';
import { type HardwareDeclaration, provision } from './provision.ts';

/** Fields of a controller. */
interface ControllerRequest extends Partial<HardwareTexts> {
  /** Unique, without a dot. */
  readonly name: string;
  readonly modelName?: string;
  readonly serialNumber?: string;
}

/** Changes of a flow meter. */
interface MeterChange extends Partial<HardwareTexts & Pick<FlowMeter, 'portName' | 'ticksPerMl'>> {
  /** Its tap, which loses its present meter; null for none. */
  readonly tapId?: number | null;
  /** True takes it from the tap that it serves; default false: refused. */
  readonly moves?: boolean;
}

export type Hardware = ReturnType<typeof createHardware>;

export function createHardware(parts: EngineParts) {
  const { store } = parts;
  const claims = new HardwareClaims();
  const controller = (id: number): Controller => requireFound(store.controllers.byId(id), `controller ${id}`);
  const meter = (id: number): FlowMeter => requireFound(store.taps.meters.byId(id), `flow meter ${id}`);
  const toggle = (id: number): FlowToggle => requireFound(store.taps.toggles.byId(id), `flow toggle ${id}`);

  const snapshots = {
    controller: store.controllers.byId,
    flow_meter: store.taps.meters.byId,
    flow_toggle: store.taps.toggles.byId,
  };
  const entry = (kind: keyof typeof snapshots, verb: string, id: number) => ({
    action: `${kind}.${verb}`,
    kind,
    id,
    snapshot: snapshots[kind],
  });
  const correctable = (kind: keyof typeof snapshots, verb: string, id: number) => ({
    action: `${kind}.${verb}`,
    kind,
    id,
  });
  const created = (kind: keyof typeof snapshots) => ({
    ...entry(kind, 'created', 0),
    id: (part: { readonly id: number }) => part.id,
  });

  const createController = (request: ControllerRequest): Controller => {
    const validated = validateController(request);
    if (store.controllers.byName(validated.name) !== null) throw nameTakenError();
    const { id } = store.controllers.add(validated);
    store.controllers.change({ id, ...validated });
    return controller(id);
  };

  return {
    /**
     * Creates declared controllers, meters, toggles and taps. Changes made on a page stay; changes of the
     * configuration file since it was last read are applied.
     */
    provision(declared: HardwareDeclaration): void {
      change(parts, () => provision(store, declared), 'operation');
      claims.claimDeclared(declared);
    },

    /** Replaces the names that settings file and pins of this machine use. */
    claim: (declared: HardwareDeclaration): void => claims.claimDeclared(declared),

    /** Registers a board found on a serial port; stored values of a known board stay. */
    registerBoard(board: PluggedInBoard): void {
      const { name, modelName, serialNumber } = board;
      change(parts, () => {
        const { id } =
          store.controllers.byName(name) ??
          createController({ name, modelName, ...(serialNumber && { serialNumber }) });
        for (const portName of board.meters) {
          if (store.taps.meters.byName(`${name}.${portName}`) === null)
            addMeter(store, id, validatePortName(portName));
        }
        for (const portName of board.toggles) {
          if (store.taps.toggles.byPort(id, portName) === null)
            store.taps.toggles.add(id, validatePortName(portName));
        }
      });
      claims.claimBoard(board);
    },

    controllers: store.cachedUntilWrite(() => store.controllers.all()),
    meters: (): readonly FlowMeter[] => store.taps.meters.all(),
    toggles: (): readonly FlowToggle[] => store.taps.toggles.all(),

    createController: (request: ControllerRequest, context?: ActorContext): Controller =>
      auditedChange(parts, context, created('controller'), () => createController(request)),

    /** The name of a configured or connected controller cannot be changed. Can be undone. */
    changeController: (id: number, fields: Partial<ControllerRequest>, context?: ActorContext): Controller =>
      correctableDeviceChange(parts, context, correctable('controller', 'changed', id), () => {
        const { name, modelName, serialNumber, niceName, notes } = controller(id);
        const words = { name, modelName: modelName ?? '', serialNumber: serialNumber ?? '', niceName, notes };
        const changed = validateController({ ...words, ...fields });
        if (changed.name !== name) {
          claims.requireUnclaimed(name);
          if (store.controllers.byName(changed.name) !== null) throw nameTakenError();
        }
        store.controllers.change({ id, ...changed });
        return controller(id);
      }),

    /**
     * Removes its meters, toggles and its access to this machine too; drinks stay. Refused like a name change. Can be undone, but a
     * network kegboard must be paired again.
     */
    removeController: (id: number, context?: ActorContext): void =>
      correctableDeviceChange(parts, context, correctable('controller', 'deleted', id), () => {
        claims.requireUnclaimed(controller(id).name);
        store.controllers.remove(id);
      }),

    /** Without `ticksPerMl`: the default, marked as uncalibrated. */
    createMeter(
      {
        controllerId,
        portName,
        ticksPerMl,
      }: {
        readonly controllerId: number;
        readonly portName: string;
        readonly ticksPerMl?: number;
      },
      context?: ActorContext,
    ): FlowMeter {
      const port = validatePortName(portName);
      const factor = ticksPerMl === undefined ? null : validateTicksPerMl(ticksPerMl);
      return auditedChange(parts, context, created('flow_meter'), () => {
        const { name } = requireOwner(store, controllerId);
        if (store.taps.meters.byName(`${name}.${port}`) !== null) throw portTakenError();
        return addMeter(store, controllerId, port, factor);
      });
    },

    /**
     * Changes the port, refused like a controller's name, the calibration, which affects later pours, the texts and the tap.
     * Can be undone.
     */
    changeMeter: (
      id: number,
      { portName, ticksPerMl, niceName, notes, tapId, moves }: MeterChange,
      context?: ActorContext,
    ): FlowMeter =>
      correctableDeviceChange(parts, context, correctable('flow_meter', 'changed', id), () => {
        const current = meter(id);
        if (portName !== undefined && validatePortName(portName) !== current.portName) {
          claims.requireUnclaimed(current.name);
          const { name } = controller(current.controllerId);
          if (store.taps.meters.byName(`${name}.${validatePortName(portName)}`) !== null)
            throw portTakenError();
          store.taps.meters.rename(id, validatePortName(portName));
        }
        if (ticksPerMl !== undefined) store.taps.meters.calibrate(id, validateTicksPerMl(ticksPerMl));
        if (niceName !== undefined || notes !== undefined)
          store.taps.meters.describe(
            id,
            validateTexts({ ...current, ...omitUndefined({ niceName, notes }) }),
          );
        if (tapId !== undefined) bindMeter(store, current, tapId, { moves });
        return meter(id);
      }),

    /** Another meter took its place: it forgets what was measured and learned. Can be undone. */
    replaceMeter: (id: number, replacement: MeterReplacement, context: ActorContext): FlowMeter =>
      replaceMeter(parts, id, replacement, context),

    /**
     * Disconnects it from its tap; drinks stay, and so does its lifetime total for a later meter of the same
     * name. Can be undone.
     */
    removeMeter: (id: number, context?: ActorContext): void =>
      correctableDeviceChange(parts, context, correctable('flow_meter', 'deleted', id), () => {
        claims.requireUnclaimed(meter(id).name);
        store.taps.meters.remove(id);
      }),

    createToggle(
      { controllerId, portName }: { readonly controllerId: number; readonly portName: string },
      context?: ActorContext,
    ): FlowToggle {
      const port = validatePortName(portName);
      return auditedChange(parts, context, created('flow_toggle'), () => {
        requireOwner(store, controllerId);
        if (store.taps.toggles.byPort(controllerId, port) !== null) throw portTakenError();
        return store.taps.toggles.add(controllerId, port);
      });
    },
    changeToggle: (
      id: number,
      { portName }: { readonly portName?: string | undefined },
      context?: ActorContext,
    ): FlowToggle =>
      correctableDeviceChange(parts, context, correctable('flow_toggle', 'changed', id), () => {
        const current = toggle(id);
        if (portName === undefined || validatePortName(portName) === current.portName) return current;
        claims.requireUnclaimed(current.name);
        if (store.taps.toggles.byPort(current.controllerId, validatePortName(portName)) !== null)
          throw portTakenError();
        store.taps.toggles.rename(id, validatePortName(portName));
        return toggle(id);
      }),
    /** Can be undone. */
    removeToggle: (id: number, context?: ActorContext): void =>
      correctableDeviceChange(parts, context, correctable('flow_toggle', 'deleted', id), () => {
        claims.requireUnclaimed(toggle(id).name);
        store.taps.toggles.remove(id);
      }),

    /** Ticks per millilitre, 0.001 to 1000. Affects later pours. */
    setCalibration(meterId: number, ticksPerMl: number): FlowMeter {
      const factor = validateTicksPerMl(ticksPerMl);
      return change(parts, () => {
        store.taps.meters.calibrate(meter(meterId).id, factor);
        return meter(meterId);
      });
    },
  };
}

function validateController({ name, modelName = '', serialNumber = '', ...texts }: ControllerRequest) {
  return {
    name: validateControllerName(name),
    modelName: validateText('model_name', modelName, { min: 0, max: 128 }) || null,
    serialNumber: validateText('serial_number', serialNumber, { min: 0, max: 128 }) || null,
    ...validateTexts(texts),
  };
}

const validateTexts = (texts: Partial<HardwareTexts>) => validateNew(hardwareTexts, texts);

function bindMeter(store: Store, present: FlowMeter, tapId: number | null, move: PartMove): void {
  const { id } = present;
  if (tapId === null) {
    store.taps.meters.unbind(id);
    return;
  }
  if (store.taps.byId(tapId) === null)
    throw validationError('tap_id', 'must be the id of a tap', { name: 'exists', what: 'tap' });
  requireMovable(store, 'meter', present, tapId, move);
  store.taps.meters.unbindTap(tapId);
  store.taps.meters.bind(id, tapId);
}

const validatePortName = (name: string): string =>
  validateText('port_name', name, { max: meterFields.portName.max });
const portTakenError = () => validationError('port_name', 'is taken on this controller', { name: 'taken' });
const nameTakenError = () => validationError('name', 'is taken by another controller', { name: 'taken' });

function addMeter(store: Store, controllerId: number, portName: string, factor: number | null = null) {
  const calibrated = factor !== null;
  return store.taps.meters.add({
    controllerId,
    portName,
    ticksPerMl: factor ?? defaultTicksPerMl,
    calibrated,
  });
}

function requireOwner(store: Store, id: number): Controller {
  const controller = Number.isSafeInteger(id) ? store.controllers.byId(id) : null;
  if (controller === null)
    throw validationError('controller', 'must be the id of a controller', {
      name: 'exists',
      what: 'controller',
    });
  return controller;
}
