import type { Engine, OutboxMessage } from '../engine/engine.ts';
import type { CarriedOutcome, Carrier } from './carrier.ts';
import { eventLetter, type MailedEvent } from './event-letters.ts';
import type { Letter } from './letter.ts';
import { type MailPatience, mailOut } from './mail-server.ts';
import { peopleLetter } from './people-letters.ts';
import type { EventNote } from './webhook-body.ts';

/** Mails under way at once: with one that hangs, the others still go. */
const mostAtOnce = 2;

const mailedEvents: readonly string[] = [
  'keg_tapped',
  'session_started',
  'keg_volume_low',
  'keg_ended',
] satisfies MailedEvent[];

export interface MailCarrierParts {
  readonly engine: () => Engine;
  readonly patience?: MailPatience;
}

/** Sends letters through the mail server of the settings. */
export function mailCarrier({ engine: findEngine, patience }: MailCarrierParts): Carrier {
  return {
    kind: 'mail',
    mostAtOnce,
    async carry(message, signal): Promise<CarriedOutcome> {
      const engine = findEngine();
      const settings = engine.mail.settings();
      if (settings.host === '') return { kind: 'skipped', why: 'No mail server is set any more.' };
      const to = engine.outbox.mailAddress(message.target);
      if (to === null) return { kind: 'skipped', why: 'The account is switched off or has no address.' };
      const letter = letterOf(engine, message, settings.baseUrl);
      if (letter === null) return { kind: 'skipped', why: 'What it tells of has been taken back.' };
      const { title } = engine.users.site();
      return mailOut({
        settings,
        fromName: title,
        to,
        letter: { ...letter, subject: `[${title}] ${letter.subject}` },
        uid: message.uid,
        signal,
        ...(patience === undefined ? {} : { patience }),
      });
    },
  };
}

function letterOf(engine: Engine, { topic, payload }: OutboxMessage, baseUrl: string): Letter | null {
  const values = JSON.parse(payload) as unknown;
  return mailedEvents.includes(topic)
    ? eventLetter(engine, topic as MailedEvent, values as EventNote, baseUrl)
    : peopleLetter(topic, values, engine.users.site());
}
