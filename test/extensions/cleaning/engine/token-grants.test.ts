import { expect, test } from 'vitest';
import { systemActor } from '../../../../src/engine/engine.ts';
import { openTokenBar } from '../../../engine/access/token-bar.ts';
import { at, minute } from '../../../engine/bar.ts';
import { cleaningOn, withCleaning } from '../cleaning-bar.ts';

const openCleaningTokenBar = () => withCleaning(openTokenBar(cleaningOn));

test('a token opens no tap whose line is being cleaned', () => {
  const { granted, present, engine, left, right } = openCleaningTokenBar();
  const context = { actor: systemActor, now: at(0) };
  const { id } = engine.cleanings.start({ tapId: left.id, kind: 'caustic' }, context);
  expect(granted('anna').taps.map(({ tapId }) => tapId)).toEqual([right.id]);
  const tap = { name: 'Left', meterPort: 'flow0' };
  expect(present('anna', at(minute), { tap })).toMatchObject({
    kind: 'denied',
    reason: expect.stringContaining('closed for cleaning'),
  });
  engine.cleanings.cancel(id, { actor: systemActor, now: at(2 * minute) });
  expect(granted('anna', at(3 * minute), { tap }).taps).toHaveLength(1);
});

test('a token opens no tap in whose line cleaner may stand after a cleaning that ended by itself', () => {
  const { granted, engine, left, right } = openCleaningTokenBar();
  const by = (afterMs: number) => ({ actor: systemActor, now: at(afterMs) });
  const opened = (afterMs: number) => granted('anna', at(afterMs)).taps.map(({ tapId }) => tapId);
  const forget = (step: 'contact' | 'refill') => {
    const { id } = engine.cleanings.start({ tapId: left.id, kind: 'caustic', step }, by(0));
    engine.cleanings.expire(id, at(180 * minute));
    return id;
  };
  const id = forget('contact');
  expect(opened(600 * minute)).toEqual([right.id]);
  engine.cleanings.finish(id, { result: 'passed' }, by(601 * minute));
  expect(opened(602 * minute)).toEqual([left.id, right.id]);
  // The line holds beer.
  forget('refill');
  expect(opened(603 * minute)).toEqual([left.id, right.id]);
  engine.cleanings.cancel(forget('contact'), by(604 * minute));
  expect(opened(605 * minute)).toEqual([left.id, right.id]);
});
