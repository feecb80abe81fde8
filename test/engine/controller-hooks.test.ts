import { expect, test } from 'vitest';
import { systemActor } from '../../src/engine/engine.ts';
import { reportingControllers } from '../kit/reporting-controllers.ts';
import { at, openBar } from './bar.ts';

test('controllers that report by themselves are told whose grants end, and of which token', () => {
  const { engine } = openBar();
  const { extension, told } = reportingControllers({});
  engine.useExtensions([extension]);
  const context = { actor: systemActor, now: at(0) };
  engine.users.addUser({ username: 'cleo' }, at(0));
  const token = engine.access.tokens.create({ device: 'core.rfid', value: 'fob', username: 'cleo' }, at(0));
  engine.access.tokens.change(token.id, { niceName: 'Blue' }, context);
  expect(told).toEqual([]);
  engine.access.tokens.change(token.id, { enabled: false }, context);
  engine.users.accounts.change('cleo', { isActive: false }, systemActor, at(0));
  engine.users.personalData.erase('cleo', systemActor, at(0));
  expect(told).toEqual([
    ['endUserGrants', 'cleo', 'fob'],
    ['endUserGrants', 'cleo', undefined],
    ['endUserGrants', 'cleo', undefined],
  ]);
});

test('without such an extension nothing reports and nothing is told', () => {
  const { engine } = openBar();
  expect(engine.hooks.reportingControllers(at(0))).toEqual([]);
  expect(engine.hooks.shownPours().size).toBe(0);
  engine.hooks.closeTaps(at(0));
  engine.hooks.endUserGrants('anna', at(0));
});

test('all such extensions are asked, in their order', () => {
  const { engine } = openBar();
  const named = (device: string, controllerId: number) => ({
    ...reportingControllers({
      reportingControllers: () => [{ controllerId, device, isPaired: true, lastSeenMs: null }],
      shownPours: () => new Map([[`${device}.flow0`, { pourId: device, ticks: 1 }]]),
    }).extension,
    name: device,
  });
  engine.useExtensions([named('one', 1), named('two', 2)]);
  expect(engine.hooks.reportingControllers(at(0)).map(({ device }) => device)).toEqual(['one', 'two']);
  expect([...engine.hooks.shownPours().keys()]).toEqual(['one.flow0', 'two.flow0']);
});
