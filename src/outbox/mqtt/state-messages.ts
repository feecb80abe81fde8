import type { Moment } from '../../core/clock/moment.ts';
import type { Engine, TapView } from '../../engine/engine.ts';
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
  temperatures(): ReadonlyMap<string, { readonly tempC: number; readonly timeMs: number }>;
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
  const messages: StateMessage[] = [];
  const add = (topic: string, payload: string | object) =>
    void messages.push({ topic, payload: typeof payload === 'string' ? payload : JSON.stringify(payload) });
  if (options.publishesMachine) add(topics.state, machineState(engine, sources));
  if (!options.publishesState) return messages;
  add(topics.session, sessionState(engine, sources.now()));
  const flow = { pouring: sources.pouringMeters(), open: sources.openToggles() };
  const temperatures = sources.temperatures();
  for (const view of engine.taps.list()) {
    const state = tapState(engine, view, { ...flow, temperatures, ...options });
    const { id } = state;
    add(topics.tapState(id), state);
    add(topics.tapPouring(id), state.pouring ? 'ON' : 'OFF');
    if (state.valve !== null) add(topics.tapValve(id), state.valve);
    if (state.remaining_l !== null) add(topics.tapRemaining(id), String(state.remaining_l));
    if (state.percent !== null) add(topics.tapPercent(id), String(state.percent));
    if (state.beverage !== null) add(topics.tapBeverage(id), state.beverage.name);
  }
  return messages;
}

interface TapFacts {
  readonly pouring: ReadonlySet<string>;
  readonly open: ReadonlySet<string>;
  readonly temperatures: ReturnType<BarSources['temperatures']>;
  readonly publishesNames: boolean;
}

export function tapState(
  engine: Engine,
  { tap, keg, beverage, next, lastTemp }: TapView,
  { pouring, open, temperatures, publishesNames }: TapFacts,
): TapStatePayload {
  const last = engine.tapFacts.lastDrink(tap.id);
  const sensor = tap.thermoSensor;
  const tempC = sensor === null ? null : (temperatures.get(sensor.rawName)?.tempC ?? lastTemp?.tempC ?? null);
  const level = keg && toKegLevel(keg);
  return {
    id: tap.id,
    name: tap.name,
    number: tap.number,
    keg_id: keg?.id ?? null,
    remaining_l: level?.remaining_l ?? null,
    full_l: keg && toLitres(keg.fullVolumeMl),
    percent: level?.percent ?? null,
    beverage: beverage && toBeverage(beverage, engine),
    next: next && { name: next.beverage.name, producer: next.beverage.producer.name },
    pouring: tap.meter !== null && pouring.has(tap.meter.name),
    valve: tap.toggle && (open.has(tap.toggle.name) ? 'open' : 'closed'),
    temperature_c: tempC === null ? null : Math.round(tempC * 10) / 10,
    total_l: toLitres(engine.tapFacts.totalMl(tap.id)),
    last_pour: last && {
      drink_id: last.id,
      ml: roundMl(last.volumeMl),
      time: toIso(last.pourTimeMs),
      ...(publishesNames ? toUser(engine.drinks.get(last.id)?.drink ?? null, true) : {}),
    },
  };
}

function sessionState(engine: Engine, now: Moment): SessionStatePayload {
  const session = engine.events.currentSession(now);
  if (session === null) return { active: false, id: null, name: null, start: null, volume_l: null };
  const { id, name, startTimeMs, volumeMl } = session;
  return { active: true, id, name, start: toIso(startTimeMs), volume_l: toLitres(volumeMl) };
}

const machineState = (engine: Engine, sources: BarSources): MachineStatePayload => ({
  site: engine.users.site().title,
  ...sources.machine(),
  held_pours: engine.drinks.heldCount(),
});
