import request from 'supertest';
import { beforeEach, expect, test } from 'vitest';
import { AppError } from '../../../../src/core/app-error.ts';
import { noUpdateCheck } from '../../../../src/core/updates/updates-view.ts';
import type { UpdatesAdmin } from '../../../../src/http/updates-ports.ts';
import { productVersion } from '../../../../src/system/product.ts';
import { workingUpdates } from '../../fuzz/working-updates.ts';
import { createTestServer, type TestServer } from '../../test-server.ts';

let server: TestServer;
let root: string;

function start(change: Partial<UpdatesAdmin> = {}) {
  server = createTestServer({ services: { updates: { ...workingUpdates(), ...change } } });
  server.engine.users.addUser({ username: 'root', isSuperuser: true }, server.now());
  root = server.createLoginCookie('root');
}
beforeEach(() => start());

const get = (cookie = root) => request(server.app).get('/api/admin/updates').set('Cookie', cookie);
const post = (path: string, body: object = {}, cookie = root) =>
  request(server.app).post(`/api/admin/updates${path}`).set('Cookie', cookie).send(body);
const audited = () =>
  server.engine.audit
    .list({ limit: 10 })
    .items.map(({ action, subject, username }) => [action, subject.id, username]);

test('superusers see the version that runs, what is kept and what is new', async () => {
  const { body } = await get().expect(200);
  expect(body.result.updates).toEqual({
    version: productVersion(),
    is_package: true,
    kept_versions: ['0.0.9'],
    under_way: null,
    last: {
      kind: 'update',
      from_version: '0.0.9',
      to_version: productVersion(),
      outcome: 'done',
      reason: null,
      detail: '',
      time: '2026-05-02T09:00:00Z',
    },
    check: {
      is_enabled: false,
      installs: 'ask',
      quiet_hour: 4,
      has_address: true,
      last_time: '2026-05-02T09:00:00Z',
      problem: null,
      available: {
        version: '9.0.0',
        release_time: '2026-05-02T09:00:00Z',
        size_bytes: 31_457_280,
        notes: { en: 'Kegs can be ordered by their age.' },
      },
      planned_version: null,
    },
  });
});

test('the set-up asks for the check only in a package that has an address', async () => {
  const canCheck = async () => {
    server.engine.users.changeSite({ isSetUp: false });
    const { body } = await request(server.app).get('/api/setup/status').expect(200);
    return body.result.can_check_updates;
  };
  expect(await canCheck()).toBe(true);
  const { view } = workingUpdates();
  start({ view: () => ({ ...view(), isPackage: false }) });
  expect(await canCheck()).toBe(false);
  start({ view: () => ({ ...view(), check: noUpdateCheck }) });
  expect(await canCheck()).toBe(false);
});

test.each([
  ['', 'get'],
  ['/switch', 'post'],
  ['/install', 'post'],
  ['/plan', 'delete'],
  ['/check', 'post'],
] as const)('staff may not use /admin/updates%s', async (path, method) => {
  const anna = server.createLoginCookie('anna');
  const sent = request(server.app)[method](`/api/admin/updates${path}`).set('Cookie', anna);
  await sent.expect(403);
});

test('a superuser chooses a version, which is written to the audit log', async () => {
  const { body } = await post('/switch', { version: '0.0.9' }).expect(202);
  expect(body.result.updates.under_way).toEqual({
    kind: 'rollback',
    from_version: productVersion(),
    to_version: '0.0.9',
    stage: 'requested',
    can_cancel: true,
    is_ending: false,
  });
  expect(audited()).toContainEqual(['release.chosen', '0.0.9', 'root']);
});

test('a version that is not kept is refused with its name, and not written to the audit log', async () => {
  const { body } = await post('/switch', { version: '0.0.1' }).expect(409);
  expect(body.error.reason).toEqual({ name: 'release_not_kept', version: '0.0.1' });
  expect(audited().filter(([action]) => String(action).startsWith('release.'))).toEqual([]);
});

test('a new version is installed now or planned for the quiet hour', async () => {
  const planned = await post('/install', { when: 'quiet_hour' }).expect(202);
  expect(planned.body.result.updates.check.planned_version).toBe('9.0.0');
  const now = await post('/install', { when: 'now' }).expect(202);
  expect(now.body.result.updates.under_way).toMatchObject({ to_version: '9.0.0', stage: 'requested' });
  expect(audited()).toEqual(
    expect.arrayContaining([
      ['release.planned', '9.0.0', 'root'],
      ['release.requested', '9.0.0', 'root'],
    ]),
  );
  await post('/install', { when: 'tomorrow' }).expect(400);
});

test('a planned installation is cancelled, which is written to the audit log once', async () => {
  await post('/install', { when: 'quiet_hour' }).expect(202);
  const cancel = () => request(server.app).delete('/api/admin/updates/plan').set('Cookie', root);
  const { body } = await cancel().expect(200);
  expect(body.result.updates.check.planned_version).toBeNull();
  await cancel().expect(200);
  expect(audited().filter(([action]) => action === 'release.plan_cancelled')).toEqual([
    ['release.plan_cancelled', '9.0.0', 'root'],
  ]);
});

test('a check that fails is answered with what failed', async () => {
  await post('/check').expect(200);
  start({
    checkNow: async () => {
      throw new AppError('unavailable', 'The server of the updates did not answer.');
    },
  });
  const { body } = await post('/check').expect(503);
  expect(body.error.message).toBe('The server of the updates did not answer.');
});
