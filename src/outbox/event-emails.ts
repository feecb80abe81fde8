import { percentFull } from '../core/kegs/keg-volume.ts';
import type { SystemEventKind } from '../core/records.ts';
import type { MailLanguage } from '../core/rules/mail-languages.ts';
import type { Engine } from '../engine/engine.ts';
import type { Email } from './email.ts';
import { mailTexts } from './email-templates.ts';
import type { MailTexts } from './mail-texts/mail-texts.ts';
import type { EventNote } from './webhook-body.ts';

/** Events that are sent by mail. */
export type MailedEvent = Extract<
  SystemEventKind,
  'keg_tapped' | 'session_started' | 'keg_volume_low' | 'keg_ended'
>;

/** Renders the email about an event; null if its keg or session no longer exists. */
export function renderEventEmail(
  engine: Engine,
  kind: MailedEvent,
  note: EventNote,
  { baseUrl, language }: { readonly baseUrl: string; readonly language: MailLanguage },
): Email | null {
  const texts = mailTexts[language];
  const rendered =
    kind === 'session_started'
      ? renderSessionEmail(engine, note, texts)
      : renderKegEmail(engine, note, texts.kegEvents[kind]);
  if (rendered === null) return null;
  const { path, ...email } = rendered;
  return {
    ...email,
    ...(baseUrl === '' ? {} : { link: { text: texts.eventLink, href: `${baseUrl}${path}` } }),
    footer: texts.eventFooter(baseUrl === '' ? null : `${baseUrl}/account`),
  };
}

type EmailWithPath = Pick<Email, 'subject' | 'paragraphs'> & { readonly path: string };

function renderSessionEmail(engine: Engine, note: EventNote, texts: MailTexts): EmailWithPath | null {
  const found = note.session_id === null ? null : engine.events.session(note.session_id);
  if (found === null) return null;
  const drink = note.drink_id === null ? null : engine.drinks.get(note.drink_id);
  const drinker = engine.users.site().enableUsers ? (drink?.user?.displayName ?? null) : null;
  return { ...texts.sessionStarted({ id: found.id, drinker }), path: `/s/${found.id}/` };
}

function renderKegEmail(
  engine: Engine,
  note: EventNote,
  text: MailTexts['kegEvents']['keg_tapped'],
): EmailWithPath | null {
  const found = note.keg_id === null ? null : engine.kegs.get(note.keg_id);
  const beverage = found === null ? null : engine.kegs.beverage(found.beverageId);
  if (found === null || beverage === null) return null;
  const keg = {
    id: found.id,
    beverage: beverage.name,
    producer: beverage.producer.name,
    fullMl: found.fullVolumeMl,
    servedMl: found.servedVolumeMl,
    percentFull: Math.max(0, percentFull(found) * 100),
  };
  return { ...text(keg, engine.users.site()), path: `/kegs/${found.id}/` };
}
