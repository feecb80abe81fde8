import type { ServerResponse } from 'node:http';
import { AppError } from '../../core/app-error.ts';
import type { EventBus } from '../../core/event-bus.ts';
import type { Scheduler } from '../ports.ts';
import { type LiveClient, liveClient } from './client.ts';
import type { HouseMessage, PourMessage } from './shapes.ts';

/** Pages and programs that may watch at the same time. */
const mostClients = 200;

/** Changes within this are told in one message, milliseconds: quicker than an eye, slower than a rush of drinks. */
const houseGapMs = 100;

/** A silent stream is cut by proxies and telephones; a comment this often keeps it open. */
const heartbeatMs = 15_000;

/** How long a page waits before it connects again, milliseconds. */
const retryMs = 2_000;

export interface LiveOptions {
  readonly bus: EventBus;
  readonly scheduler: Scheduler;
  /** The whole picture now; computed once for all who watch. */
  house(): HouseMessage;
  /** The odometer of the tap on this meter; null when no tap owns it. */
  pour(meter: string, now: Omit<PourMessage, 'tap_id' | 'volume_ml'>): PourMessage | null;
  readonly mostClients?: number;
}

/** Everybody who watches the house live. */
export interface LiveHub {
  /**
   * Turns a response into a stream of events; `unavailable` when too many watch already. It ends when its reader is not
   * `welcome` any more: the house may have closed its doors, or a login be over.
   */
  join(response: ServerResponse, welcome?: () => boolean): void;
  readonly clients: number;
}

/** Listens to the bus for as long as the bus lives; owns timers only while somebody watches. */
export function createLiveHub(options: LiveOptions): LiveHub {
  const { bus, scheduler } = options;
  const clients = new Map<LiveClient, () => boolean>();
  let stopHeartbeat: (() => void) | null = null;
  let pace: 'idle' | 'pending' | 'resting' = 'idle';
  let isStale = false;

  const house = () => frame('house', options.house());

  function changed(): void {
    isStale = true;
    if (clients.size === 0 || pace !== 'idle') return;
    pace = 'pending';
    // Not at once: whoever published this may publish more in the same breath.
    scheduler.after(0, tellHouse);
  }

  /** Those who may still watch; the others are shown out. */
  function welcomeClients(): readonly LiveClient[] {
    for (const [client, isWelcome] of [...clients]) {
      if (isWelcome()) continue;
      clients.delete(client);
      client.end();
    }
    return [...clients.keys()];
  }

  function tellHouse(): void {
    if (clients.size > 0 && isStale) {
      isStale = false;
      const text = house();
      for (const client of welcomeClients()) client.send(text);
      pace = 'resting';
      scheduler.after(houseGapMs, tellHouse);
      return;
    }
    pace = 'idle';
  }

  function tellPour(meter: string, pourId: string, state: PourMessage['state'], ticks: number): void {
    if (clients.size === 0) return;
    const message = options.pour(meter, { pour_id: pourId, state, ticks });
    if (message === null) return;
    const text = frame('pour', message);
    for (const client of clients.keys()) client.send(text);
  }

  for (const type of [
    'drink.recorded',
    'database.changed',
    'temperature.read',
    'sensor.trouble',
    'health.changed',
  ] as const) {
    bus.on(type, changed);
  }
  bus.on('pour.started', ({ meter, pourId }) => tellPour(meter, pourId, 'started', 1));
  bus.on('pour.flowing', ({ meter, pourId, ticks }) => tellPour(meter, pourId, 'flowing', ticks));
  bus.on('pour.ended', ({ pour }) => tellPour(pour.meter, pour.pourId, 'ended', pour.ticks));
  bus.on('pour.dripped', ({ meter, pourId, ticks }) => tellPour(meter, pourId, 'dripped', ticks));

  return {
    join(response, welcome = () => true) {
      if (clients.size >= (options.mostClients ?? mostClients)) {
        throw new AppError('unavailable', 'Too many pages watch at the moment. Try again a little later.');
      }
      const client = liveClient(response, house);
      const first = `retry: ${retryMs}\n\n${house()}`;
      response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
      response.setHeader('Cache-Control', 'no-store');
      // A proxy that collects bytes would hold the odometer back.
      response.setHeader('X-Accel-Buffering', 'no');
      clients.set(client, welcome);
      stopHeartbeat ??= scheduler.every(heartbeatMs, () => {
        for (const one of welcomeClients()) one.heartbeat();
      });
      response.once('close', () => {
        clients.delete(client);
        if (clients.size > 0) return;
        stopHeartbeat?.();
        stopHeartbeat = null;
      });
      client.send(first);
    },
    get clients() {
      return clients.size;
    },
  };
}

const frame = (event: string, data: unknown): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
