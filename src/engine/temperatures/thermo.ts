import type { Moment } from '../../core/clock/moment.ts';
import type { ThermoLog, ThermoSensor } from '../../core/records.ts';
import { applyOffset, maxTempC, minTempC } from '../../core/temperatures/thermo-rules.ts';
import type { Store } from '../../store/store.ts';
import { type ActorContext, auditedChange } from '../shared/actor-context.ts';
import { requireFound, validateNumber, validateText, validationError } from '../shared/bounds.ts';
import { change, type EngineParts } from '../shared/parts.ts';
import type { TapRef } from '../shared/views.ts';
import { correctableDeviceChange } from '../taps/device-corrections.ts';
import { parseId } from '../taps/taps.ts';

export type Thermo = ReturnType<typeof createThermo>;

/** Editable fields of a thermo sensor. */
interface SensorRequest {
  /** Name on the bus or given by the sender; unique. */
  readonly rawName: string;
  /** Display name; may be empty. */
  readonly niceName?: string;
  /** What it measures besides taps, such as a fridge; may be empty. */
  readonly place?: string;
  /** Added to each reading from now on, °C; stored readings stay. */
  readonly offsetC?: number;
}

/** Fields of a change; `tapIds` are the taps whose temperature it measures, others lose it. */
interface SensorChange extends Partial<SensorRequest> {
  readonly tapIds?: readonly number[];
}

/** Largest correction, °C: a sensor that is wrong by more is broken or in the wrong place. */
const maxOffsetC = 10;

const minuteMs = 60_000;

/** How long the deletion of a sensor can be undone. */
const undoableMs = 7 * 86_400_000;

export function createThermo(parts: EngineParts) {
  const { store, hooks } = parts;

  const sensor = (id: number): ThermoSensor =>
    requireFound(store.temperatures.byId(id), `thermo sensor ${id}`);
  const entry = (action: string, id: number) => ({
    action,
    kind: 'thermo_sensor',
    id,
    snapshot: store.temperatures.byId,
  });
  const write = (name: string, tempC: number, at: Moment) => {
    const sensor = findSensor(store, name) ?? store.temperatures.add(name);
    const timeMs = Math.floor(at.wallMs / minuteMs) * minuteMs;
    const log = store.temperatures.log({ sensorId: sensor.id, tempC, timeMs });
    store.provisionalTimes.note('thermo_log', log.id, at);
    if (at.synced) store.site.raiseNewestSynced(at.wallMs);
    return { sensor, log };
  };
  const findOffset = (name: string): number => findSensor(store, name)?.offsetC ?? 0;
  const check = (reading: { readonly sensor: string; readonly tempC: number }) => ({
    name: validateText('sensor', reading.sensor, { max: 256, from: 'device' }),
    tempC: validateNumber('temp_c', reading.tempC, { min: minTempC, max: maxTempC }),
  });

  return {
    /**
     * Stores one row per sensor and minute, the latest received wins. The sensor is named as for `find`; an
     * unknown one is created under that name. −50…125 °C; the sensor's offset is added.
     */
    log(
      reading: { readonly sensor: string; readonly tempC: number },
      now: Moment,
    ): { readonly sensor: ThermoSensor; readonly log: ThermoLog } {
      const { name, tempC } = check(reading);
      return change(parts, () => write(name, applyOffset(tempC, findOffset(name)), now), 'temperature');
    },

    /** What is added to each reading of the sensor, °C; 0 for an unknown one. */
    findOffset,

    /** Readings of our own sensors, to which their offsets were added, in one transaction. */
    logAll(
      readings: readonly { readonly sensor: string; readonly tempC: number; readonly at: Moment }[],
    ): void {
      const checked = readings.map((reading) => ({ ...check(reading), at: reading.at }));
      if (checked.length === 0) return;
      change(
        parts,
        () => {
          for (const { name, tempC, at } of checked) write(name, tempC, at);
          hooks.temperaturesRead(checked);
        },
        'temperature',
      );
    },

    /** By id, or by text: raw name, nice name or the decimal text of its id, in this order. */
    find(ref: TapRef): { readonly sensor: ThermoSensor; readonly last: ThermoLog | null } | null {
      const sensor = findSensor(store, ref);
      return sensor === null ? null : { sensor, last: store.temperatures.last(sensor.id) };
    },
    sensors: (): readonly ThermoSensor[] => store.temperatures.all(),

    /** A reading by its id; null for one that was deleted or summarized with its hour. */
    reading: (id: number): ThermoLog | null => store.temperatures.logById(id),

    /** A duplicate raw name is refused. */
    create: (request: SensorRequest, context?: ActorContext): ThermoSensor =>
      auditedChange(
        parts,
        context,
        { ...entry('thermo_sensor.created', 0), id: (created: ThermoSensor) => created.id },
        () => {
          const fields = validateSensor(store, request);
          const { id } = store.temperatures.add(fields.rawName);
          store.temperatures.change(id, fields);
          return sensor(id);
        },
      ),
    /** Can be undone. */
    change: (id: number, { tapIds, ...fields }: SensorChange, context?: ActorContext): ThermoSensor =>
      correctableDeviceChange(
        parts,
        context,
        { action: 'thermo_sensor.changed', kind: 'thermo_sensor', id },
        () => {
          const { id: _id, ...current } = sensor(id);
          store.temperatures.change(id, validateSensor(store, { ...current, ...fields }, id));
          if (tapIds !== undefined) setTaps(store, id, tapIds);
          return sensor(id);
        },
      ),

    /**
     * Deletes its readings and disconnects it from taps; can be undone for a week. A sensor that keeps measuring is created
     * again by its next reading.
     */
    remove: (id: number, context?: ActorContext): void =>
      correctableDeviceChange(
        parts,
        context,
        { action: 'thermo_sensor.deleted', kind: 'thermo_sensor', id },
        () => {
          sensor(id);
          if (context !== undefined)
            store.temperatures.deleted.store(id, Math.max(0, Math.round(context.now.wallMs)));
          store.temperatures.removeSensor(id);
        },
      ),

    /** Removes the readings of sensors that were deleted more than a week ago. */
    purgeDeleted(now: Moment): void {
      // With an unset clock, a deletion that looks old may be from today.
      if (now.synced)
        store.transaction(() => store.temperatures.deleted.removeBefore(now.wallMs - undoableMs));
    },
  };
}

/** Gives the taps this sensor, and takes it from the others. */
function setTaps(store: Store, sensorId: number, tapIds: readonly number[]): void {
  const missing = tapIds.some((id) => store.taps.byId(id) === null);
  if (missing) throw validationError('tap_ids', 'must be ids of taps', { name: 'exists', what: 'tap' });
  for (const { id, thermoSensorId } of store.taps.all()) {
    const isMeasured = tapIds.includes(id);
    if (isMeasured !== (thermoSensorId === sensorId)) {
      store.taps.setSensor(id, isMeasured ? sensorId : null);
    }
  }
}

/** `ownId` is the sensor being changed. */
function validateSensor(
  store: Store,
  { rawName, niceName = '', place = '', offsetC = 0 }: SensorRequest,
  ownId?: number,
) {
  const validated = {
    rawName: validateText('raw_name', rawName, { max: 256 }),
    niceName: validateText('nice_name', niceName, { min: 0, max: 128 }),
    place: validateText('place', place, { min: 0, max: 128 }),
    offsetC: validateNumber('offset_c', offsetC, { min: -maxOffsetC, max: maxOffsetC }),
  };
  const other = store.temperatures.byRawName(validated.rawName);
  if (other !== null && other.id !== ownId)
    throw validationError('raw_name', 'is taken by another thermo sensor', { name: 'taken' });
  return validated;
}

function findSensor(store: Store, ref: TapRef): ThermoSensor | null {
  const id = parseId(ref);
  const byId = () => (id === null ? null : store.temperatures.byId(id));
  // An unnamed sensor has an empty nice name, which must not match an empty text.
  if (typeof ref === 'number' || ref === '') return byId();
  // A sender's name takes precedence, whatever ids are assigned later.
  return store.temperatures.byRawName(ref) ?? store.temperatures.byNiceName(ref) ?? byId();
}
