import type { ServerResponse } from 'node:http';
import { AppError } from '../../core/app-error.ts';
import type { Clock, Moment } from '../../core/clock/moment.ts';
import type { EventBus } from '../../core/event-bus.ts';
import { exactSeries } from '../../core/measurement/pour-volume.ts';
import type { Scheduler } from '../ports.ts';
import { HitCounter } from '../server/hit-counter.ts';
import { toAddressGroup } from '../server/overload.ts';
import { overloadLimits } from '../server/overload-limits.ts';
import { holdAnswer } from '../server/refusals/held-answers.ts';
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
  /** Maximum number of streams, in total and, while all are in use, for an address and time. */
  readonly limits?: Readonly<Record<keyof typeof overloadLimits.streams, number>>;
  readonly clock: Clock;
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
  /**
   * Turns a response into an event stream. Beyond the limit it ends the oldest stream of the address with the most. Rejects
   * with `too_many`, after a while, for an address that opens streams again and again meanwhile.
   */
  join(request: LiveRequest): void | Promise<void>;
  readonly clients: number;
}

/** Creates the hub. Stays subscribed to the bus; has timers only while there are clients. */
export function createLiveHub(options: LiveOptions): LiveHub {
  const { bus, clock, scheduler } = options;
  const clients = new Map<LiveClient, Required<Pick<LiveRequest, 'isAllowed' | 'actsAsStaff'>>>();
  const { total, perWindow, windowMs, refusalMs } = options.limits ?? overloadLimits.streams;
  const joins = new HitCounter({ now: () => clock.now().monoMs });
  joins.init({ windowMs });
  const slots = createSlots<LiveClient>(
    { total },
    {
      isEvictable: () => true,
      evict: remove,
    },
  );
  let stopHeartbeat: (() => void) | null = null;
  let sending: 'idle' | 'scheduled' | 'paused' = 'idle';
  let isStale = false;
  /** The snapshot of the last moment, while nothing has happened since: pages that open together share it. */
  let latest: { readonly frameFor: (forStaff: boolean) => Buffer; readonly at: Moment } | null = null;

  function forgetSnapshot(): void {
    latest = null;
  }

  function latestSnapshot(): (forStaff: boolean) => Buffer {
    const at = clock.now();
    const isRecent = latest !== null && at.monoMs - latest.at.monoMs < minSnapshotGapMs;
    if (latest === null || !isRecent || latest.at.synced !== at.synced)
      latest = { frameFor: readSnapshot(), at };
    return latest.frameFor;
  }

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
    forgetSnapshot();
  }

  function onChange(): void {
    isStale = true;
    forgetSnapshot();
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
    forgetSnapshot();
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
    forgetSnapshot();
    for (const client of [...clients.keys()]) remove(client);
  });
  bus.on('pour.started', ({ meter, pourId }) => sendPour(meter, pourId, 'started', 1));
  bus.on('pour.flowing', ({ meter, pourId, ticks }) => sendPour(meter, pourId, 'flowing', ticks));
  bus.on('pour.ended', ({ pour }) =>
    sendPour(pour.meter, pour.pourId, 'ended', pour.ticks, exactSeries(pour)),
  );
  bus.on('pour.dripped', ({ meter, pourId, ticks }) => sendPour(meter, pourId, 'dripped', ticks));

  async function refuse(response: ServerResponse): Promise<never> {
    await holdAnswer(response, refusalMs, scheduler);
    throw new AppError('too_many', 'Too many live streams from this address. Try again later.', {
      reason: { name: 'rate_limited', what: 'requests' },
      retryAfterS: Math.ceil(windowMs / 1_000),
    });
  }

  return {
    join({ response, address, isAllowed = () => true, actsAsStaff = () => false }) {
      const group = toAddressGroup(address);
      const { totalHits } = joins.increment(group);
      if (slots.size >= total && totalHits > perWindow) return refuse(response);
      const snapshot = () => latestSnapshot()(actsAsStaff());
      const client = liveClient(response, snapshot);
      const first = Buffer.concat([Buffer.from(`retry: ${retryMs}\n\n`), snapshot()]);
      response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
      response.setHeader('Cache-Control', 'no-store');
      // Turns off buffering in nginx, which would delay the odometer.
      response.setHeader('X-Accel-Buffering', 'no');
      slots.acquire(client, group);
      clients.set(client, { isAllowed, actsAsStaff });
      stopHeartbeat ??= scheduler.every(heartbeatMs, () => {
        for (const client of allowedClients()) client.heartbeat();
      });
      response.once('close', () => remove(client));
      client.send(first);
      return undefined;
    },
    get clients() {
      return clients.size;
    },
  };
}

/** Formats a message. Clients share its bytes. */
const formatFrame = (event: string, data: unknown): Buffer =>
  Buffer.from(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
