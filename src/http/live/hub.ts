import type { ServerResponse } from 'node:http';
import { AppError } from '../../core/app-error.ts';
import type { EventBus } from '../../core/event-bus.ts';
import type { Scheduler } from '../ports.ts';
import { type LiveClient, liveClient } from './client.ts';
import type { PourMessage, SnapshotMessage } from './shapes.ts';

/** Pages and programs that may watch at the same time. */
const maxClients = 200;

/** Changes within this are told in one message, milliseconds: quicker than an eye, slower than a rush of drinks. */
const minSnapshotGapMs = 100;

/** A silent stream is cut by proxies and telephones; a comment this often keeps it open. */
const heartbeatMs = 15_000;

/** How long a page waits before it connects again, milliseconds. */
const retryMs = 2_000;

export interface LiveOptions {
  readonly bus: EventBus;
  readonly scheduler: Scheduler;
  /** The whole picture now; computed once for all who watch. */
  snapshot(): SnapshotMessage;
  /** The odometer of the tap on this meter; null when no tap owns it. */
  pour(meter: string, now: Omit<PourMessage, 'tap_id' | 'volume_ml'>): PourMessage | null;
  readonly maxClients?: number;
}

/** Everybody who watches the house live. */
export interface LiveHub {
  /**
   * Turns a response into a stream of events; `unavailable` when too many watch already. It ends when its reader is not
   * `welcome` any more: the house may have closed its doors, or a login be over.
   */
  join(response: ServerResponse, isAllowed?: () => boolean): void;
  readonly clients: number;
}

/** Listens to the bus for as long as the bus lives; owns timers only while somebody watches. */
export function createLiveHub(options: LiveOptions): LiveHub {
  const { bus, scheduler } = options;
  const clients = new Map<LiveClient, () => boolean>();
  let stopHeartbeat: (() => void) | null = null;
  let pace: 'idle' | 'pending' | 'resting' = 'idle';
  let isStale = false;

  const snapshot = () => formatFrame('snapshot', options.snapshot());

  function onChange(): void {
    isStale = true;
    if (clients.size === 0 || pace !== 'idle') return;
    pace = 'pending';
    // Not at once: whoever published this may publish more in the same breath.
    scheduler.after(0, sendSnapshot);
  }

  /** Those who may still watch; the others are shown out. */
  function allowedClients(): readonly LiveClient[] {
    for (const [client, isAllowed] of [...clients]) {
      if (isAllowed()) continue;
      clients.delete(client);
      client.end();
    }
    return [...clients.keys()];
  }

  function sendSnapshot(): void {
    if (clients.size > 0 && isStale) {
      isStale = false;
      const text = snapshot();
      for (const client of allowedClients()) client.send(text);
      pace = 'resting';
      scheduler.after(minSnapshotGapMs, sendSnapshot);
      return;
    }
    pace = 'idle';
  }

  function sendPour(meter: string, pourId: string, state: PourMessage['state'], ticks: number): void {
    if (clients.size === 0) return;
    const message = options.pour(meter, { pour_id: pourId, state, ticks });
    if (message === null) return;
    const text = formatFrame('pour', message);
    for (const client of clients.keys()) client.send(text);
  }

  for (const type of [
    'drink.recorded',
    'database.changed',
    'temperature.read',
    'sensor.trouble',
    'health.changed',
  ] as const) {
    bus.on(type, onChange);
  }
  bus.on('pour.started', ({ meter, pourId }) => sendPour(meter, pourId, 'started', 1));
  bus.on('pour.flowing', ({ meter, pourId, ticks }) => sendPour(meter, pourId, 'flowing', ticks));
  bus.on('pour.ended', ({ pour }) => sendPour(pour.meter, pour.pourId, 'ended', pour.ticks));
  bus.on('pour.dripped', ({ meter, pourId, ticks }) => sendPour(meter, pourId, 'dripped', ticks));

  return {
    join(response, isAllowed = () => true) {
      if (clients.size >= (options.maxClients ?? maxClients)) {
        throw new AppError('unavailable', 'Too many pages watch at the moment. Try again a little later.');
      }
      const client = liveClient(response, snapshot);
      const first = `retry: ${retryMs}\n\n${snapshot()}`;
      response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
      response.setHeader('Cache-Control', 'no-store');
      // A proxy that collects bytes would hold the odometer back.
      response.setHeader('X-Accel-Buffering', 'no');
      clients.set(client, isAllowed);
      stopHeartbeat ??= scheduler.every(heartbeatMs, () => {
        for (const one of allowedClients()) one.heartbeat();
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

const formatFrame = (event: string, data: unknown): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
