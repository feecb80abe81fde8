import type { ServerResponse } from 'node:http';
import type { EventBus } from '../../core/event-bus.ts';
import { exactSeries } from '../../core/measurement/pour-volume.ts';
import type { Scheduler } from '../ports.ts';
import { toAddressGroup } from '../server/overload.ts';
import { overloadLimits } from '../server/overload-limits.ts';
import { createSlots } from '../server/slots.ts';
import { type LiveClient, liveClient } from './client.ts';
import type { PourMessage, SnapshotMessage } from './shapes.ts';

/** Minimum time between two snapshots, milliseconds: too short to notice, long enough to merge a series of changes. */
const minSnapshotGapMs = 100;

/** Interval of comments that keep proxies and phones from closing an idle stream, milliseconds. */
const heartbeatMs = 15_000;

/** Delay before a page reconnects, milliseconds. */
const retryMs = 2_000;

interface LiveOptions {
  readonly bus: EventBus;
  readonly scheduler: Scheduler;
  /** Returns the present snapshot; called once for all clients. */
  snapshot(): SnapshotMessage;
  /** Returns what guests and members see of a snapshot. */
  forGuests(message: SnapshotMessage): SnapshotMessage;
  /** Returns the odometer message for a meter; null if it has no tap. */
  pour(
    meter: string,
    now: Omit<PourMessage, 'tap_id' | 'volume_ml'>,
    endedSeries?: string,
  ): PourMessage | null;
  /** Maximum number of streams. */
  readonly limits?: { readonly total: number };
}

/** A page that wants the stream. */
interface LiveRequest {
  readonly response: ServerResponse;
  /** Address of the client; a forwarded address is used only behind a trusted proxy. */
  readonly address: string;
  /** The stream ends when this returns false, for example after a change of the site's privacy or the end of a login. */
  readonly isAllowed?: () => boolean;
  /** Whether the page gets the snapshots for staff; without it, it does not. */
  readonly actsAsStaff?: () => boolean;
}

/** The clients of the live stream. */
export interface LiveHub {
  /** Turns a response into an event stream. Beyond the limit it ends the oldest stream of the address with the most. */
  join(request: LiveRequest): void;
  readonly clients: number;
}

/** Creates the hub. Stays subscribed to the bus; has timers only while there are clients. */
export function createLiveHub(options: LiveOptions): LiveHub {
  const { bus, scheduler } = options;
  const clients = new Map<LiveClient, Required<Pick<LiveRequest, 'isAllowed' | 'actsAsStaff'>>>();
  const slots = createSlots<LiveClient>(options.limits ?? overloadLimits.streams, {
    isEvictable: () => true,
    evict: remove,
  });
  let stopHeartbeat: (() => void) | null = null;
  let sending: 'idle' | 'scheduled' | 'paused' = 'idle';
  let isStale = false;

  /** Reads the snapshot once and formats it at most twice: for staff and for others. */
  function readSnapshot(): (forStaff: boolean) => Buffer {
    const message = options.snapshot();
    const frames = new Map<boolean, Buffer>();
    return (forStaff) => {
      let frame = frames.get(forStaff);
      if (frame === undefined) {
        frame = formatFrame('snapshot', forStaff ? message : options.forGuests(message));
        frames.set(forStaff, frame);
      }
      return frame;
    };
  }

  function remove(client: LiveClient): void {
    slots.release(client);
    clients.delete(client);
    client.end();
    if (clients.size > 0) return;
    stopHeartbeat?.();
    stopHeartbeat = null;
  }

  function onChange(): void {
    isStale = true;
    if (clients.size === 0 || sending !== 'idle') return;
    sending = 'scheduled';
    // Deferred, since several events are often published together.
    scheduler.after(0, sendSnapshot);
  }

  /** Disconnects the clients that are no longer allowed and returns the others. */
  function allowedClients(): readonly LiveClient[] {
    for (const [client, { isAllowed }] of [...clients]) {
      if (!isAllowed()) remove(client);
    }
    return [...clients.keys()];
  }

  function sendSnapshot(): void {
    if (clients.size > 0 && isStale) {
      isStale = false;
      const frameFor = readSnapshot();
      for (const client of allowedClients()) client.send(frameFor(clients.get(client)!.actsAsStaff()));
      sending = 'paused';
      scheduler.after(minSnapshotGapMs, sendSnapshot);
      return;
    }
    sending = 'idle';
  }

  function sendPour(
    meter: string,
    pourId: string,
    state: PourMessage['state'],
    ticks: number,
    endedSeries?: string,
  ): void {
    if (clients.size === 0) return;
    const message = options.pour(meter, { pour_id: pourId, state, ticks }, endedSeries);
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
    'address.changed',
  ] as const) {
    bus.on(type, onChange);
  }
  // Snapshots are made from the database: the clients connect again, to that of the next one.
  bus.on('database.closing', () => {
    for (const client of [...clients.keys()]) remove(client);
  });
  bus.on('pour.started', ({ meter, pourId }) => sendPour(meter, pourId, 'started', 1));
  bus.on('pour.flowing', ({ meter, pourId, ticks }) => sendPour(meter, pourId, 'flowing', ticks));
  bus.on('pour.ended', ({ pour }) =>
    sendPour(pour.meter, pour.pourId, 'ended', pour.ticks, exactSeries(pour)),
  );
  bus.on('pour.dripped', ({ meter, pourId, ticks }) => sendPour(meter, pourId, 'dripped', ticks));

  return {
    join({ response, address, isAllowed = () => true, actsAsStaff = () => false }) {
      const snapshot = () => readSnapshot()(actsAsStaff());
      const client = liveClient(response, snapshot);
      const first = Buffer.concat([Buffer.from(`retry: ${retryMs}\n\n`), snapshot()]);
      response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
      response.setHeader('Cache-Control', 'no-store');
      // Turns off buffering in nginx, which would delay the odometer.
      response.setHeader('X-Accel-Buffering', 'no');
      slots.acquire(client, toAddressGroup(address));
      clients.set(client, { isAllowed, actsAsStaff });
      stopHeartbeat ??= scheduler.every(heartbeatMs, () => {
        for (const client of allowedClients()) client.heartbeat();
      });
      response.once('close', () => remove(client));
      client.send(first);
    },
    get clients() {
      return clients.size;
    },
  };
}

/** Formats a message. Clients share its bytes. */
const formatFrame = (event: string, data: unknown): Buffer =>
  Buffer.from(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
