import type { EventBus } from '../core/event-bus.ts';
import type { Clock } from '../core/moment.ts';
import type { Delivery, Outbox, OutboxMessage } from '../engine/engine.ts';
import type { CarriedOutcome, Carrier } from './carrier.ts';
import { Pauses } from './pauses.ts';
import type { Log, Scheduler, Tell } from './ports.ts';

/** After a commit the messages of the moments after it go along; nobody waits for a mail by the tenth of a second. */
const gatherMs = 200;
/** How often what was put off is looked for. */
const lookMs = 10_000;
/** One receiver's messages between two notes of what became of them: each note is a write to the SD card. */
const batch = 20;
/** Receivers looked at in one go. */
const mostReceivers = 500;
/** A receiver that fails so often in a row is worth a word to the people of the house. */
const failuresToTell = 3;

export interface PumpParts {
  /** Null while the ledger cannot be opened. */
  readonly outbox: () => Outbox | null;
  readonly carriers: readonly Carrier[];
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** By kind of message. */
  readonly reportProblem: (kind: string) => Tell;
}

/** Drives what waits in the outbox out of the house. */
export interface Pump {
  /** Something may be waiting. Costs nothing now: the look itself comes a moment later. */
  wake(): void;
  /** What stood in the way of that kind has been put right: everything that waits is tried now. */
  retryNow(kind: string): void;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
  /** Lets go of everything under way, which is due again at the next start, and resolves soon, at `withinMs` at the latest. */
  stop(withinMs: number): Promise<void>;
}

/** Starts the pump. Whatever fails in here is told and tried again; nothing is thrown at anybody. */
export function startPump(parts: PumpParts): Pump {
  const { bus, clock, scheduler, log } = parts;
  /** One for each message under way: a signal that all of them shared would remember every one that ever was. */
  const underHand = new Set<AbortController>();
  let isEnding = false;
  const pauses = new Pauses();
  const lanes = new Map<string, Promise<void>>();
  const underWay = new Map<string, number>(parts.carriers.map(({ kind }) => [kind, 0]));
  const tells = new Map(parts.carriers.map(({ kind }) => [kind, parts.reportProblem(kind)]));
  /** What is wrong, by kind and by whom. */
  const troubles = new Map<string, Map<string, string>>(parts.carriers.map(({ kind }) => [kind, new Map()]));
  let callOff: (() => void) | null = null;

  function wake(): void {
    if (callOff !== null || isEnding) return;
    callOff = scheduler.after(gatherMs, () => {
      callOff = null;
      look();
    });
  }

  function look(): void {
    const outbox = parts.outbox();
    if (outbox === null || isEnding) return;
    try {
      if (!outbox.hasWaiting()) {
        // Where nothing waits, nobody is in the way of anything: what waited was thrown away.
        for (const [kind, told] of troubles) for (const who of [...told.keys()]) say(kind, who, null);
        return;
      }
      for (const carrier of parts.carriers) sendOut(outbox, carrier);
    } catch (err) {
      log.warn({ err }, 'the outbox cannot be read now');
    }
  }

  function sendOut(outbox: Outbox, carrier: Carrier): void {
    const { kind, mostAtOnce } = carrier;
    const now = clock.now();
    if (pauses.isResting(kind, now.monoMs)) return;
    for (const target of outbox.receivers(kind, now, mostReceivers)) {
      if (underWay.get(kind)! >= mostAtOnce) return;
      const lane = laneOf(kind, target);
      if (lanes.has(lane) || pauses.isResting(lane, now.monoMs)) continue;
      underWay.set(kind, underWay.get(kind)! + 1);
      // Not before this turn is over: a lane that ends at once must not end before it is known.
      lanes.set(
        lane,
        Promise.resolve().then(() => runLane(outbox, carrier, target)),
      );
    }
  }

  async function runLane(outbox: Outbox, carrier: Carrier, target: string): Promise<void> {
    const { kind } = carrier;
    const lane = laneOf(kind, target);
    const done: Delivery[] = [];
    try {
      for (const message of outbox.due({ kind, target }, clock.now(), batch)) {
        const outcome = await carry(carrier, message);
        if (isEnding && outcome.kind !== 'sent') break;
        done.push({ message, outcome: noted(carrier, message, outcome) });
        const mustPause = outcome.kind === 'failed' && !outcome.isFinal;
        if (mustPause || isEnding || pauses.isResting(kind, clock.now().monoMs)) break;
      }
    } catch (err) {
      pauses.failed(lane, clock.now().monoMs);
      log.warn({ err }, 'the outbox cannot be read now');
    }
    try {
      outbox.settle(done, clock.now());
    } catch (err) {
      // They stay due: at least once is the promise, and the receiver can tell by the id.
      pauses.failed(lane, clock.now().monoMs);
      log.warn({ err }, 'what has left cannot be noted down now, so it will leave again');
    }
    lanes.delete(lane);
    underWay.set(kind, underWay.get(kind)! - 1);
    wake();
  }

  async function carry(carrier: Carrier, message: OutboxMessage): Promise<CarriedOutcome> {
    const letGo = new AbortController();
    underHand.add(letGo);
    try {
      return await carrier.carry(message, letGo.signal);
    } catch (err) {
      log.error({ err, kind: message.kind, topic: message.topic }, 'a message could not be made');
      return {
        kind: 'failed',
        error: 'The message could not be made; the log says why.',
        isFinal: false,
        blame: 'message',
      };
    } finally {
      underHand.delete(letGo);
    }
  }

  /** Remembers who failed and for how long they are left alone. */
  function noted(carrier: Carrier, message: OutboxMessage, outcome: CarriedOutcome): Delivery['outcome'] {
    const { kind } = carrier;
    const lane = laneOf(kind, message.target);
    if (outcome.kind !== 'failed') {
      if (outcome.kind === 'sent')
        for (const who of [kind, lane]) if (pauses.worked(who)) say(kind, who, null);
      return outcome;
    }
    const { error, isFinal, blame, retryAfterMs = 0 } = outcome;
    // A final refusal is about this message; the one who refused it is well.
    const isRefusal = blame === 'message';
    const who = blame === 'carrier' ? kind : lane;
    const pauseMs =
      isFinal && isRefusal
        ? 0
        : pauses.failed(who, clock.now().monoMs, { isRefusal, atLeastMs: retryAfterMs });
    log.warn(
      { kind, topic: message.topic, id: message.id, error },
      isFinal ? 'a message was refused' : 'a message waits',
    );
    if (blame === 'carrier' || pauses.failures(who) >= failuresToTell) say(kind, who, error);
    return { kind: 'failed', error, isFinal, blame, pauseMs };
  }

  function say(kind: string, who: string, problem: string | null): void {
    const told = troubles.get(kind)!;
    if (problem === null) told.delete(who);
    else told.set(who, problem);
    tells.get(kind)!(told.size === 0 ? null : [...new Set(told.values())].join(' '));
  }

  const leave = [
    bus.on('drink.recorded', wake),
    bus.on('database.changed', wake),
    scheduler.every(lookMs, look),
  ];
  // What a power cut left behind is the first to go.
  wake();

  async function idle(): Promise<void> {
    while (lanes.size > 0) await Promise.all(lanes.values());
  }

  return {
    wake,
    idle,
    retryNow(kind) {
      pauses.forget(kind);
      parts.outbox()?.retryNow(kind);
      wake();
    },
    async stop(withinMs) {
      for (const done of leave) done();
      callOff?.();
      isEnding = true;
      for (const letGo of underHand) letGo.abort();
      let giveUp: () => void = () => {};
      const late = new Promise<void>((resolve) => {
        giveUp = scheduler.after(withinMs, resolve);
      });
      await Promise.race([idle(), late]);
      giveUp();
    },
  };
}

const laneOf = (kind: string, target: string): string => `${kind} ${target}`;
