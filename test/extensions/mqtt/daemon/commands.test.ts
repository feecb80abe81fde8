import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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

interface Result {
  readonly id: string | null;
  readonly ok: boolean;
  readonly code: string;
  readonly text: string;
}

const valveSet = 'tapster/bar1/taps/1/valve/set';
const kegSet = 'tapster/bar1/taps/1/keg/set';

describe.skipIf(!hasMosquitto)('commands', () => {
  let broker: TestBroker;
  let observer: Observer;
  let rig: MqttRig;

  const start = async (allowed: object, passedMs = 0) => {
    rig = openMqttRig({
      enabled: true,
      host: '127.0.0.1',
      port: broker.port,
      topic_site: 'bar1',
      ...allowed,
    });
    rig.pass(passedMs);
    await rig.connected();
    await observer.waitFor(({ topic }) => topic.endsWith('/availability'));
    // The daemon has subscribed before its state is acknowledged.
    await observer.waitFor(({ topic }) => topic.endsWith('/taps/2/state'));
  };

  beforeEach(async () => {
    broker = await startMosquitto();
    observer = await observe(broker.port);
  });

  afterEach(async () => {
    expect(findSchemaFaults(observer.messages.filter(({ topic }) => topic.endsWith('/result')))).toEqual([]);
    observer.close();
    await rig.close();
    await broker.remove();
  });

  const results = (): Result[] =>
    observer.messages
      .filter(({ topic }) => topic.endsWith('/result'))
      .map(({ payload }) => JSON.parse(payload) as Result);

  /** Sends a command and returns its result. */
  const command = async (topic: string, payload: string | object, options = {}): Promise<Result> => {
    const before = results().length;
    await observer.publish(topic, payload, options);
    await expect.poll(() => results().length).toBe(before + 1);
    return results().at(-1)!;
  };
  const now = (afterMs = 0) => new Date(rig.now().wallMs + afterMs).toISOString();
  const audited = (action: string) => rig.engine.audit.list({ action }).items;

  test('a valve opens for a volume and a time, is never extended, and closes; all is in the audit log', async () => {
    await start({ allow_valves: true, valve_ml: 400, valve_s: 20 });
    const open = { id: 'c1', time: now(), action: 'open', ml: 200, seconds: 10, reason: 'happy hour' };
    expect(await command(valveSet, open)).toMatchObject({ id: 'c1', ok: true, code: 'done' });
    expect(rig.opened).toEqual([
      { toggle: 'pi.relay0', ms: 10_000, limit: { meter: 'pi.flow0', maxTicks: 200 } },
    ]);
    expect(await command(valveSet, 'OPEN')).toMatchObject({ ok: false, code: 'already_open' });
    expect(await command(valveSet, 'CLOSE')).toMatchObject({ ok: true });
    expect(await command(valveSet, 'OPEN')).toMatchObject({ ok: true });
    expect(rig.opened[1]).toEqual({
      toggle: 'pi.relay0',
      ms: 20_000,
      limit: { meter: 'pi.flow0', maxTicks: 400 },
    });
    expect(audited('toggle.opened')).toHaveLength(2);
    expect(audited('toggle.opened')[0]).toMatchObject({ via: 'mqtt', username: null });
    expect(JSON.stringify(audited('mqtt.command'))).toContain('happy hour');
  });

  test('one command closes the valves of all taps, by the settings for valves', async () => {
    await start({ allow_valves: true });
    const valvesSet = 'tapster/bar1/valves/set';
    await command(valveSet, 'OPEN');
    expect(rig.isOpen('pi.relay0')).toBe(true);
    expect(await command(valvesSet, 'OPEN')).toMatchObject({ ok: false, code: 'invalid' });
    expect(await command(valvesSet, 'CLOSE_ALL')).toMatchObject({ ok: true });
    expect(rig.isOpen('pi.relay0')).toBe(false);
    expect(await command(valvesSet, { id: 'c1', time: now(), action: 'close_all' })).toMatchObject({
      id: 'c1',
      ok: true,
    });
    expect(audited('mqtt.command')).toHaveLength(3);
    expect(audited('toggle.closed')).toHaveLength(1);
  });

  test('late, future, repeated, retained, too large and unreadable commands are refused', async () => {
    await start({ allow_valves: true });
    rig.pass(60_000);
    const open = (id: string, time: string, more = {}) => ({ id, time, action: 'open', ...more });
    const refused: readonly (readonly [string, string | object, object?])[] = [
      ['late', open('c1', now(-11_000))],
      ['late', open('c2', now(11_000))],
      ['too_much', open('c3', now(), { ml: 5_000 })],
      ['repeated', open('c3', now())],
      ['invalid', open('c4', 'yesterday')],
      ['invalid', open('c 5', now())],
      ['invalid', open('c6', now(), { ml: -1 })],
      ['invalid', open('c7', now(), { force: true })],
      ['invalid', 'TOGGLE'],
      ['invalid', '{'],
      ['invalid', 'OPEN'.padEnd(2_000)],
    ];
    for (const [code, payload] of refused) {
      const result = await command(valveSet, payload);
      expect(result, JSON.stringify(payload).slice(0, 80)).toMatchObject({ ok: false, code });
    }
    expect(rig.opened).toEqual([]);
  });

  test('a retained command is refused and deleted, and is not carried out at the next start', async () => {
    await observer.publish(valveSet, 'OPEN', { retain: true });
    await start({ allow_valves: true });
    await observer.waitFor(({ topic }) => topic.endsWith('/valve/result'));
    expect(results()).toMatchObject([{ ok: false, code: 'retained' }]);
    await observer.waitFor(({ topic, payload }) => topic === valveSet && payload === '');
    expect((await readRetained(broker.port, valveSet)).size).toBe(0);
    expect(rig.opened).toEqual([]);
  });

  test('a retained command that is sent while connected is refused and deleted too', async () => {
    await start({ allow_valves: true });
    await observer.publish(valveSet, 'OPEN', { retain: true });
    await observer.waitFor(({ topic }) => topic.endsWith('/valve/result'));
    expect(results()).toMatchObject([{ ok: false, code: 'retained' }]);
    await observer.waitFor(({ topic, payload }) => topic === valveSet && payload === '');
    expect((await readRetained(broker.port, valveSet)).size).toBe(0);
    expect(rig.opened).toEqual([]);
  });

  test('a command is not repeated after a restart, although it is a few seconds old', async () => {
    await start({ allow_valves: true });
    rig.pass(10_000);
    const close = { id: 'c1', time: now(-2_000), action: 'close' };
    expect(await command(valveSet, close)).toMatchObject({ ok: true });
    await rig.close();
    observer.messages.length = 0;
    await start({ allow_valves: true }, 11_000);
    expect(await command(valveSet, close)).toMatchObject({ ok: false, code: 'late' });
  });

  test('nothing is permitted that was not chosen', async () => {
    await start({ allow_keg_empty: true });
    await observer.publish(valveSet, 'OPEN');
    expect(await command(kegSet, 'NEXT')).toMatchObject({ ok: false, code: 'not_allowed' });
    expect(await command(kegSet, 'EMPTY')).toMatchObject({ ok: true });
    expect(results()).toHaveLength(2);
    expect(rig.opened).toEqual([]);
  });

  test('a keg is marked as empty, and the announced keg is put on tap', async () => {
    await start({ allow_keg_empty: true, allow_next_beer: true });
    expect(await command(kegSet, 'NEXT')).toMatchObject({ ok: false, code: 'no_next_keg' });
    const beverage = { name: 'Stout', producerName: 'Brewery', styleName: 'Stout' };
    const stout = rig.engine.kegs.create({ beverage, sizeKey: 'euro-30-liter' }, rig.now());
    rig.engine.taps.setNext(1, { kegId: stout.id });
    expect(await command(kegSet, { id: 'n1', time: now(), action: 'next' })).toMatchObject({ ok: true });
    expect(rig.engine.taps.find(1)).toMatchObject({ keg: { id: stout.id } });
    expect(rig.engine.kegs.get(rig.bar.keg.id)?.state).toBe('finished');
    expect(await command(kegSet, 'EMPTY')).toMatchObject({ ok: true });
    expect(await command(kegSet, 'EMPTY')).toMatchObject({ ok: false, code: 'tap_is_empty' });
    expect(audited('keg.ended')[0]).toMatchObject({ via: 'mqtt' });
    expect(await command('tapster/bar1/taps/99/keg/set', 'EMPTY')).toMatchObject({
      ok: false,
      code: 'not_found',
    });
  });

  test('a flood of commands is dropped', async () => {
    await start({ allow_valves: true });
    for (let i = 0; i < 60; i++) await observer.publish(valveSet, 'CLOSE');
    await expect.poll(() => results().length).toBe(20);
    await readRetained(broker.port);
    expect(results()).toHaveLength(20);
  });
});
