import { defaultTicksPerMl } from '../core/calibration.ts';
import type { Controller, FlowMeter, FlowToggle } from '../core/ledger.ts';
import type { Store } from '../store/store.ts';
import { calibrationIn, controllerName, found, misfit, textIn } from './bounds.ts';
import { change, type EngineParts } from './parts.ts';
import { type HardwareDeclaration, provision } from './provision.ts';

export interface Hardware {
  /**
   * Brings controllers, meters, toggles and new taps into the ledger. What people changed on a page stays; what the
   * configuration file changed since it was read last is applied.
   */
  provision(declared: HardwareDeclaration): void;
  controllers(): readonly Controller[];
  meters(): readonly FlowMeter[];
  toggles(): readonly FlowToggle[];
  createController(controller: {
    readonly name: string;
    readonly modelName?: string;
    readonly serialNumber?: string;
  }): Controller;
  /** Without `ticksPerMl`: the default, marked uncalibrated. */
  createMeter(meter: {
    readonly controllerId: number;
    readonly portName: string;
    readonly ticksPerMl?: number;
  }): FlowMeter;
  createToggle(toggle: { readonly controllerId: number; readonly portName: string }): FlowToggle;
  /** Ticks per millilitre, 0.001 to 1000. Acts on later pours. */
  setCalibration(meterId: number, ticksPerMl: number): FlowMeter;
}

export function createHardware(parts: EngineParts): Hardware {
  const { store } = parts;
  return {
    provision: (declared) => change(parts, () => provision(store, declared)),
    controllers: store.whileUnchanged(() => store.controllers.all()),
    meters: () => store.meters.all(),
    toggles: () => store.toggles.all(),

    createController({ name, modelName = '', serialNumber = '' }) {
      const fresh = {
        name: controllerName(name),
        modelName: textIn('model_name', modelName, { min: 0, max: 128 }) || null,
        serialNumber: textIn('serial_number', serialNumber, { min: 0, max: 128 }) || null,
      };
      return change(parts, () => {
        if (store.controllers.byName(fresh.name) !== null)
          throw misfit('name', 'is taken by another controller');
        return store.controllers.add(fresh);
      });
    },

    createMeter({ controllerId, portName, ticksPerMl }) {
      const port = textIn('port_name', portName, { max: 128 });
      const figure = ticksPerMl === undefined ? defaultTicksPerMl : calibrationIn(ticksPerMl);
      return change(parts, () => {
        const { name } = controllerOf(store, controllerId);
        if (store.meters.byName(`${name}.${port}`) !== null)
          throw misfit('port_name', 'is taken on this controller');
        return store.meters.add({
          controllerId,
          portName: port,
          ticksPerMl: figure,
          calibrated: ticksPerMl !== undefined,
        });
      });
    },

    createToggle({ controllerId, portName }) {
      const port = textIn('port_name', portName, { max: 128 });
      return change(parts, () => {
        controllerOf(store, controllerId);
        if (store.toggles.byPort(controllerId, port) !== null) {
          throw misfit('port_name', 'is taken on this controller');
        }
        return store.toggles.add(controllerId, port);
      });
    },

    setCalibration(meterId, ticksPerMl) {
      const figure = calibrationIn(ticksPerMl);
      return change(parts, () => {
        store.meters.calibrate(found(store.meters.byId(meterId), `flow meter ${meterId}`).id, figure);
        return store.meters.byId(meterId)!;
      });
    },
  };
}

function controllerOf(store: Store, id: number): Controller {
  const controller = Number.isSafeInteger(id) ? store.controllers.byId(id) : null;
  if (controller === null) throw misfit('controller', 'must be the id of a controller');
  return controller;
}
