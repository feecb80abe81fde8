import { createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { toActor } from '../../src/engine/engine.ts';
import { queueMail } from '../../src/engine/outbox/queue-mail.ts';
import { minute } from '../engine/bar.ts';
import {
  headersOf,
  openMailServer,
  openReceiver,
  openTestOutbox,
  type TestOutbox,
  type TestOutboxOptions,
} from './rig.ts';

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

/** A listener that takes connections and then does as it likes; gives its port. */
async function listener(heed: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    heed(socket);
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

test('who asked for it is told of a fresh keg, and nobody else', async () => {
  const bar = await outbox();
  const server = await mailServer();
  bar.setMailServer(server.port, { baseUrl: 'http://bar.example' });
  bar.engine.notifications.add(bar.bert(), {});
  bar.tapKeg();
  bar.pourDrink();
  await bar.sendOut();
  expect(server.mails.map(({ from, to }) => [from, to])).toEqual([['bar@example.org', ['bert@example.org']]]);
  const headers = headersOf(server.mails[0]!);
  expect(headers.get('subject')).toBe('[Tapster] New keg tapped: Keg 1: Lager by Brewery');
  expect(headers.get('auto-submitted')).toBe('auto-generated');
  expect(server.mails[0]!.text).toContain('http://bar.example/kegs/1/');
  expect(server.mails[0]!.text).toContain('http://bar.example/account');
});

test('each of the four pieces of news has its mail', async () => {
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
    '[Tapster] New keg tapped: Keg 1: Lager by Brewery',
    '[Tapster] A new session (1) has started',
    '[Tapster] Volume low on keg 1 (Lager by Brewery)',
    '[Tapster] Keg ended: Keg 1: Lager by Brewery',
  ]);
  expect(server.mails[1]!.text).toContain('anna has poured the first drink');
  expect(server.mails[2]!.text).toContain('13.3 percent full');
});

test('without a mail server, and without having asked, nothing is written', async () => {
  const bar = await outbox();
  bar.tapKeg();
  bar.engine.notifications.add(bar.bert(), { wants: { session_started: true } });
  bar.pourDrink();
  expect(bar.states()).toEqual([]);
});

test('who is switched off while a mail waits gets none; who moved gets it at the new address', async () => {
  const bar = await outbox();
  const server = await mailServer();
  bar.setMailServer(server.port);
  invite(bar, bar.anna().id);
  invite(bar, bar.bert().id);
  const by = toActor(bar.anna(), 'page');
  bar.engine.accounts.change('bert', { isActive: false }, by, bar.now());
  bar.engine.accounts.change('anna', { email: 'anna@new.example' }, by, bar.now());
  await bar.sendOut();
  expect(server.mails.map(({ to }) => to)).toEqual([['anna@new.example']]);
  expect(bar.states().sort()).toEqual(['sent', 'skipped']);
});

test('an address that is refused is given up; the others get their mails', async () => {
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
  expect(bar.engine.outbox.list({ state: 'dead' }).items).toMatchObject([
    {
      recipient: 'nobody@example.org',
      lastError: 'The mail server does not accept mail for this address (550).',
    },
  ]);
});

test('a server that wants us to come again later is asked again, with the same message id', async () => {
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
  const { uid } = bar.store.outbox.byId(1)!;
  await bar.pass(200);
  expect(bar.states()).toEqual(['waiting']);
  await bar.pass(20_000);
  ids.push(...server.mails.map((mail) => headersOf(mail).get('message-id')));
  expect(ids).toEqual([`<${uid}@example.org>`]);
});

test('a server that is away, hangs at its greeting, or dies in mid-word stops no webhook, and no mail is lost', async () => {
  const hangs = await listener(() => {});
  const dies = await listener((socket) => socket.end('220 mail.bar ready\r\n'));
  const gone = await openMailServer();
  await gone.close();
  for (const port of [hangs, dies, gone.port]) {
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

test('a server that is silent in mid-mail is given up for now', async () => {
  const bar = await outbox({ timeouts: { connectMs: 300, idleMs: 200, totalMs: 600 } });
  const server = await mailServer({ onMailFrom() {} });
  bar.setMailServer(server.port);
  invite(bar, 'carl@example.org');
  await bar.pass(200);
  expect(bar.store.outbox.byId(1)).toMatchObject({ state: 'waiting', attempts: 1 });
});

test('while the mail server is away it is asked now and then, not for every mail', async () => {
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

test('a wrong password is told without the password', async () => {
  const bar = await outbox();
  const server = await mailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: (auth, _session, done) => done(new Error(`wrong: ${auth.username} ${auth.password}`)),
  });
  bar.setMailServer(server.port, { username: 'bar-user', password: 'mail-password' });
  invite(bar, 'carl@example.org');
  for (let turn = 0; turn < 3; turn++) await bar.pass(minute);
  const problem = JSON.stringify([bar.lines, [...bar.problems], bar.store.outbox.byId(1)!.lastError]);
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

test('with a login the server asks for, the mail goes', async () => {
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

test('where a protected connection is wanted, nothing is said without one', async () => {
  const bar = await outbox();
  const server = await mailServer();
  bar.setMailServer(server.port, { security: 'starttls', username: 'bar-user', password: 'mail-password' });
  invite(bar, 'carl@example.org');
  await bar.pass(200);
  expect(server.mails).toEqual([]);
  expect(bar.states()).toEqual(['waiting']);
});

test('no name can add a header, a recipient or markup', async () => {
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

test('a mail is sent once to each, however often the pump looks', async () => {
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

test('when the mail server is put right, what waited goes at once', async () => {
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

test('trouble with what was thrown away is no trouble any more', async () => {
  const bar = await outbox();
  const gone = await openMailServer();
  await gone.close();
  bar.setMailServer(gone.port);
  invite(bar, 'carl@example.org');
  await bar.pass(200);
  expect(bar.problems.get('mail')).toContain('cannot be reached');
  bar.engine.outbox.remove(1);
  await bar.pass(10_000);
  expect(bar.problems.get('mail')).toBeNull();
});

test('a ledger that cannot be read now stops neither the pump nor the closing', async () => {
  const bar = await outbox();
  const server = await mailServer();
  bar.setMailServer(server.port);
  invite(bar, 'carl@example.org');
  const { due } = bar.store.outbox;
  Object.assign(bar.store.outbox, {
    due: () => {
      throw new Error('the disk is away');
    },
  });
  await bar.pass(200);
  await bar.worker.idle();
  Object.assign(bar.store.outbox, { due });
  await bar.pass(10_000);
  expect(server.mails).toHaveLength(1);
});
