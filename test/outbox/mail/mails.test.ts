import { createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createProblem } from '../../../src/core/health/problems.ts';
import { systemActor, toActor } from '../../../src/engine/engine.ts';
import { queueMail } from '../../../src/engine/shared/queue-mail.ts';
import { minute } from '../../engine/bar.ts';
import {
  headersOf,
  openMailServer,
  openReceiver,
  openTestOutbox,
  type TestOutbox,
  type TestOutboxOptions,
} from '../test-outbox.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function outbox(options: TestOutboxOptions = {}) {
  const opened = await openTestOutbox(options);
  closers.push(opened.close);
  return opened;
}

async function mailServer(...options: Parameters<typeof openMailServer>) {
  const opened = await openMailServer(...options);
  closers.push(opened.close);
  return opened;
}

/** A TCP server that handles connections with the given function; returns its port. */
async function listener(handle: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    handle(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => void server.close());
  return (server.address() as { port: number }).port;
}

function invite(bar: TestOutbox, to: number | string): void {
  bar.store.transaction(() =>
    queueMail(
      bar.store,
      {
        to,
        template: 'invitation',
        values: { invitedBy: 'Anna', link: 'http://bar.example/register?code=1' },
      },
      bar.now(),
    ),
  );
}

test('mails a tapped keg to the users who chose it only', async () => {
  const bar = await outbox();
  const server = await mailServer();
  bar.setMailServer(server.port, { baseUrl: 'http://bar.example' });
  bar.engine.notifications.add(bar.bert(), {});
  bar.tapKeg();
  bar.pourDrink();
  await bar.sendOut();
  expect(server.mails.map(({ from, to }) => [from, to])).toEqual([['bar@example.org', ['bert@example.org']]]);
  const headers = headersOf(server.mails[0]!);
  expect(headers.get('subject')).toBe('[Tapster] Keg tapped: Lager');
  expect(headers.get('auto-submitted')).toBe('auto-generated');
  expect(server.mails[0]!.text).toContain('http://bar.example/kegs/1/');
  expect(server.mails[0]!.text).toContain('http://bar.example/account');
});

test('sends a mail for each of the four kinds of events', async () => {
  const bar = await outbox();
  const server = await mailServer();
  bar.setMailServer(server.port);
  const wants = { keg_tapped: true, session_started: true, keg_volume_low: true, keg_ended: true };
  bar.engine.notifications.add(bar.bert(), { wants });
  const keg = bar.tapKeg();
  bar.pourDrink(26_000, 'anna');
  bar.engine.kegs.end(keg.id, bar.now());
  await bar.sendOut();
  expect(server.mails.map((mail) => headersOf(mail).get('subject'))).toEqual([
    '[Tapster] Keg tapped: Lager',
    '[Tapster] Session started',
    '[Tapster] Keg nearly empty: Lager',
    '[Tapster] Keg finished: Lager',
  ]);
  expect(server.mails[1]!.text).toContain('anna poured the first drink');
  expect(server.mails[2]!.text).toContain('13.3% left');
});

test.each([
  ['metric', '30.0 L'],
  ['us', '63.4 pints'],
  ['uk', '52.8 pints'],
] as const)('a mail shows volumes in %s units', async (volumeUnits, shown) => {
  const bar = await outbox();
  const server = await mailServer();
  bar.setMailServer(server.port);
  bar.engine.users.changeSite({ volumeUnits });
  bar.engine.notifications.add(bar.bert(), {});
  bar.tapKeg();
  await bar.sendOut();
  expect(server.mails[0]!.text).toContain(`, ${shown}.`);
});

test('writes mails about events in the language of the reader, without drinkers where the site shows none', async () => {
  const bar = await outbox();
  const server = await mailServer();
  bar.setMailServer(server.port);
  const wants = { keg_tapped: true, session_started: true, keg_volume_low: true, keg_ended: true };
  bar.engine.notifications.add(bar.bert(), { wants });
  bar.engine.users.accounts.change('bert', { notificationLanguage: 'de' }, systemActor, bar.now());
  bar.engine.users.changeSite({ enableUsers: false, volumeUnits: 'metric' });
  const keg = bar.tapKeg();
  bar.pourDrink(26_000, 'anna');
  bar.engine.kegs.end(keg.id, bar.now());
  await bar.sendOut();
  expect(server.mails.map((mail) => headersOf(mail).get('subject'))).toEqual([
    '[Tapster] Fass angestochen: Lager',
    '[Tapster] Abend begonnen',
    '[Tapster] Fass fast leer: Lager',
    '[Tapster] Fass abgeschlossen: Lager',
  ]);
  expect(server.mails[0]!.text).toContain('30,0 L');
  expect(server.mails[1]!.text).not.toContain('anna');
  expect(server.mails[2]!.text).toContain('13,3=C2=A0%');
});

test('writes in the language of the site to readers who chose none, marked in the HTML', async () => {
  const bar = await outbox();
  const server = await mailServer();
  bar.setMailServer(server.port);
  bar.engine.users.changeSite({ locale: 'de-AT' });
  bar.engine.notifications.add(bar.bert(), {});
  invite(bar, 'carl@example.org');
  bar.tapKeg();
  bar.engine.users.accounts.change('bert', { notificationLanguage: 'en' }, systemActor, bar.now());
  await bar.sendOut();
  const subjects = server.mails.map((mail) => [mail.to[0], headersOf(mail).get('subject')]);
  expect(subjects.sort()).toEqual([
    ['bert@example.org', '[Tapster] Keg tapped: Lager'],
    ['carl@example.org', '[Tapster] Einladung'],
  ]);
  expect(server.mails.find(({ to }) => to[0] === 'carl@example.org')?.text).toContain('<html lang=3D"de">');
});

test('queues nothing without a mail server, or for users without settings', async () => {
  const bar = await outbox();
  bar.tapKeg();
  bar.engine.notifications.add(bar.bert(), { wants: { session_started: true } });
  bar.pourDrink();
  expect(bar.states()).toEqual([]);
});

test('sends no mail to a user deactivated meanwhile, and uses an address changed meanwhile', async () => {
  const bar = await outbox();
  const server = await mailServer();
  bar.setMailServer(server.port);
  invite(bar, bar.anna().id);
  invite(bar, bar.bert().id);
  const by = toActor(bar.anna(), 'page');
  bar.engine.users.accounts.change('bert', { isActive: false }, by, bar.now());
  bar.engine.users.accounts.change('anna', { email: 'anna@new.example' }, by, bar.now());
  await bar.sendOut();
  expect(server.mails.map(({ to }) => to)).toEqual([['anna@new.example']]);
  expect(bar.states().sort()).toEqual(['sent', 'skipped']);
});

test('a refused address makes its message dead; other mails are sent', async () => {
  const bar = await outbox();
  const server = await mailServer({
    onRcptTo({ address }, _session, done) {
      done(
        address.startsWith('nobody') ? Object.assign(new Error('no such user'), { responseCode: 550 }) : null,
      );
    },
  });
  bar.setMailServer(server.port);
  for (const to of ['nobody@example.org', 'carl@example.org']) invite(bar, to);
  await bar.sendOut();
  expect(server.mails.map(({ to }) => to)).toEqual([['carl@example.org']]);
  expect(bar.engine.notifications.outbox.list({ state: 'dead' }).items).toMatchObject([
    {
      recipient: 'nobody@example.org',
      lastError: createProblem('mail_address_refused', { code: 550 }),
    },
  ]);
});

test('retries after a temporary refusal with the same message id', async () => {
  const bar = await outbox();
  const ids: (string | undefined)[] = [];
  let tries = 0;
  const server = await mailServer({
    onRcptTo(_address, _session, done) {
      done(++tries === 1 ? Object.assign(new Error('greylisted'), { responseCode: 451 }) : null);
    },
  });
  bar.setMailServer(server.port);
  invite(bar, 'carl@example.org');
  const { uid } = bar.store.notifications.outbox.byId(1)!;
  await bar.pass(200);
  expect(bar.states()).toEqual(['waiting']);
  await bar.pass(20_000);
  ids.push(...server.mails.map((mail) => headersOf(mail).get('message-id')));
  expect(ids).toEqual([`<${uid}@example.org>`]);
});

test('an unreachable, hanging or crashing mail server blocks no webhook and loses no mail', async () => {
  const hangingPort = await listener(() => {});
  const crashingPort = await listener((socket) => socket.end('220 mail.bar ready\r\n'));
  const gone = await openMailServer();
  await gone.close();
  for (const port of [hangingPort, crashingPort, gone.port]) {
    const bar = await outbox({ timeouts: { connectMs: 700, idleMs: 700, totalMs: 1_400 } });
    const hook = await openReceiver();
    closers.push(hook.close);
    bar.setMailServer(port);
    bar.setWebhooks({ urls: [hook.url] });
    bar.engine.notifications.add(bar.bert(), {});
    bar.engine.notifications.add(bar.anna(), {});
    const before = hook.received.length;
    bar.tapKeg();
    const out = bar.pass(200);
    await expect.poll(() => hook.received.length).toBe(before + 1);
    await out;
    expect(bar.problems.get('mail')).toContain('cannot be reached or does not answer');
    const server = await mailServer();
    bar.setMailServer(server.port);
    await bar.pass(minute);
    await bar.sendOut();
    expect(server.mails.map(({ to }) => to[0]).sort()).toEqual(['anna@example.org', 'bert@example.org']);
    expect(bar.problems.get('mail')).toBeNull();
  }
});

test('postpones a mail if the server stops responding during it', async () => {
  const bar = await outbox({ timeouts: { connectMs: 300, idleMs: 200, totalMs: 600 } });
  const server = await mailServer({ onMailFrom() {} });
  bar.setMailServer(server.port);
  invite(bar, 'carl@example.org');
  await bar.pass(200);
  expect(bar.store.notifications.outbox.byId(1)).toMatchObject({ state: 'waiting', attempts: 1 });
});

test('tries an unreachable mail server only after retry delays, not for every mail', async () => {
  const bar = await outbox();
  let calls = 0;
  const port = await listener((socket) => {
    calls += 1;
    socket.destroy();
  });
  bar.setMailServer(port);
  for (let guest = 0; guest < 20; guest++) invite(bar, `guest${guest}@example.org`);
  await bar.pass(200);
  await bar.pass(9_000);
  expect(calls).toBeLessThanOrEqual(2);
});

test('reports a wrong password without the password', async () => {
  const bar = await outbox();
  const server = await mailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: (auth, _session, done) => done(new Error(`wrong: ${auth.username} ${auth.password}`)),
  });
  bar.setMailServer(server.port, { username: 'bar-user', password: 'mail-password' });
  invite(bar, 'carl@example.org');
  for (let turn = 0; turn < 3; turn++) await bar.pass(minute);
  const problem = JSON.stringify([
    bar.lines,
    [...bar.problems],
    bar.store.notifications.outbox.byId(1)!.lastError,
  ]);
  expect(problem).toContain('refuses the login');
  for (const secret of [
    'mail-password',
    Buffer.from('mail-password').toString('base64'),
    'carl@',
    'code=1',
  ]) {
    expect(problem).not.toContain(secret);
  }
});

test('sends a mail with a login', async () => {
  const bar = await outbox();
  const server = await mailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      done(username === 'bar-user' && password === 'mail-password' ? null : new Error('no'), { user: 1 }),
  });
  bar.setMailServer(server.port, { username: 'bar-user', password: 'mail-password' });
  invite(bar, 'carl@example.org');
  await bar.sendOut();
  expect(server.mails).toHaveLength(1);
});

test('sends nothing over an unencrypted connection if encryption is required', async () => {
  const bar = await outbox();
  const server = await mailServer();
  bar.setMailServer(server.port, { security: 'starttls', username: 'bar-user', password: 'mail-password' });
  invite(bar, 'carl@example.org');
  await bar.pass(200);
  expect(server.mails).toEqual([]);
  expect(bar.states()).toEqual(['waiting']);
});

test('names cannot inject a header, a recipient or markup', async () => {
  const bar = await outbox();
  const server = await mailServer();
  bar.engine.users.changeSite({ title: 'Bar <b>"x"\u2028Bcc: all@example.org' });
  bar.setMailServer(server.port);
  bar.engine.notifications.add(bar.bert(), {});
  const tap = bar.engine.taps.list()[0]!.tap;
  bar.engine.kegs.start(
    tap.id,
    {
      beverage: {
        name: 'Ale\r\nBcc: all@example.org\r\n\r\n<script>alert(1)</script>',
        producerName: '<img src=x>',
        styleName: '',
      },
      sizeKey: 'euro-30-liter',
    },
    bar.now(),
  );
  await bar.sendOut();
  const [mail] = server.mails;
  expect(mail!.to).toEqual(['bert@example.org']);
  const headers = headersOf(mail!);
  expect([...headers.keys()]).not.toContain('bcc');
  expect(headers.get('to')).toBe('bert@example.org');
  const html = mail!.text.split('text/html')[1]!;
  expect(html).not.toMatch(/<script|<img|<b>/);
});

test('sends a mail once to each user, however often the worker polls', async () => {
  const bar = await outbox();
  const server = await mailServer();
  bar.setMailServer(server.port);
  for (let guest = 0; guest < 5; guest++) invite(bar, `guest${guest}@example.org`);
  bar.worker.wake();
  await bar.sendOut();
  bar.worker.wake();
  await bar.sendOut();
  expect(server.mails.map(({ to }) => to[0]).sort()).toEqual(
    [0, 1, 2, 3, 4].map((guest) => `guest${guest}@example.org`),
  );
});

test('sends waiting mails at once when the mail server is fixed', async () => {
  const bar = await outbox();
  const gone = await openMailServer();
  await gone.close();
  bar.setMailServer(gone.port);
  invite(bar, 'carl@example.org');
  for (let turn = 0; turn < 8; turn++) await bar.pass(30 * minute);
  const server = await mailServer();
  bar.setMailServer(server.port);
  await bar.pass(minute);
  expect(server.mails).toEqual([]);
  bar.worker.retryNow('mail');
  await bar.pass(200);
  expect(server.mails).toHaveLength(1);
});

test('clears the problem of a message that was removed', async () => {
  const bar = await outbox();
  const gone = await openMailServer();
  await gone.close();
  bar.setMailServer(gone.port);
  invite(bar, 'carl@example.org');
  await bar.pass(200);
  expect(bar.problems.get('mail')).toContain('cannot be reached');
  bar.engine.notifications.outbox.remove(1);
  await bar.pass(10_000);
  expect(bar.problems.get('mail')).toBeNull();
});

test('a database that cannot be read stops neither the worker nor the shutdown', async () => {
  const bar = await outbox();
  const server = await mailServer();
  bar.setMailServer(server.port);
  invite(bar, 'carl@example.org');
  const { due } = bar.store.notifications.outbox;
  Object.assign(bar.store.notifications.outbox, {
    due: () => {
      throw new Error('the disk fails');
    },
  });
  await bar.pass(200);
  await bar.worker.idle();
  Object.assign(bar.store.notifications.outbox, { due });
  await bar.pass(10_000);
  expect(server.mails).toHaveLength(1);
});
