import request from 'supertest';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { joinAlarmKinds } from '../../../../src/core/alarms/alarm-kinds.ts';
import { textProblem } from '../../../../src/core/health/problems.ts';
import { queueMail } from '../../../../src/engine/shared/queue-mail.ts';
import { extensions } from '../../../../src/extensions/all.ts';
import { createMailTester } from '../../../../src/outbox/mail/mail-tester.ts';
import { headersOf, openMailServer, shortTimeouts } from '../../../outbox/test-outbox.ts';
import { createTestServer, type TestServer } from '../../test-server.ts';
import { testOutbox } from '../../test-services.ts';
import { createStaffClient, createSuperuserClient } from '../staff-client.ts';

let server: TestServer;
let anna: ReturnType<typeof createStaffClient>;
let root: ReturnType<typeof createSuperuserClient>;
const closers: (() => Promise<void>)[] = [];

beforeEach(() => {
  const mailTester = createMailTester({
    engine: () => server.engine,
    ids: { next: () => 'one' },
    timeouts: shortTimeouts,
  });
  server = createTestServer({ services: { outbox: { ...testOutbox, mailTester } } });
  anna = createStaffClient(server);
  root = createSuperuserClient(server);
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const sendAsBert = (method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string) =>
  request(server.app)[method](`/api${path}`).set('X-Kegbot-Api-Key', server.guestKey);

const defaults = {
  backend: 'pykeg.notification.backends.email.EmailNotificationBackend',
  keg_tapped: true,
  session_started: false,
  keg_volume_low: false,
  keg_ended: false,
  ...Object.fromEntries(joinAlarmKinds(extensions).names.map((kind) => [kind, false])),
};

test('a user has no notification settings by default, and new ones include tapped kegs only', async () => {
  expect((await sendAsBert('get', '/notification-settings')).body.result.notification_settings).toEqual([]);
  const created = await sendAsBert('post', '/notification-settings').send({}).expect(201);
  expect(created.body.result.notification_setting).toEqual({ id: 1, user_id: 'bert', ...defaults });
  expect((await sendAsBert('get', '/notification-settings')).body.result).toEqual({
    paging: { total: 1, limit: 100, pos: 0, next: null, prev: null },
    notification_settings: [{ id: 1, user_id: 'bert', ...defaults }],
  });
});

test('PATCH keeps fields that are left out, PUT resets them to their defaults', async () => {
  await sendAsBert('post', '/notification-settings').send({ keg_tapped: false, keg_ended: true }).expect(201);
  const patched = await sendAsBert('patch', '/notification-settings/1')
    .send({ session_started: true })
    .expect(200);
  expect(patched.body.result.notification_setting).toMatchObject({
    keg_tapped: false,
    keg_ended: true,
    session_started: true,
  });
  const replaced = await sendAsBert('put', '/notification-settings/1')
    .send({ keg_volume_low: true })
    .expect(200);
  expect(replaced.body.result.notification_setting).toEqual({
    id: 1,
    user_id: 'bert',
    ...defaults,
    keg_volume_low: true,
  });
  await sendAsBert('delete', '/notification-settings/1').expect(200);
  await sendAsBert('get', '/notification-settings/1').expect(404);
});

test('refuses a second row for the channel and an unknown channel', async () => {
  await sendAsBert('post', '/notification-settings').send({}).expect(201);
  const duplicate = await sendAsBert('post', '/notification-settings').send({}).expect(409);
  expect(duplicate.body.error.fields).toHaveProperty('backend');
  const unknownBackend = await sendAsBert('post', '/notification-settings')
    .send({ backend: 'pigeon' })
    .expect(400);
  expect(unknownBackend.body.error.fields).toHaveProperty('backend');
});

test('users, staff included, can read and change only their own notification settings', async () => {
  await sendAsBert('post', '/notification-settings').send({}).expect(201);
  for (const method of ['get', 'put', 'patch', 'delete'] as const) {
    const body = method === 'get' || method === 'delete' ? undefined : {};
    await anna.expectError(404, method, '/notification-settings/1', body);
  }
  await request(server.app).get('/api/notification-settings').expect(401);
});

test('only staff can subscribe to alarms and system problems', async () => {
  const refused = await sendAsBert('post', '/notification-settings').send({ too_warm: true }).expect(400);
  expect(refused.body.error.fields).toHaveProperty('too_warm');
  const created = await anna.create('/notification-settings', { too_warm: true, system_problem: true });
  expect(created.notification_setting).toMatchObject({ too_warm: true, system_problem: true });
});

test('the password of the mail server is stored and never shown', async () => {
  const settings = {
    host: 'mail.example.org',
    port: 465,
    security: 'tls',
    username: 'bar',
    from_address: 'bar@example.org',
    base_url: 'http://bar.example/',
  };
  const changed = await root.send('patch', '/admin/mail', { ...settings, password: 'mail-password' });
  expect(changed.mail).toEqual({ ...settings, base_url: 'http://bar.example', has_password: true });
  expect(JSON.stringify(await anna.send('get', '/admin/mail'))).not.toContain('mail-password');
  expect(JSON.stringify(server.engine.audit.list({}).items)).not.toContain('mail-password');
  expect(server.engine.audit.list({ action: 'mail.changed' }).items).toHaveLength(1);
  await sendAsBert('get', '/admin/mail').expect(403);
});

test('a new mail host clears the stored password', async () => {
  const bar = {
    host: 'mail.example.org',
    from_address: 'bar@example.org',
    username: 'bar',
    password: 'secret',
  };
  await root.send('patch', '/admin/mail', bar);
  expect((await root.send('patch', '/admin/mail', { port: 25 })).mail.has_password).toBe(true);
  expect((await root.send('patch', '/admin/mail', { host: 'thief.example' })).mail.has_password).toBe(false);
});

test.each([
  ['host', 'mail.example.org\r\nRCPT TO'],
  ['host', 'http://mail'],
  ['username', 'bar\r\nDATA'],
  ['password', 'x\n'],
  ['from_address', 'Bar <bar@example.org>'],
  ['from_address', 'bar@example.org\r\nBcc: x@y'],
  ['base_url', 'javascript:alert(1)'],
  ['base_url', 'ftp://bar'],
  ['security', 'some'],
  ['port', 0],
])('refuses the mail setting %s = %j', async (field, value) => {
  const base = { host: 'mail.example.org', from_address: 'bar@example.org' };
  const error = await root.expectError(400, 'patch', '/admin/mail', { ...base, [field]: value });
  expect(error.fields).toHaveProperty(field);
});

test('the test mail reports acceptance or the reason of the refusal', async () => {
  const unset = await anna.expectError(409, 'post', '/admin/email-test', { address: 'carl@example.org' });
  expect(unset.message).toContain('No mail server');
  const mailServer = await openMailServer({
    onRcptTo({ address }, _session, done) {
      done(address === 'carl@example.org' ? null : Object.assign(new Error('no'), { responseCode: 550 }));
    },
  });
  closers.push(mailServer.close);
  const settings = {
    host: '127.0.0.1',
    port: mailServer.port,
    security: 'none',
    from_address: 'bar@example.org',
  };
  await root.send('patch', '/admin/mail', settings);
  expect(await anna.send('post', '/admin/email-test', { address: 'carl@example.org' })).toEqual({});
  expect(headersOf(mailServer.mails[0]!).get('subject')).toBe('[Tapster] Test e-mail');
  const refused = await anna.expectError(409, 'post', '/admin/email-test', { address: 'dora@example.org' });
  expect(refused.message).toContain('does not accept mail for this address');
  await anna.expectError(400, 'post', '/admin/email-test', { address: 'a@b, c@d' });
  await root.send('patch', '/admin/mail', { security: 'starttls' });
  const plain = await anna.expectError(409, 'post', '/admin/email-test', { address: 'carl@example.org' });
  expect(plain.message).toContain('security');
});

test('staff list outgoing messages without their content, and can send and delete them', async () => {
  await root.send('patch', '/admin/mail', { host: 'mail.example.org', from_address: 'bar@example.org' });
  const bert = server.engine.users.user('bert')!;
  const values = { username: 'bert', link: 'http://bar.example/reset?token=secret' };
  server.store.transaction(() =>
    queueMail(server.store, { to: bert.id, template: 'password_reset', values }, server.now()),
  );
  const [message] = server.engine.notifications.outbox.due(
    { kind: 'mail', target: `user:${bert.id}` },
    server.now(),
    1,
  );
  const expected = {
    id: 1,
    kind: 'mail',
    topic: 'password_reset',
    recipient: 'bert',
    state: 'waiting',
    attempts: 0,
  };
  const list = await anna.send('get', '/admin/outbox');
  expect(list.messages).toMatchObject([expected]);
  expect(JSON.stringify(list)).not.toContain('secret');
  const outcome = {
    kind: 'failed',
    problem: textProblem('No.'),
    isFinal: true,
    scope: 'message',
    retryDelayMs: 0,
  } as const;
  server.engine.notifications.outbox.recordOutcomes([{ message: message!, outcome }], server.now());
  expect((await anna.send('get', '/admin/outbox?state=dead')).messages).toMatchObject([
    { ...expected, state: 'dead', attempts: 1, last_error: textProblem('No.') },
  ]);
  expect((await anna.send('post', '/admin/outbox/1/send-again', undefined, 202)).message.state).toBe(
    'waiting',
  );
  await anna.expectError(409, 'post', '/admin/outbox/1/send-again');
  await anna.send('delete', '/admin/outbox/1');
  await anna.expectError(404, 'delete', '/admin/outbox/1');
  await sendAsBert('get', '/admin/outbox').expect(403);
});

test('staff change the alarm limits', async () => {
  expect((await anna.send('get', '/admin/alarms')).alarms).toEqual({
    too_warm_c: 12,
    too_warm_minutes: 30,
    silent_minutes: 15,
    disk_endurance_tb: null,
  });
  const off = await anna.send('patch', '/admin/alarms', { too_warm_c: null, silent_minutes: 60 });
  expect(off.alarms).toEqual({
    too_warm_c: null,
    too_warm_minutes: 30,
    silent_minutes: 60,
    disk_endurance_tb: null,
  });
  await anna.expectError(400, 'patch', '/admin/alarms', { silent_minutes: 0 });
});
