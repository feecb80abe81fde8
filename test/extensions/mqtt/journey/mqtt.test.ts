import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { EventPayloadBody } from '../../../../src/extensions/mqtt/outbox/payload-schemas.ts';
import {
  type BarFolder,
  createStaffKey,
  makeBar,
  quickBar,
  type RunningDaemon,
  startDaemon,
} from '../../../kit/daemon.ts';
import { isSlowRun } from '../../../kit/slow.ts';
import { startTcpRelay, type TcpRelay } from '../../../kit/tcp-relay.ts';
import {
  hasMosquitto,
  type Observer,
  observe,
  readRetained,
  startMosquitto,
  type TestBroker,
} from '../kit/mosquitto.ts';

// Starts Mosquitto and a real process, which may be slow.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** In turn the daemon and the broker are killed after so many pours. */
const poursBetweenKills = isSlowRun ? 1_000 : 15;
const kills = isSlowRun ? 10 : 4;

let broker: TestBroker;
let relay: TcpRelay;
let observer: Observer;
let bar: BarFolder;
let daemon: RunningDaemon;
let key: string;

beforeAll(async () => {
  if (!hasMosquitto) return;
  broker = await startMosquitto();
  relay = await startTcpRelay(broker.port);
  observer = await observe(broker.port);
  bar = makeBar({
    ...quickBar,
    http: { ...quickBar.http, rate_limits: false },
    mqtt: { enabled: true, host: '127.0.0.1', port: relay.port, topic_site: 'bar1' },
  });
  key = await createStaffKey(bar, 'anna');
  daemon = await startDaemon(bar);
});

afterAll(async () => {
  observer?.close();
  await daemon?.kill();
  bar?.remove();
  await relay?.close();
  await broker?.remove();
});

/** Reports a pour as a controller does; returns the id of its drink. */
async function pour(pourId: string): Promise<number> {
  const answer = await fetch(`${daemon.url}/api/v1/taps/pi.flow0`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}` },
    body: new URLSearchParams({ ticks: '50', pour_id: pourId }),
  });
  const { result } = (await answer.json()) as { result: { drink: { id: number } } };
  return result.drink.id;
}

/** A broker that was killed starts again; the daemon reaches it only when the observer has subscribed. */
async function killBroker(): Promise<void> {
  await broker.kill();
  relay.cut();
  await vi.waitUntil(() => !observer.client.connected, { timeout: 20_000, interval: 20 });
  await broker.start();
  await vi.waitUntil(() => observer.client.connected, { timeout: 20_000, interval: 20 });
  await observer.client.subscribeAsync('#', { qos: 1 });
  relay.open();
}

async function killDaemon(): Promise<void> {
  await daemon.kill();
  await observer.waitFor(({ topic, payload }) => topic.endsWith('/availability') && payload === 'offline');
  daemon = await startDaemon(bar);
}

test.skipIf(!hasMosquitto)(
  'each pour is published, once by its id and in order, although daemon and broker are killed in turn',
  async () => {
    const drinkIds: number[] = [];
    for (let kill = 0; kill <= kills; kill++) {
      for (let i = 0; i < poursBetweenKills; i++) drinkIds.push(await pour(`pour-${kill}-${i}`));
      if (kill < kills) await (kill % 2 === 0 ? killDaemon() : killBroker());
    }
    const seen = new Map<string, EventPayloadBody>();
    await vi.waitUntil(
      () => {
        for (const { topic, payload } of observer.messages) {
          if (!topic.endsWith('/event')) continue;
          const event = JSON.parse(payload) as EventPayloadBody;
          // A repetition of an event that was not acknowledged has the same id.
          if (event.kind === 'drink_poured' && !seen.has(event.id)) seen.set(event.id, event);
        }
        return seen.size >= drinkIds.length;
      },
      { timeout: 50_000, interval: 100 },
    );
    expect([...seen.values()].map(({ drink }) => drink!.id)).toEqual(drinkIds);
    expect(
      (await readRetained(broker.port, 'tapster/bar1/availability')).get('tapster/bar1/availability'),
    ).toBe('online');
  },
  isSlowRun ? 600_000 : 60_000,
);
