import { expect, test } from 'vitest';
import { createTestServer } from '../../test-server.ts';
import { createConfirmedStaffClient, createStaffClient } from '../staff-client.ts';

test('changes by staff are in the audit log with the user and the previous values', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  const listActions = () => server.engine.audit.list({}).items.map(({ action }) => action);
  await anna.create('/taps', { name: 'Garden' });
  await anna.send('patch', '/taps/4', { name: 'Beer garden' });
  await anna.send('post', '/taps/4/connect-meter', { meter_id: 3 });
  await anna.send('post', '/taps/4/start-keg', { beverage_id: 1 });
  await anna.send('post', '/kegs/2/spill', { volume_ml: 100 });
  await anna.send('post', '/taps/4/end-keg');
  await anna.send('post', '/kegs/2/reactivate');
  await anna.send('delete', '/taps/4');
  await anna.create('/auth-tokens', { auth_device: 'core.rfid', token_value: 'c0ffee', pin: '4711' });
  await anna.send('delete', '/auth-tokens/core.rfid.c0ffee');
  await anna.send('patch', '/flow-meters/1', { ticks_per_ml: 2.2 });
  await anna.send('patch', '/beverages/1', { ibu: 20 });
  await anna.create('/thermo-sensors', { raw_name: 'garden' });
  expect(listActions().reverse()).toEqual([
    'tap.created',
    'tap.changed',
    'tap.meter_connected',
    'keg.tapped',
    'keg.spilled',
    'keg.ended',
    'keg.reactivated',
    'tap.deleted',
    'token.created',
    'token.deleted',
    'flow_meter.changed',
    'beverage.changed',
    'thermo_sensor.created',
  ]);
  const entries = server.engine.audit.list({}).items;
  expect(entries.every(({ username }) => username === 'anna')).toBe(true);
  const findChange = (action: string) => {
    const { before, after } = entries.find((entry) => entry.action === action)!;
    const parse = (text: unknown) => (typeof text === 'string' ? (JSON.parse(text) as unknown) : text);
    return { before: parse(before), after: parse(after) };
  };
  expect(findChange('tap.changed')).toMatchObject({
    before: { name: 'Garden' },
    after: { name: 'Beer garden' },
  });
  expect(findChange('tap.deleted')).toMatchObject({ before: { name: 'Beer garden' }, after: null });
  expect(findChange('flow_meter.changed')).toMatchObject({
    before: { ticksPerMl: 2 },
    after: { ticksPerMl: 2.2 },
  });
  // Token values and PINs must not be readable.
  expect(JSON.stringify(entries)).not.toMatch(/c0ffee|4711/);
  // A refused change is not logged.
  await anna.expectError(409, 'delete', '/taps/1');
  expect(listActions()).toHaveLength(13);
});

test('changes of pictures and plugin data are in the audit log without secrets', async () => {
  const server = createTestServer();
  const anna = createConfirmedStaffClient(server);
  await anna.create('/plugin-data', { plugin_name: 'scale', key: 'zero', value: 'hush' });
  await anna.send('patch', '/plugin-data/1', { key: 'tare' });
  await anna.send('delete', '/plugin-data/1');
  await anna.send('delete', '/site/background-image');
  const { items } = server.engine.audit.list({});
  const entries = items.toReversed().map(({ action, before, after }) => [action, before, after]);
  expect(entries).toEqual([
    ['plugin_datum.added', null, '{"pluginName":"scale","key":"zero"}'],
    ['plugin_datum.changed', '{"pluginName":"scale","key":"zero"}', '{"pluginName":"scale","key":"tare"}'],
    ['plugin_datum.deleted', '{"pluginName":"scale","key":"tare"}', null],
    ['site.pictured', '{"picture":null}', '{"picture":null}'],
  ]);
  expect(items.every(({ username, via }) => username === 'anna' && via === 'page')).toBe(true);
});

test('the audit log can be filtered by time', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  await anna.send('patch', '/taps/1', { name: 'First' });
  const [entry] = (await anna.send('get', '/audit')).entries;
  const at = Date.parse(entry.time);
  const iso = (ms: number) => new Date(ms).toISOString();
  const countEntries = async (query: string) => (await anna.send('get', `/audit?${query}`)).entries.length;
  expect(await countEntries(`since=${iso(at - 1000)}&until=${iso(at + 1000)}`)).toBe(1);
  expect(await countEntries(`since=${iso(at + 1000)}`)).toBe(0);
  expect(await countEntries(`until=${iso(at - 1000)}&user=anna`)).toBe(0);
  expect(await countEntries(`since=${iso(at - 1000)}&action=tap.changed&subject_kind=tap&subject_id=1`)).toBe(
    1,
  );
  await anna.expectError(400, 'get', '/audit?since=yesterday');
});
