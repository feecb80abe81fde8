import { expect, test } from 'vitest';
import { systemActor } from '../../../../src/engine/engine.ts';
import { at, hour } from '../../../engine/bar.ts';
import { openCleaningBar } from '../cleaning-bar.ts';

const day = 24 * hour;
const by = (ms: number) => ({ actor: systemActor, now: at(ms) });

test('a line without a plan has no alarm; one with a plan is due on its day, until it is cleaned', () => {
  const { engine, left } = openCleaningBar();
  const states = (now: ReturnType<typeof at>) =>
    engine.hooks.alarmConditions(now).map(({ subject, state, values }) => [subject, state, values]);
  expect(states(at(100 * day))).toEqual([]);
  engine.cleanings.setPlan({ tapId: left.id, kind: 'acid', intervalDays: 7 }, by(0));
  const subject = `tap-${left.id}-acid`;
  const values = (days: number) => ({ tap: 'Left', kind: 'acid', days });
  expect(states(at(6 * day))).toEqual([[subject, 'good', values(0)]]);
  expect(states(at(7 * day))).toEqual([[subject, 'bad', values(0)]]);
  expect(states(at(9 * day))).toEqual([[subject, 'bad', values(2)]]);
  expect(states(at(9 * day, { synced: false }))).toMatchObject([[subject, 'unknown', {}]]);
  const { id } = engine.cleanings.start({ tapId: left.id, kind: 'acid' }, by(9 * day));
  engine.cleanings.finish(id, { result: 'passed' }, by(9 * day));
  expect(states(at(9 * day))).toMatchObject([[subject, 'good', {}]]);
});

test('a cleaning that ended by itself is an alarm until it is completed or dismissed', () => {
  const { engine, left } = openCleaningBar();
  const { id } = engine.cleanings.start({ tapId: left.id, kind: 'acid' }, by(0));
  expect(engine.hooks.alarmConditions(at(hour))).toEqual([]);
  engine.cleanings.expire(id, at(3 * hour));
  expect(engine.hooks.alarmConditions(at(3 * hour))).toMatchObject([
    {
      kind: 'cleaning_unfinished',
      subject: `cleaning-${id}`,
      state: 'bad',
      values: { tap: 'Left', pouredMl: 0 },
    },
  ]);
  engine.cleanings.cancel(id, by(4 * hour));
  expect(engine.hooks.alarmConditions(at(4 * hour))).toEqual([]);
});
