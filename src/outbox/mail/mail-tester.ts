import { AppError } from '../../core/app-error.ts';
import type { IdSource } from '../../core/clock/moment.ts';
import type { Engine } from '../../engine/engine.ts';
import { parseMailAddress } from '../../engine/shared/queue-mail.ts';
import { renderEmailTemplate } from './email-templates.ts';
import { chooseMailTexts } from './mail-language.ts';
import { type MailTimeouts, sendMail } from './mail-server.ts';

/** Shorter than usual, because a person waits for the result on a page. */
const testTimeouts: MailTimeouts = { connectMs: 8_000, idleMs: 10_000, totalMs: 20_000 };

/** Sends a test mail directly, without the outbox. */
export function createMailTester(parts: {
  readonly engine: () => Engine;
  readonly ids: IdSource;
  readonly timeouts?: MailTimeouts;
}) {
  const { engine: getEngine, ids, timeouts = testTimeouts } = parts;
  return {
    /** Rejects with `conflict` if the mail was not accepted, `invalid_request` for an invalid address. */
    async sendTest({
      address,
      username,
    }: {
      readonly address: string;
      readonly username: string;
    }): Promise<void> {
      const engine = getEngine();
      const to = parseMailAddress('address', address);
      const settings = engine.notifications.mail.settings();
      if (settings.host === '')
        throw new AppError('conflict', 'No mail server is set: set one first.', {
          reason: { name: 'no_mail' },
        });
      const site = engine.users.site();
      const texts = chooseMailTexts(engine.users.user(username)?.notificationLanguage, site);
      const email = renderEmailTemplate('test', { username }, { site, texts })!;
      const outcome = await sendMail({
        settings,
        fromName: site.title,
        to,
        email: { ...email, subject: `[${site.title}] ${email.subject}` },
        uid: `test-${ids.next()}`,
        signal: new AbortController().signal,
        timeouts,
      });
      if (outcome.kind === 'failed') throw new AppError('conflict', outcome.problem);
    },
  };
}
