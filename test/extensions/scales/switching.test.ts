import request from 'supertest';
import { expect, test } from 'vitest';
import { systemActor, toActor } from '../../../src/engine/engine.ts';
import { at } from '../../engine/bar.ts';
import { createTestServer } from '../../http/test-server.ts';
import { openBarWithScales, scalesOn, withScalesOf } from './scales-on.ts';

const isOn = ({ engine }: Pick<ReturnType<typeof openBarWithScales>, 'engine'>) =>
  engine.site.features.list().find(({ name }) => name === 'scales')!.isOn;

test('it is off until the bar has a scale, and then unless somebody switched it off', () => {
  const bar = openBarWithScales();
  expect(isOn(bar)).toBe(false);
  const { id } = bar.engine.scales.create({ name: 'A' });
  expect(isOn(bar)).toBe(true);
  bar.engine.site.features.change({ scales: false }, systemActor, at(0));
  expect(isOn(bar)).toBe(false);
  bar.engine.site.features.change({ scales: true }, systemActor, at(0));
  bar.engine.scales.remove(id);
  expect(isOn(bar)).toBe(true);
});

test('it stays on while a deleted scale can be restored with its weights', () => {
  const bar = openBarWithScales();
  const { view } = bar.engine.scales.receiveAt(bar.engine.taps.find(1)!, { weightG: 30_000 }, at(0));
  bar.engine.scales.flush();
  bar.engine.scales.remove(view.id);
  expect(isOn(bar)).toBe(true);
});

test('while it is off its addresses say so, and nothing of it is asked', async () => {
  const switchedOn = {
    ...scalesOn,
    engine: { ...scalesOn.engine, loaded: [] },
    http: { ...scalesOn.http, routes: [] },
  };
  const { app, engine, staffKey } = createTestServer({ switchedOn });
  for (const [method, path] of [
    ['get', '/api/scales'],
    ['get', '/api/scales/1/readings'],
    ['post', '/api/scale-findings/1/close'],
    ['post', '/api/taps/1/keg-weight'],
  ] as const) {
    const reply = await request(app)[method](path).set('X-Kegbot-Api-Key', staffKey).expect(404);
    expect(reply.body.error.reason).toEqual({ name: 'feature_off', feature: 'scales' });
  }
  expect(engine.hooks.topicSubscribers()).toEqual([]);
  expect(engine.hooks.alarmConditions(at(0))).toEqual([]);
});

test('what was weighed is there again when it is on again', () => {
  const bar = openBarWithScales();
  bar.engine.scales.receiveAt(bar.engine.taps.find(bar.left.id)!, { weightG: 30_000 }, at(0));
  bar.engine.scales.flush();
  bar.engine.useExtensions([]);
  expect(bar.store.scaleReadings.last(1)).toMatchObject({ weightG: 30_000 });
  bar.engine.useExtensions(scalesOn.engine.loaded);
  expect(withScalesOf(bar).engine.scales.byTap(bar.left.id)!.last).toMatchObject({ weightG: 30_000 });
});

test('a change of a scale is undone also while it is off', () => {
  const server = createTestServer({ switchedOn: scalesOn });
  const bar = withScalesOf(server);
  const { id } = bar.engine.scales.create({ name: 'A', tapId: 1 });
  const context = { actor: toActor(bar.engine.users.user('anna')!, 'page'), now: server.now() };
  bar.engine.scales.remove(id, context);
  const correction = bar.engine.audit.latestCorrection('scale', { kind: 'scale', id })!;
  bar.engine.useExtensions([]);
  bar.engine.corrections.undo(correction, context, server.now());
  expect(bar.store.scales.byId(id)).toMatchObject({ name: 'A', tapId: 1 });
});

test('a tap that is deleted and restored while it is off has its scale again', () => {
  const bar = openBarWithScales();
  const { id } = bar.engine.scales.create({ name: 'A', tapId: bar.right.id });
  bar.engine.useExtensions([]);
  const context = { actor: systemActor, now: at(0) };
  bar.engine.taps.remove(bar.right.id, context);
  expect(bar.store.scales.byId(id)!.tapId).toBeNull();
  const correction = bar.engine.audit.latestCorrection('tap', { kind: 'tap', id: bar.right.id })!;
  bar.engine.corrections.undo(correction, {}, at(0));
  expect(bar.store.scales.byId(id)!.tapId).toBe(bar.right.id);
});
