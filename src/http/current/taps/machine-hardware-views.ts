import type { Static } from 'typebox';
import type { Engine } from '../../../engine/engine.ts';
import type { HardwareView, MeterModel, PinPart } from '../../hardware-ports.ts';
import { problemOrNull } from '../../routes/problem-json.ts';
import type { HardwareJson, MeterModelJson } from './machine-hardware-schemas.ts';

/** Both are enforced by every pin driver, see `devices/gpio/relay-guard.ts` and `toggle-rules.ts`. */
const relayLimits = { max_open_s: 3_600, shut_without_heartbeat_s: 2 };

/** The hardware with the ids of its records in the database. */
export function hardwareJson(engine: Engine, view: HardwareView): Static<typeof HardwareJson> {
  const meters = new Map(engine.taps.hardware.meters().map((one) => [one.name, one]));
  const toggles = new Map(engine.taps.hardware.toggles().map((one) => [one.name, one]));
  return {
    controller: view.controller,
    driver: view.driver,
    restart_needed: view.isRestartNeeded,
    can_restart: view.canRestart,
    undo_id: engine.taps.pinEntries.undoable(),
    meters: view.meters.map((meter) => {
      const record = meters.get(meter.name);
      return {
        ...partJson(meter),
        flow_meter_id: record?.id ?? null,
        tap_id: idText(record?.tapId),
        model: meter.model,
        ticks_per_ml: meter.ticksPerMl,
        min_gap_ms: meter.minGapMs,
        bias: meter.bias,
        edge: meter.edge,
      };
    }),
    relays: view.relays.map((relay) => {
      const record = toggles.get(relay.name);
      return {
        ...partJson(relay),
        flow_toggle_id: record?.id ?? null,
        tap_id: idText(record?.tapId),
        active_low: relay.activeLow,
        ...relayLimits,
      };
    }),
    probes: probesJson(engine, view),
    pins: view.pins.map(({ headerPin, usedBy, pin, use, also }) => ({
      pin,
      header_pin: headerPin,
      use,
      used_by: usedBy,
      also,
    })),
    models: view.models.map(modelJson),
  };
}

function probesJson(engine: Engine, { probes }: HardwareView): Static<typeof HardwareJson>['probes'] {
  const sensors = new Map(engine.temperatures.sensors().map((one) => [one.rawName, one]));
  const taps = engine.taps.list().map(({ tap }) => tap);
  return probes.map(({ name, tempC, isFixed }) => {
    const sensor = sensors.get(name);
    const tap = taps.find(({ thermoSensor }) => thermoSensor?.rawName === name);
    return {
      name,
      thermo_sensor_id: idText(sensor?.id),
      nice_name: sensor?.niceName ?? null,
      tap_id: idText(tap?.id),
      fixed: isFixed,
      temp_c: tempC,
    };
  });
}

const modelJson = ({ supply, wires, ...model }: MeterModel): Static<typeof MeterModelJson> => ({
  id: model.id,
  name: model.name,
  maker: model.maker,
  ticks_per_ml: model.ticksPerMl,
  max_hz: model.maxHz,
  min_gap_ms: model.minGapMs,
  min_l_per_min: model.minLPerMin,
  max_l_per_min: model.maxLPerMin,
  too_small: model.isTooSmall,
  accuracy_percent: model.accuracyPercent,
  repeatability_percent: model.repeatabilityPercent,
  min_supply_v: supply?.min ?? null,
  max_supply_v: supply?.max ?? null,
  output: model.output,
  supply_wire: wires?.supply ?? null,
  ground_wire: wires?.ground ?? null,
  signal_wire: wires?.signal ?? null,
  notes: model.notes,
});

const partJson = (part: PinPart & { readonly port: string; readonly pin: number }) => ({
  name: part.name,
  port: part.port,
  pin: part.pin,
  header_pin: part.headerPin,
  fixed: part.isFixed,
  state: part.state,
  problem: problemOrNull(part.problem),
});

const idText = (id: number | null | undefined): string | null =>
  id === null || id === undefined ? null : String(id);
