import { afterEach, expect, test } from 'vitest';
import { readNumber } from './measurements.ts';
import { countDrinks, install, pourGlass, removeMachine } from './updated-machine.ts';

/** Every how many changes of the updater the power is cut; `TAPSTER_FAULT_CUT_EVERY=1` cuts at each. */
const cutEvery = readNumber('TAPSTER_FAULT_CUT_EVERY', 8);

afterEach(removeMachine);

test('a power cut at any change of the updater ends with a version that runs', {
  timeout: 600_000,
}, async () => {
  const one = await install();
  await pourGlass(one);
  const payload = one.makePayload('2.0.0');
  await one.updater('installed', { payload });
  const changes = Number(/changes: (\d+)/.exec((await one.updater('resume')).output)?.[1]);
  expect(one.current).toBe('2.0.0');
  expect(changes).toBeGreaterThan(10);

  for (let cutAt = 0; cutAt < changes; cutAt += cutEvery) {
    // Alternately there and back, so that each run starts from what the one before left.
    const [from, to] = [one.current, one.current === '1.0.0' ? '2.0.0' : '1.0.0'];
    await one.updater('rollback');
    const { signal } = await one.updater('resume', { cutAt: String(cutAt) });
    expect(signal).toBe('SIGKILL');
    await one.cutPower();
    const { code, output } = await one.updater('resume');
    expect({ cutAt, code, output }).toMatchObject({ code: 0 });
    expect([from, to]).toContain(one.current);
    expect(one.state).toMatchObject({ update: null, last: { outcome: 'done', to } });
    expect(await one.answer()).toMatchObject({ status: 'ok', version: one.current });
    expect(await countDrinks(one)).toBe(1);
  }
});
