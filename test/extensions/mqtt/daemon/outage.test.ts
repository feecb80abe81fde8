import { expect, test } from 'vitest';
import type { EventPayloadBody } from '../../../../src/extensions/mqtt/outbox/payload-schemas.ts';
import { minute } from '../../../engine/bar.ts';
import { isSlowRun } from '../../../kit/slow.ts';
import { startTcpRelay } from '../../../kit/tcp-relay.ts';
import { hasMosquitto, observe, startMosquitto } from '../kit/mosquitto.ts';
import { openMqttRig } from './mqtt-rig.ts';

// Starts Mosquitto.

/** A busy bar has some 300 pours on a day. */
const poursPerDay = isSlowRun ? 1_430 : 40;

test.skipIf(!hasMosquitto)(
  'the events of a week without the broker come afterwards, once and in order',
  async () => {
    const broker = await startMosquitto();
    const relay = await startTcpRelay(broker.port);
    const observer = await observe(broker.port);
    const rig = openMqttRig({ enabled: true, host: '127.0.0.1', port: relay.port, topic_site: 'bar1' });
    await rig.connected();
    relay.cut();
    const drinkIds: number[] = [];
    for (let day = 0; day < 7; day++) {
      for (let i = 0; i < poursPerDay; i++) {
        rig.pass(minute);
        rig.pour(200);
        drinkIds.push(rig.engine.drinks.newest(1)[0]!.id);
        if (drinkIds.length % 100 === 0) {
          rig.engine.kegs.endOnTap(rig.bar.left.id, rig.now());
          const beverage = { name: 'Lager', producerName: 'Brewery', styleName: 'Pils' };
          rig.engine.kegs.start(rig.bar.left.id, { beverage, sizeKey: 'euro-30-liter' }, rig.now());
        }
      }
      rig.pass(24 * 60 * minute - poursPerDay * minute);
    }
    expect(rig.own.waitingCount()).toBeGreaterThanOrEqual(drinkIds.length);
    // No live message, no state: only events wait.
    expect(observer.messages.filter(({ topic }) => topic.endsWith('/live'))).toEqual([]);

    relay.open();
    const poured = () =>
      observer.messages
        .filter(({ topic }) => topic.endsWith('/event'))
        .map(({ payload }) => JSON.parse(payload) as EventPayloadBody)
        .filter(({ kind }) => kind === 'drink_poured');
    await expect.poll(() => rig.own.waitingCount(), { timeout: 50_000 }).toBe(0);
    await expect.poll(() => poured().at(-1)?.drink?.id).toBe(drinkIds.at(-1));
    expect(poured().map(({ drink }) => drink!.id)).toEqual(drinkIds);
    expect(new Set(poured().map(({ id }) => id)).size).toBe(drinkIds.length);
    expect(rig.store.notifications.outbox.count({ state: 'dead', kind: null })).toBe(0);
    observer.close();
    await rig.close();
    await relay.close();
    await broker.remove();
  },
);

test('at most 25,000 events wait; older ones are given up', () => {
  const rig = openMqttRig({ enabled: true, host: '127.0.0.1', port: 1, topic_site: 'bar1' });
  rig.store.transaction(() => {
    for (let i = 0; i < 27_000; i++)
      rig.store.notifications.outbox.add({
        ...rig.own.newsReceiver()!,
        topic: 'pour_held',
        payload: '{}',
        createdTimeMs: i,
      });
  });
  const waiting = rig.own.waitingCount();
  expect(waiting).toBeGreaterThanOrEqual(25_000);
  // Counted once in 64 messages on average.
  expect(waiting).toBeLessThan(26_500);
  expect(rig.store.notifications.outbox.count({ state: 'dead', kind: 'mqtt' })).toBe(1_000);
  return rig.close();
});
