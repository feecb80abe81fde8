import { AppError } from '../core/app-error.ts';
import type { IdSource } from '../core/moment.ts';
import type { Engine } from '../engine/engine.ts';
import { mailAddressIn } from '../engine/outbox/queue-mail.ts';
import { type MailPatience, mailOut } from './mail-server.ts';
import { peopleLetter } from './people-letters.ts';

/** Somebody is waiting at the page, so the mail server gets less time than usual. */
const testPatience: MailPatience = { connectMs: 8_000, silenceMs: 10_000, wholeMs: 20_000 };

/** Sends a mail past the outbox, and says whether the mail server has taken it. */
export function createMailTester(parts: {
  readonly engine: () => Engine;
  readonly ids: IdSource;
  readonly patience?: MailPatience;
}) {
  const { engine: findEngine, ids, patience = testPatience } = parts;
  return {
    /** Rejects with `conflict` and what is wrong, `invalid_request` for what is no address. */
    async sendTest({
      address,
      username,
    }: {
      readonly address: string;
      readonly username: string;
    }): Promise<void> {
      const engine = findEngine();
      const to = mailAddressIn('address', address);
      const settings = engine.mail.settings();
      if (settings.host === '')
        throw new AppError('conflict', 'No mail server is set: set one first.', {
          reason: { name: 'no_mail' },
        });
      const site = engine.users.site();
      const letter = peopleLetter('test', { username }, site)!;
      const outcome = await mailOut({
        settings,
        fromName: site.title,
        to,
        letter: { ...letter, subject: `[${site.title}] ${letter.subject}` },
        uid: `test-${ids.next()}`,
        signal: new AbortController().signal,
        patience,
      });
      if (outcome.kind === 'failed') throw new AppError('conflict', outcome.error);
    },
  };
}
