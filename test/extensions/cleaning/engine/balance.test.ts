import { expect, test } from 'vitest';
import { differenceUl } from '../../../../src/extensions/sales/core/balance/balance.ts';
import { at, pour as endedPour, hour, minute } from '../../../engine/bar.ts';
import { openRungBar } from '../../sales/engine/balance/rung-bar.ts';
import { cleaningOn, withCleaning } from '../cleaning-bar.ts';

const context = (afterMs: number) => ({ actor: { userId: null, via: 'console' as const }, now: at(afterMs) });
const june = at(35 * 24 * hour);

test('counts the beer that a cleaning lost as cleaning, and nothing else of what flowed', () => {
  const { balances, engine, left } = withCleaning(openRungBar({}, cleaningOn));
  const { id } = engine.cleanings.start({ tapId: left.id, kind: 'caustic' }, context(3 * hour));
  const flow = endedPour(at(3 * hour + minute), { ticks: 10_000 });
  engine.drinks.pours.record(flow, 'pin', at(3 * hour + minute));
  engine.cleanings.finish(id, { result: 'passed' }, context(4 * hour));
  const lostMl = engine.cleanings.get(id).parts.beerMl;
  expect(lostMl).toBeGreaterThan(0);
  const { total } = balances.month('2026-05', june);
  expect(total).toMatchObject({ cleaningUl: Math.round(lostMl * 1_000), spilledUl: 0, heldUl: 0, held: 0 });
  expect(differenceUl(total)).toBe(0);
});
