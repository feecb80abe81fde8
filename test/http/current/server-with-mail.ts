import request from 'supertest';
import { systemActor } from '../../../src/engine/engine.ts';
import { createMailTransport } from '../../../src/outbox/mail/mail-transport.ts';
import { startOutboxWorker } from '../../../src/outbox/worker.ts';
import { headersOf, openMailServer, type ReceivedMail, shortTimeouts } from '../../outbox/test-outbox.ts';
import { createTestServer } from '../test-server.ts';

/** A test server with a real mail server, at which everybody may register. Anna is staff, Bert is not. */
export async function createServerWithMail(change: Parameters<typeof createTestServer>[0] = {}) {
  const server = createTestServer(change);
  const mailServer = await openMailServer();
  const { engine, bus, scheduler } = server;
  engine.notifications.mail.change(
    { host: '127.0.0.1', port: mailServer.port, security: 'none', fromAddress: 'bar@example.org' },
    systemActor,
    server.now(),
  );
  engine.users.changeSite({ registrationMode: 'public' });
  for (const username of ['anna', 'bert']) {
    engine.users.accounts.change(username, { email: `${username}@example.org` }, systemActor, server.now());
  }
  const pump = startOutboxWorker({
    outbox: () => engine.notifications.outbox,
    transports: [createMailTransport({ engine: () => engine, timeouts: shortTimeouts })],
    bus,
    clock: { now: server.now },
    scheduler,
    log: { info() {}, warn() {}, error() {} },
    reportProblem: () => () => {},
  });

  /** Sends all waiting mails and returns those received since the last call. */
  async function newMails(): Promise<readonly ReceivedMail[]> {
    for (let turn = 0; turn < 10; turn++) {
      scheduler.advance(1_000);
      await pump.idle();
    }
    return mailServer.mails.splice(0);
  }

  return {
    ...server,
    newMails,
    /** The link in the only new mail, which must have this address and subject. */
    async linkTo(address: string, subject: string): Promise<URL> {
      const mails = await newMails();
      const received = mails.map((mail) => [mail.to.join(), headersOf(mail).get('subject')]);
      if (JSON.stringify(received) !== JSON.stringify([[address, `[Tapster] ${subject}`]])) {
        throw new Error(`Other mails came: ${JSON.stringify(received)}`);
      }
      return new URL(findLink(mails[0]!));
    },
    call: (
      method: 'get' | 'post' | 'patch' | 'delete',
      path: string,
      { cookie = '', host, body }: { cookie?: string; host?: string; body?: object } = {},
    ) => {
      const sending = request(server.app)[method](`/api${path}`).set('Cookie', cookie);
      if (host !== undefined) sending.set('Host', host);
      return sending.send(body);
    },
    async close() {
      await pump.stop(1_000);
      await mailServer.close();
    },
  };
}

export type ServerWithMail = Awaited<ReturnType<typeof createServerWithMail>>;

/** The first URL in the plain text part of a mail; quoted-printable line breaks are removed. */
export function findLink({ text }: ReceivedMail): string {
  const plain = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_all, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  const link = /https?:\/\/[^\s"<]+/.exec(plain)?.[0];
  if (link === undefined) throw new Error(`No link in: ${plain}`);
  return link;
}
