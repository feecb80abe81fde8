import { afterEach, expect, test } from 'vitest';
import type { OwnMail } from '../../../src/engine/engine.ts';
import { queueOwnMail } from '../../../src/engine/shared/queue-mail.ts';
import { defineMail } from '../../../src/outbox/mail/own-mails.ts';
import { headersOf, openMailServer, openTestOutbox } from '../test-outbox.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const tide: OwnMail<{ readonly level: number }> = { template: 'tide' };
const ownMails = [
  defineMail(tide, async () => ({ level }, { texts: { language } }) => ({
    subject: `High water (${language})`,
    paragraphs: [`The water is at ${level} cm.`],
  })),
];

/** Sends the mail to somebody who reads German, by a program that knows the given mails. */
async function send(known: typeof ownMails) {
  const bar = await openTestOutbox({ ownMails: known });
  const server = await openMailServer();
  closers.push(bar.close, server.close);
  bar.setMailServer(server.port);
  const mail = { to: 'zoe@example.org', language: 'de', values: { level: 340 } };
  bar.store.transaction(() => queueOwnMail(bar.store, tide, mail, bar.now()));
  await bar.sendOut();
  return { bar, server };
}

test('a mail of an extension is written in the language of its reader', async () => {
  const { server } = await send(ownMails);
  expect(server.mails).toHaveLength(1);
  expect(headersOf(server.mails[0]!).get('subject')).toContain('High water (de)');
  expect(server.mails[0]!.text).toContain('The water is at 340 cm.');
});

test('one of an extension that is gone is not sent, and says so', async () => {
  const { bar, server } = await send([]);
  expect(server.mails).toEqual([]);
  expect(bar.engine.notifications.outbox.list({}).items).toMatchObject([{ topic: 'tide', state: 'skipped' }]);
});
