import request from 'supertest';
import { theHouse } from '../../../../src/engine/engine.ts';
import { mailCarrier } from '../../../../src/outbox/mail-carrier.ts';
import { startPump } from '../../../../src/outbox/pump.ts';
import { headersOf, openMailServer, type ReceivedMail, shortPatience } from '../../../outbox/rig.ts';
import { openHouse } from '../../house.ts';

/** The house with a real mail server behind it, and everybody’s letter boxes. Anna is staff, Bert is not. */
export async function openHouseWithMail(change: Parameters<typeof openHouse>[0] = {}) {
  const house = openHouse(change);
  const server = await openMailServer();
  const { engine, bus, scheduler } = house;
  engine.mail.change(
    { host: '127.0.0.1', port: server.port, security: 'none', fromAddress: 'bar@example.org' },
    theHouse,
    house.now(),
  );
  for (const username of ['anna', 'bert']) {
    engine.accounts.change(username, { email: `${username}@example.org` }, theHouse, house.now());
  }
  const pump = startPump({
    outbox: () => engine.outbox,
    carriers: [mailCarrier({ engine: () => engine, patience: shortPatience })],
    bus,
    clock: { now: house.now },
    scheduler,
    log: { info() {}, warn() {}, error() {} },
    tell: () => () => {},
  });

  /** Lets out all mails that wait, and gives those that came since the last look. */
  async function newMails(): Promise<readonly ReceivedMail[]> {
    for (let turn = 0; turn < 10; turn++) {
      scheduler.pass(1_000);
      await pump.idle();
    }
    return server.mails.splice(0);
  }

  return {
    ...house,
    newMails,
    /** The link in the only new mail, which must be for that address and so headed. */
    async linkTo(address: string, subject: string): Promise<URL> {
      const mails = await newMails();
      const heads = mails.map((mail) => [mail.to.join(), headersOf(mail).get('subject')]);
      if (JSON.stringify(heads) !== JSON.stringify([[address, `[Tapster] ${subject}`]])) {
        throw new Error(`Other mails came: ${JSON.stringify(heads)}`);
      }
      return new URL(linkIn(mails[0]!));
    },
    call: (
      method: 'get' | 'post' | 'patch' | 'delete',
      path: string,
      { cookie = '', host, body }: { cookie?: string; host?: string; body?: object } = {},
    ) => {
      const asked = request(house.app)[method](`/api${path}`).set('Cookie', cookie);
      if (host !== undefined) asked.set('Host', host);
      return asked.send(body);
    },
    async close() {
      await pump.stop(1_000);
      await server.close();
    },
  };
}

export type HouseWithMail = Awaited<ReturnType<typeof openHouseWithMail>>;

/** The first web address in the plain part of a mail, whose long lines were folded on the way. */
export function linkIn({ text }: ReceivedMail): string {
  const plain = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_all, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  const link = /https?:\/\/[^\s"<]+/.exec(plain)?.[0];
  if (link === undefined) throw new Error(`No link in: ${plain}`);
  return link;
}
