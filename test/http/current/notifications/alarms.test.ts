import request from 'supertest';
import { beforeEach, describe, expect, test } from 'vitest';
import { systemActor } from '../../../../src/engine/engine.ts';
import { createAlarmDescriber } from '../../../../src/outbox/alarms/alarm-message.ts';
import { minute } from '../../../engine/bar.ts';
import { createTestServer, type TestServer } from '../../test-server.ts';
import { testOutbox } from '../../test-services.ts';
import { createStaffClient, createSuperuserClient } from '../staff-client.ts';

let server: TestServer;
let anna: ReturnType<typeof createStaffClient>;
let root: ReturnType<typeof createSuperuserClient>;
let tested: number[];

beforeEach(() => {
  tested = [];
  const alarms = {
    describe: createAlarmDescriber(() => server.engine),
    sendTest: async (id: number) => void tested.push(id),
  };
  server = createTestServer({ services: { outbox: { ...testOutbox, alarms } } });
  anna = createStaffClient(server);
  root = createSuperuserClient(server);
});

const raise = (subject = 'Left') =>
  server.engine.notifications.alarms.raise(
    'too_warm',
    subject,
    { sensor: subject, tempC: 14, limitC: 12 },
    server.now(),
  );
const pass = (ms: number) => {
  const { monoMs, wallMs } = server.now();
  server.setClock({ monoMs: monoMs + ms, wallMs: wallMs + ms });
};
const asGuest = (method: 'get' | 'post', path: string) =>
  request(server.app)[method](`/api${path}`).set('X-Kegbot-Api-Key', server.guestKey);

describe('alarms', () => {
  test('staff see them with their texts in a language, and acknowledge them', async () => {
    raise();
    const { alarms } = await anna.send('get', '/alarms?language=de');
    expect(alarms).toMatchObject([
      {
        id: 1,
        kind: 'too_warm',
        title: 'Zu warm: Left',
        text: expect.stringContaining('Kühlung prüfen.'),
        urgency: 'high',
        acknowledged_time: null,
        resolved_time: null,
        told: [],
      },
    ]);
    const { alarm } = await anna.send('post', '/alarms/1/acknowledge');
    expect(alarm).toMatchObject({ acknowledged_by: 'anna', acknowledged_time: expect.any(String) });
    await anna.expectError(404, 'post', '/alarms/9/acknowledge');
    server.engine.notifications.alarms.clear('too_warm', 'Left', server.now());
    raise('Right');
    expect((await anna.send('get', '/alarms?state=open')).alarms).toMatchObject([{ subject: 'Right' }]);
    expect((await anna.send('get', '/alarms?state=resolved')).paging.total).toBe(1);
  });

  test('members and guests see none', async () => {
    raise();
    for (const path of ['/alarms', '/admin/alarm-channels', '/admin/alarm-policy'])
      await asGuest('get', path).expect(403);
    await asGuest('post', '/alarms/1/acknowledge').expect(403);
    await request(server.app).get('/api/alarms').expect(401);
  });

  test('a test alarm is raised, told through a channel, acknowledged and ended', async () => {
    await root.create('/admin/alarm-channels', { kind: 'ntfy', name: 'Phone', topic: 'bar' });
    const { alarm } = await anna.create('/admin/alarm-test', {});
    expect(alarm).toMatchObject({ kind: 'test_alarm', title: 'Test alarm' });
    pass(minute);
    server.engine.notifications.alarms.sendDue(server.now());
    const [open] = (await anna.send('get', '/alarms')).alarms;
    expect(open.told).toMatchObject([{ recipient: 'Phone', round: 1, is_sent: false }]);
    await anna.send('post', `/alarms/${alarm.id}/acknowledge`);
    const ended = await anna.send('post', `/alarms/${alarm.id}/resolve`);
    expect(ended.alarm.resolved_time).toEqual(expect.any(String));
    raise();
    await anna.expectError(409, 'post', '/alarms/2/resolve');
  });

  test('staff change when alarms are told', async () => {
    const { policy } = await anna.send('patch', '/admin/alarm-policy', { quiet_hours: '22:00-08:00' });
    expect(policy).toEqual({
      group_wait_s: 30,
      next_step_minutes: 15,
      repeat_minutes: 240,
      max_rounds: 3,
      quiet_hours: '22:00-08:00',
    });
    expect((await anna.send('patch', '/admin/alarm-policy', { quiet_hours: '' })).policy.quiet_hours).toBe(
      '',
    );
    for (const wrong of [{ quiet_hours: '25:00-08:00' }, { max_rounds: 0 }, { repeat_minutes: 1 }])
      await anna.expectError(400, 'patch', '/admin/alarm-policy', wrong);
  });
});

describe('channels', () => {
  const gotify = { kind: 'gotify', name: 'Server', url: 'https://push.example/', token: 'a-secret' };

  test('have secrets that are stored, kept when blank, and never shown', async () => {
    const { channel } = await root.create('/admin/alarm-channels', gotify);
    expect(channel).toMatchObject({
      id: 1,
      url: 'https://push.example/',
      has_token: true,
      topic: null,
      step: 1,
    });
    const kept = await root.send('patch', '/admin/alarm-channels/1', { token: '', name: 'Other' });
    expect(kept.channel).toMatchObject({ name: 'Other', has_token: true });
    expect(JSON.stringify(await anna.send('get', '/admin/alarm-channels'))).not.toContain('a-secret');
    expect(JSON.stringify(server.engine.audit.list({}).items)).not.toContain('a-secret');
    expect(server.engine.notifications.alarmChannels.get(1).secrets).toEqual({ token: 'a-secret' });
  });

  test('lose their secrets with another server or account', async () => {
    await root.create('/admin/alarm-channels', gotify);
    await root.send('patch', '/admin/alarm-channels/1', { url: 'https://push.example/below' });
    await root.expectError(400, 'patch', '/admin/alarm-channels/1', { url: 'https://thief.example' });
    const moved = { url: 'https://new.example', token: 'other' };
    expect((await root.send('patch', '/admin/alarm-channels/1', moved)).channel.has_token).toBe(true);
    const ntfy = { kind: 'ntfy', name: 'Phone', topic: 'bar', username: 'anna', token: 'a-secret' };
    await root.create('/admin/alarm-channels', ntfy);
    const other = await root.send('patch', '/admin/alarm-channels/2', { username: 'bert' });
    expect(other.channel).toMatchObject({ url: 'https://ntfy.sh', has_token: false });
  });

  test.each([
    ['url', { ...gotify, url: 'ftp://push.example' }],
    ['url', { ...gotify, url: 'http://127.0.0.1:9' }],
    ['url', { ...gotify, url: 'https://user:pw@push.example' }],
    ['token', { ...gotify, token: '' }],
    ['token', { ...gotify, token: 'a\r\nHost: x' }],
    ['topic', { ...gotify, topic: 'bar' }],
    ['topic', { kind: 'ntfy', name: 'Phone' }],
    ['address', { kind: 'mail', name: 'Boss', address: 'a@b, c@d' }],
    ['method', { kind: 'http', name: 'Own', url: 'https://own.example', method: 'GET' }],
    ['headers', { kind: 'http', name: 'Own', url: 'https://own.example', headers: 'Host: x' }],
    ['headers', { kind: 'http', name: 'Own', url: 'https://own.example', headers: 'no colon' }],
    ['body', { kind: 'http', name: 'Own', url: 'https://own.example', body: '{"a": {title}}' }],
    ['body', { kind: 'http', name: 'Own', url: 'https://own.example', body: 'Alarm {tittle}' }],
    ['url', { kind: 'http', name: 'Own', url: 'https://{secret}.example', secret: 'x' }],
    ['user_id', { ...gotify, user_id: 'bert' }],
    ['step', { ...gotify, step: 4 }],
  ])('refuse a wrong %s', async (field, body) => {
    const error = await root.expectError(400, 'post', '/admin/alarm-channels', body);
    expect(error.fields).toHaveProperty(field);
  });

  test('are tested by staff, changed by superusers, and restored after their deletion', async () => {
    await root.create('/admin/alarm-channels', { ...gotify, user_id: 'anna', alarm_kinds: ['too_warm'] });
    await anna.send('post', '/admin/alarm-channels/1/test');
    expect(tested).toEqual([1]);
    await anna.expectError(403, 'post', '/admin/alarm-channels', gotify);
    await anna.expectError(403, 'delete', '/admin/alarm-channels/1');
    await root.send('delete', '/admin/alarm-channels/1');
    expect((await anna.send('get', '/admin/alarm-channels')).channels).toEqual([]);
    await root.expectError(404, 'patch', '/admin/alarm-channels/1', { step: 2 });
    const { channel } = await root.send('post', '/admin/alarm-channels/1/restore');
    expect(channel).toMatchObject({ user_id: 'anna', alarm_kinds: ['too_warm'], has_token: true });
    await root.expectError(404, 'post', '/admin/alarm-channels/1/restore');
  });
});

describe('a link in a message', () => {
  function openLink(): string {
    server.engine.notifications.mail.change({ baseUrl: 'https://bar.example' }, systemActor, server.now());
    const context = { actor: systemActor, now: server.now() };
    server.engine.notifications.alarmChannels.add(
      { kind: 'ntfy', name: 'Phone', fields: { topic: 'bar' } },
      context,
    );
    raise();
    pass(minute);
    server.engine.notifications.alarms.sendDue(server.now());
    const [message] = server.engine.notifications.outbox.due(
      { kind: 'alarm', target: 'channel:1' },
      server.now(),
      1,
    );
    return (JSON.parse(message!.payload) as { link: string }).link;
  }

  test('shows its alarms to whoever has it, and acknowledges them once and only by POST', async () => {
    const path = `/api/alarm-links/${openLink()}`;
    const shown = await request(server.app).get(path).expect(200);
    expect(shown.body.result.alarms).toMatchObject([{ title: 'Too warm: Left', is_acknowledged: false }]);
    await request(server.app).get(path).expect(200);
    expect(server.engine.notifications.alarms.unacknowledgedCount()).toBe(1);
    // ntfy sends no body.
    const done = await request(server.app).post(path).expect(200);
    expect(done.body.result.alarms).toMatchObject([{ is_acknowledged: true }]);
    expect(server.engine.notifications.alarms.get(1).acknowledgedChannel).toBe('Phone');
    await request(server.app).post(path).expect(404);
    await request(server.app).get(path).expect(404);
  });

  test('that is wrong or of a deleted channel opens nothing', async () => {
    const link = openLink();
    await request(server.app)
      .post(`/api/alarm-links/${'A'.repeat(43)}`)
      .expect(404);
    await request(server.app).post('/api/alarm-links/%27').expect(404);
    const context = { actor: systemActor, now: server.now() };
    server.engine.notifications.alarmChannels.remove(1, context);
    await request(server.app).post(`/api/alarm-links/${link}`).expect(404);
  });
});
