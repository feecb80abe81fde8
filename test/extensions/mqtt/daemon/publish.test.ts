import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemActor } from '../../../../src/engine/engine.ts';
import type { EventPayloadBody } from '../../../../src/extensions/mqtt/outbox/payload-schemas.ts';
import {
  hasMosquitto,
  type Observer,
  observe,
  readRetained,
  startMosquitto,
  type TestBroker,
} from '../kit/mosquitto.ts';
import { type MqttRig, openMqttRig } from './mqtt-rig.ts';
import { findSchemaFaults } from './schema-faults.ts';

// Starts Mosquitto.

describe.skipIf(!hasMosquitto)('with a broker', () => {
  let broker: TestBroker;
  let observer: Observer;
  let rig: MqttRig;

  beforeEach(async () => {
    broker = await startMosquitto();
    observer = await observe(broker.port);
    rig = openMqttRig({ enabled: true, host: '127.0.0.1', port: broker.port, topic_site: 'bar1' });
    await rig.connected();
  });

  afterEach(async () => {
    expect(findSchemaFaults(observer.messages)).toEqual([]);
    observer.close();
    await rig.close();
    await broker.remove();
  });

  const events = (): EventPayloadBody[] =>
    observer.messages
      .filter(({ topic }) => topic.endsWith('/event'))
      .map(({ payload }) => JSON.parse(payload) as EventPayloadBody);
  const waitForEvent = (kind: EventPayloadBody['kind']) =>
    observer.waitFor(
      ({ topic, payload }) =>
        topic.endsWith('/event') && (JSON.parse(payload) as EventPayloadBody).kind === kind,
    );

  test('the state of taps, session and machine is retained, as JSON and as plain values', async () => {
    rig.pour(330);
    await observer.waitFor(
      ({ topic, payload }) => topic === 'tapster/bar1/taps/1/remaining_l' && payload === '29.67',
    );
    const retained = await readRetained(broker.port, 'tapster/bar1/#');
    expect([...retained.keys()].sort()).toEqual([
      'tapster/bar1/availability',
      'tapster/bar1/session',
      'tapster/bar1/state',
      'tapster/bar1/taps/1/beverage',
      'tapster/bar1/taps/1/percent',
      'tapster/bar1/taps/1/pouring',
      'tapster/bar1/taps/1/remaining_l',
      'tapster/bar1/taps/1/state',
      'tapster/bar1/taps/1/valve',
      'tapster/bar1/taps/2/pouring',
      'tapster/bar1/taps/2/state',
    ]);
    expect(retained.get('tapster/bar1/availability')).toBe('online');
    expect(retained.get('tapster/bar1/taps/1/valve')).toBe('closed');
    expect(JSON.parse(retained.get('tapster/bar1/taps/1/state')!)).toMatchObject({
      id: 1,
      name: 'Left',
      keg_id: rig.bar.keg.id,
      remaining_l: 29.67,
      full_l: 30,
      percent: 98.9,
      beverage: { name: 'Lager', producer: 'Brewery', style: 'Pils' },
      pouring: false,
      total_l: 0.33,
      last_pour: { ml: 330 },
    });
    expect(JSON.parse(retained.get('tapster/bar1/session')!)).toMatchObject({ active: true, volume_l: 0.33 });
  });

  test('a pour publishes the state of its tap and of the session, without reading the other taps', async () => {
    await observer.waitFor(({ topic }) => topic === 'tapster/bar1/taps/2/pouring');
    const listTaps = vi.spyOn(rig.engine.taps, 'list');
    rig.pour(330);
    await observer.waitFor(({ topic, payload }) => topic.endsWith('/taps/1/percent') && payload === '98.9');
    await observer.waitFor(({ topic, payload }) => topic.endsWith('/session') && payload.includes('0.33'));
    expect(listTaps).not.toHaveBeenCalled();
    // What is stored besides is published too: a name is no part of a pour.
    rig.engine.taps.change(rig.bar.left.id, { name: 'Window' });
    await observer.waitFor(
      ({ topic, payload }) => topic.endsWith('/taps/1/state') && payload.includes('Window'),
    );
  });

  test('an event has an id, the drink and the keg, and comes once and in order', async () => {
    for (const ml of [100, 200, 300]) rig.pour(ml);
    await observer.waitFor(
      ({ payload }) => payload.includes('"ml":300,') && payload.includes('drink_poured'),
    );
    const poured = events().filter(({ kind }) => kind === 'drink_poured');
    expect(poured.map(({ drink }) => drink?.ml)).toEqual([100, 200, 300]);
    expect(new Set(poured.map(({ id }) => id)).size).toBe(3);
    expect(poured[0]).toMatchObject({ tap_id: 1, keg: { remaining_l: 29.4, beverage: { name: 'Lager' } } });
    expect(events().map(({ kind }) => kind)).toContain('session_started');
    expect(rig.store.notifications.outbox.count({ state: null, kind: 'mqtt' })).toBe(0);
  });

  test('names are published only where the settings say so', async () => {
    await rig.engine.users.addUser({ username: 'anna' }, rig.now());
    rig.pour(330, 'anna');
    await waitForEvent('drink_poured');
    const everything = () => observer.messages.map(({ payload }) => payload).join();
    expect(everything()).not.toContain('anna');
    rig.change({ publishesNames: true });
    await rig.connected();
    rig.pour(200, 'anna');
    await observer.waitFor(
      ({ topic, payload }) => topic.endsWith('/event') && payload.includes('"user":"anna"'),
    );
    await observer.waitFor(
      ({ topic, payload }) => topic.endsWith('taps/1/state') && payload.includes('"user":"anna"'),
    );
  });

  test('corrections, held pours, spills and alarms are events too', async () => {
    rig.pour(330);
    const [drink] = rig.engine.drinks.newest(1);
    rig.engine.drinks.cancel(drink!.id, { spilled: false, actor: systemActor }, rig.now());
    rig.engine.kegs.spill(rig.bar.keg.id, 500, rig.now(), systemActor);
    rig.engine.notifications.alarms.raise('too_warm', 'Left', { tap: 'Left' } as never, rig.now());
    rig.engine.notifications.alarms.acknowledge(1, { actor: systemActor, now: rig.now() });
    rig.engine.notifications.alarms.clear('too_warm', 'Left', rig.now());
    await waitForEvent('alarm_resolved');
    const kinds = events().map(({ kind }) => kind);
    for (const kind of ['corrected', 'spill_recorded', 'alarm_raised', 'alarm_acknowledged'] as const)
      expect(kinds).toContain(kind);
    expect(events().find(({ kind }) => kind === 'spill_recorded')).toMatchObject({
      tap_id: 1,
      spill: { ml: 500 },
    });
    expect(events().find(({ kind }) => kind === 'alarm_raised')).toMatchObject({
      alarm: { id: 1, kind: 'too_warm', subject: 'Left' },
    });
  });

  test('a running pour is live at most twice a second, and its tap is pouring', async () => {
    rig.running.set('pi.flow0', { pourId: 'p1', ticks: 1 });
    rig.bus.publish({ type: 'pour.started', meter: 'pi.flow0', pourId: 'p1' });
    for (let ticks = 10; ticks <= 100; ticks += 10) {
      rig.pass(125);
      rig.bus.publish({ type: 'pour.flowing', meter: 'pi.flow0', pourId: 'p1', ticks });
    }
    await observer.waitFor(({ topic, payload }) => topic.endsWith('/taps/1/pouring') && payload === 'ON');
    rig.running.clear();
    rig.bus.publish({ type: 'pour.dripped', meter: 'pi.flow0', pourId: 'p1', ticks: 101 });
    await observer.waitFor(({ payload }) => payload.includes('"state":"ended"'));
    const live = observer.messages
      .filter(({ topic }) => topic === 'tapster/bar1/taps/1/live')
      .map(({ payload }) => JSON.parse(payload) as { ticks: number });
    expect(live.map(({ ticks }) => ticks)).toEqual([10, 50, 90, 101]);
    await observer.waitFor(({ topic, payload }) => topic.endsWith('/taps/1/pouring') && payload === 'OFF');
  });

  test('a pour that another controller shows is live while it runs, and ends with what it reports', async () => {
    const { engine, bus } = rig;
    const meter = engine.taps.find(2)!.tap.meter!;
    const pour = { meter: meter.name, pourId: 'p1' };
    const ticks = (ml: number) => Math.round(ml * meter.ticksPerMl);
    const shown = new Map([[meter.name, { pourId: 'p1', ticks: ticks(50) }]]);
    vi.spyOn(engine.hooks, 'shownPours').mockReturnValue(shown);
    bus.publish({ type: 'pour.started', ...pour });
    bus.publish({ type: 'pour.flowing', ...pour, ticks: ticks(50) });
    await observer.waitFor(({ topic, payload }) => topic.endsWith('/taps/2/pouring') && payload === 'ON');
    shown.clear();
    bus.publish({ type: 'pour.stopped', ...pour, ticks: ticks(90) });
    await observer.waitFor(({ payload }) => payload.includes('"state":"ended"'));
    await observer.waitFor(({ topic, payload }) => topic.endsWith('/taps/2/pouring') && payload === 'OFF');
    const live = observer.messages
      .filter(({ topic }) => topic === 'tapster/bar1/taps/2/live')
      .map(({ payload }) => JSON.parse(payload) as object);
    expect(live).toMatchObject([
      { pour_id: 'p1', state: 'flowing', ml: 50 },
      { pour_id: 'p1', state: 'ended', ml: 90 },
    ]);
  });

  test('nothing of a removed tap is left at the broker', async () => {
    const other = rig.engine.taps.list().find(({ tap }) => tap.name === 'Right')!.tap;
    await observer.waitFor(({ topic }) => topic === `tapster/bar1/taps/${other.id}/state`);
    rig.engine.taps.remove(other.id);
    await observer.waitFor(
      ({ topic, payload }) => topic === `tapster/bar1/taps/${other.id}/state` && payload === '',
    );
    await observer.waitFor(
      ({ topic, payload }) => topic === `tapster/bar1/taps/${other.id}/pouring` && payload === '',
    );
    const retained = await readRetained(broker.port, `tapster/bar1/taps/${other.id}/#`);
    expect(retained.size).toBe(0);
  });

  test('nothing is left of a tap that a restored database does not know', async () => {
    const topic = 'tapster/bar1/taps/2/state';
    await observer.waitFor((message) => message.topic === topic);
    // As in a backup that is older than the tap.
    rig.own.recordRetained({ removed: rig.own.retainedTopics() });
    rig.engine.taps.remove(2);
    rig.bus.publish({ type: 'database.replaced' });
    await observer.waitFor((message) => message.topic === topic && message.payload === '');
    expect((await readRetained(broker.port, 'tapster/bar1/taps/2/#')).size).toBe(0);
  });

  test('nothing is left of a keg that was taken off', async () => {
    await observer.waitFor(({ topic }) => topic === 'tapster/bar1/taps/1/beverage');
    rig.engine.kegs.endOnTap(1, rig.now(), systemActor);
    await observer.waitFor(
      ({ topic, payload }) => topic === 'tapster/bar1/taps/1/beverage' && payload === '',
    );
    const retained = [...(await readRetained(broker.port, 'tapster/bar1/taps/1/#')).keys()];
    expect(retained.map((topic) => topic.split('/').at(-1)).sort()).toEqual(['pouring', 'state', 'valve']);
  });

  test('switching it off deletes what the broker keeps, and events are no longer stored', async () => {
    await observer.waitFor(({ topic }) => topic === 'tapster/bar1/taps/1/state');
    await rig.close();
    rig = openMqttRig({ host: '127.0.0.1', port: broker.port, topic_site: 'bar1' });
    rig.change({ isEnabled: true });
    await rig.connected();
    rig.change({ isEnabled: false });
    await observer.waitFor(({ topic, payload }) => topic === 'tapster/bar1/availability' && payload === '');
    await expect.poll(async () => (await readRetained(broker.port, 'tapster/#')).size).toBe(0);
    rig.pour();
    expect(rig.store.notifications.outbox.count({ state: null, kind: 'mqtt' })).toBe(0);
  });

  test('switching the feature off deletes what the broker keeps, and nothing waits for it', async () => {
    await observer.waitFor(({ topic }) => topic === 'tapster/bar1/taps/1/state');
    rig.store.notifications.outbox.add({
      ...rig.own.newsReceiver()!,
      topic: 'x',
      payload: '{}',
      createdTimeMs: 0,
    });
    await rig.switchOff();
    await expect.poll(async () => (await readRetained(broker.port, 'tapster/#')).size).toBe(0);
    expect(rig.own.retainedTopics()).toEqual([]);
    expect(rig.service.isConnected()).toBe(null);
    rig.pour();
    expect(rig.store.notifications.outbox.count({ state: null, kind: 'mqtt' })).toBe(0);
  });

  test('the last will says offline when the daemon is gone, and a regular stop does too', async () => {
    await observer.waitFor(({ topic, payload }) => topic.endsWith('/availability') && payload === 'online');
    await rig.service.close();
    await observer.waitFor(({ topic, payload }) => topic.endsWith('/availability') && payload === 'offline');
  });
});
