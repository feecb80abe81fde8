import { expect, test } from 'vitest';
import { systemActor } from '../../../../src/engine/engine.ts';
import { createTaps } from '../../../services/valves/grant-bar.ts';
import { cleaningOn, withCleaning } from '../cleaning-bar.ts';

test('a cleaning that starts at a tap ends the grant there, whose beer until then stays the user’s', () => {
  const bar = withCleaning(createTaps({}, cleaningOn));
  bar.present('anna', 'left');
  bar.pour('pi.flow0', 100);
  bar.pass(3_000);
  bar.endPour('pi.flow0');
  bar.engine.cleanings.start({ tapId: 1, kind: 'caustic' }, { actor: systemActor, now: bar.now() });
  bar.bus.publish({ type: 'database.changed' });
  expect([bar.isOpen(), bar.ends()]).toEqual([false, ['command']]);
  bar.pour('pi.flow0', 200);
  bar.pass(10_000);
  expect(bar.drinks()).toEqual([['anna', 100, 1]]);
  bar.present('anna', 'left');
  expect(bar.isOpen()).toBe(false);
});

test('a cleaning at one tap leaves the grants at others', () => {
  const bar = withCleaning(createTaps({}, cleaningOn));
  bar.present('anna', 'left');
  bar.engine.cleanings.start({ tapId: 2, kind: 'caustic' }, { actor: systemActor, now: bar.now() });
  bar.pass(2_000);
  expect(bar.isOpen()).toBe(true);
});
