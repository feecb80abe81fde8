import { createSecret } from '../../../src/engine/users/mailed-secrets.ts';
import { insertDrink } from '../../kit/drinks/insert-drink.ts';
import { extensionCases } from '../../kit/extension-cases.ts';
import { createTestServer, openingMs, type TestServerOptions } from '../test-server.ts';

const minute = 60_000;
const hour = 60 * minute;

/**
 * The server of `createTestServer` after two days. Saturday: drinks 1 and 3 by Anna, 2 by Bert, 4 by nobody, all from
 * keg 1 on the left tap. Sunday: drink 5 by Bert there, and 6 by Bert from the right tap without a keg. Drink 7 is held.
 * Keg 2 is available, keg 3 finished. One token is Anna's. The temperature was 4, 5 and 6 °C. Anna has notification
 * settings.
 */
export function createPopulatedServer(options: TestServerOptions = {}) {
  const server = createTestServer(options);
  const { engine, store } = server;
  const at = (agoMs: number) => ({
    monoMs: 100 * hour,
    wallMs: openingMs + agoMs,
    synced: true,
    bootId: 'boot-1',
  });
  const report = (tap: string, ticks: number, whenMs: number, username?: string) =>
    insertDrink(store, { tap, ticks, durationMs: 5_000, username }, at(whenMs));
  report('pi.flow0', 600, 0, 'anna');
  report('pi.flow0', 800, 5 * minute, 'bert');
  report('pi.flow0', 1000, 10 * minute, 'anna');
  report('pi.flow0', 400, 15 * minute);
  report('pi.flow0', 600, 24 * hour, 'bert');
  report('pi.flow1', 1000, 24 * hour + minute, 'bert');
  report('pi.flow2', 500, 24 * hour + 2 * minute);
  const beverage = { name: 'Stout', producerName: 'Schwarz', styleName: 'Stout' };
  engine.kegs.create({ beverage, sizeKey: 'corny', notes: 'behind the crates' }, at(24 * hour));
  engine.kegs.end(engine.kegs.create({ beverage: { id: 1 } }, at(24 * hour)).id, at(25 * hour));
  engine.access.tokens.create(
    { device: 'core.rfid', value: '0089F2C4', niceName: 'Blue fob', username: 'anna' },
    at(0),
  );
  engine.access.tokens.create({ device: 'core.onewire', value: '01', enabled: false }, at(0));
  for (const [i, tempC] of [4, 5, 6].entries()) {
    engine.temperatures.log({ sensor: '28-0000000000a1', tempC }, at(i * minute));
  }
  engine.temperatures.log({ sensor: 'attic', tempC: 21.5 }, at(minute));
  engine.notifications.add(engine.users.user('anna')!, {});
  const invitation = {
    purpose: 'invitation',
    userId: engine.users.user('anna')!.id,
    email: 'dora@example.org',
    lifeMs: 24 * hour,
    keep: 1,
  } as const;
  server.store.transaction(() => createSecret(server.store, invitation, at(0)));
  engine.notifications.pluginData.add({ pluginName: 'scale', key: 'zero', value: '{"grams":4.2}' });
  for (const { populate } of extensionCases) populate?.(server);
  server.setClock({ wallMs: openingMs + 25 * hour });
  return server;
}

export type PopulatedServer = ReturnType<typeof createPopulatedServer>;
