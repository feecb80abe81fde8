import type { Moment } from '../../../core/clock/moment.ts';
import { tapState } from '../../../core/taps/tap-state.ts';
import { newestReading, type SensorReading } from '../../../core/temperatures/sensor-reading.ts';
import type { Engine, TapView } from '../../../engine/engine.ts';
import { roundMl, toBeverage, toIso, toKegLevel, toLitres, toUser } from './bar-payloads.ts';
import type { MachineStatePayload, SessionStatePayload, TapStatePayload } from './payload-schemas.ts';
import type { Topics } from './topics.ts';

/** What the daemon knows without the database. */
export interface BarSources {
  now(): Moment;
  /** Meters at which beer flows now. */
  pouringMeters(): ReadonlySet<string>;
  /** Relays that are open now. */
  openToggles(): ReadonlySet<string>;
  /** Latest temperatures by sensor; newer than the stored ones. */
  temperatures(): ReadonlyMap<string, SensorReading>;
  machine(): Omit<MachineStatePayload, 'site' | 'held_pours'>;
}

/** A retained message. */
export interface StateMessage {
  readonly topic: string;
  readonly payload: string;
}

interface StateOptions {
  readonly publishesState: boolean;
  readonly publishesMachine: boolean;
  readonly publishesNames: boolean;
}

/** The state of everything as retained messages. */
export function toStateMessages(
  engine: Engine,
  sources: BarSources,
  topics: Topics,
  options: StateOptions,
): StateMessage[] {
  const machine = options.publishesMachine ? [message(topics.state, machineState(engine, sources))] : [];
  return [...machine, ...toFlowMessages(engine, engine.taps.list(), sources, topics, options)];
}

/** The state of these taps and of the session. */
export function toFlowMessages(
  engine: Engine,
  views: readonly TapView[],
  sources: BarSources,
  topics: Topics,
  options: StateOptions,
): StateMessage[] {
  if (!options.publishesState) return [];
  const facts = {
    pouring: sources.pouringMeters(),
    open: sources.openToggles(),
    temperatures: sources.temperatures(),
    nowMs: sources.now().wallMs,
    publishesNames: options.publishesNames,
  };
  return [
    message(topics.session, sessionState(engine, sources.now())),
    ...views.flatMap((view) => tapMessages(tapPayload(engine, view, facts), topics)),
  ];
}

function tapMessages(state: TapStatePayload, topics: Topics): StateMessage[] {
  const { id, valve, remaining_l: remaining, percent, beverage } = state;
  return [
    message(topics.tapState(id), state),
    message(topics.tapPouring(id), state.pouring ? 'ON' : 'OFF'),
    ...(valve === null ? [] : [message(topics.tapValve(id), valve)]),
    ...(remaining === null ? [] : [message(topics.tapRemaining(id), String(remaining))]),
    ...(percent === null ? [] : [message(topics.tapPercent(id), String(percent))]),
    ...(beverage === null ? [] : [message(topics.tapBeverage(id), beverage.name)]),
  ];
}

const message = (topic: string, payload: string | object): StateMessage => ({
  topic,
  payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
});

interface TapFacts {
  readonly pouring: ReadonlySet<string>;
  readonly open: ReadonlySet<string>;
  readonly temperatures: ReturnType<BarSources['temperatures']>;
  readonly nowMs: number;
  readonly publishesNames: boolean;
}

function tapPayload(
  engine: Engine,
  { tap, state, keg, beverage, next, lastTemp }: TapView,
  { pouring, open, temperatures, nowMs, publishesNames }: TapFacts,
): TapStatePayload {
  const last = engine.taps.facts.lastDrink(tap.id);
  const sensor = tap.thermoSensor;
  const newest = sensor && newestReading(lastTemp, temperatures.get(sensor.rawName), nowMs);
  const tempC = newest === null || newest.isStale ? null : newest.tempC;
  const level = keg && toKegLevel(keg);
  const isPouring = tap.meter !== null && pouring.has(tap.meter.name);
  return {
    id: tap.id,
    name: tap.name,
    number: tap.number,
    state: tapState(state, isPouring),
    keg_id: keg?.id ?? null,
    remaining_l: level?.remaining_l ?? null,
    full_l: keg && toLitres(keg.fullVolumeMl),
    percent: level?.percent ?? null,
    beverage: beverage && toBeverage(beverage, engine),
    next: next && { name: next.beverage.name, producer: next.beverage.producer.name },
    pouring: isPouring,
    valve: tap.toggle && (open.has(tap.toggle.name) ? 'open' : 'closed'),
    temperature_c: tempC === null ? null : Math.round(tempC * 10) / 10,
    total_l: toLitres(engine.taps.facts.totalMl(tap.id)),
    last_pour: last && {
      drink_id: last.id,
      ml: roundMl(last.volumeMl),
      time: toIso(last.pourTimeMs),
      ...(publishesNames ? toUser(engine.drinks.get(last.id)?.drink ?? null, true) : {}),
    },
  };
}

function sessionState(engine: Engine, now: Moment): SessionStatePayload {
  const session = engine.drinks.events.currentSession(now);
  if (session === null) return { active: false, id: null, name: null, start: null, volume_l: null };
  const { id, name, startTimeMs, volumeMl } = session;
  return { active: true, id, name, start: toIso(startTimeMs), volume_l: toLitres(volumeMl) };
}

const machineState = (engine: Engine, sources: BarSources): MachineStatePayload => ({
  site: engine.users.site().title,
  ...sources.machine(),
  held_pours: engine.drinks.heldCount(),
});
