import { expect, test } from 'vitest';
import { at, openEmptyBar } from '../bar.ts';

const conflict = expect.objectContaining({ code: 'conflict' });

test('set-up cannot finish without a staff account', async () => {
  const { engine } = openEmptyBar();
  expect(engine.users.setup.hasAdmin()).toBe(false);
  expect(() => engine.users.setup.finish()).toThrow(conflict);
  const password = await engine.users.passwords.hash('hop-garden');
  const admin = engine.users.setup.admin({ username: 'anna', password }, at(0));
  expect(admin).toMatchObject({ isStaff: true, isSuperuser: true, isActive: true });
  expect(engine.users.setup.hasAdmin()).toBe(true);
  expect(engine.users.site().isSetUp).toBe(false);
  engine.users.setup.finish();
  expect(engine.users.site().isSetUp).toBe(true);
});

test('set-up creates a first tap only where there is none', () => {
  const { engine } = openEmptyBar();
  const names = () => engine.taps.list().map(({ tap }) => tap.name);
  engine.users.setup.settings({ title: 'The Tap' });
  expect(names()).toEqual(['Left', 'Right']);
  for (const { tap } of engine.taps.list()) engine.taps.remove(tap.id);
  expect(engine.users.setup.settings({ privacy: 'members' })).toMatchObject({ title: 'The Tap' });
  engine.users.setup.settings({});
  expect(names()).toEqual(['Main Tap']);
});

test('set-up stores the currency beside the settings, and keeps it when it is repeated without one', () => {
  const { engine } = openEmptyBar();
  engine.users.setup.settings({ title: 'The Tap' }, 'USD');
  engine.users.setup.settings({ title: 'The Other Tap' });
  expect(engine.reports.settings()).toMatchObject({ currency: 'USD', nightlyBackups: true });
});
