import { percentFull } from '../../core/kegs/keg-volume.ts';
import type { SystemEventKind } from '../../core/system-events.ts';
import type { Engine } from '../../engine/engine.ts';
import type { EventNote } from '../webhooks/webhook-body.ts';
import type { Email, MailContext } from './email.ts';
import { formatNumber, formatVolume } from './mail-figures.ts';

/** Events that are sent by mail. */
export type MailedEvent = Extract<
  SystemEventKind,
  'keg_tapped' | 'session_started' | 'keg_volume_low' | 'keg_ended'
>;

type EventContent = Pick<Email, 'subject' | 'paragraphs'> & { readonly path: string };

/** Renders the email about an event; null if its keg or session no longer exists. */
export function renderEventEmail(
  engine: Engine,
  kind: MailedEvent,
  note: EventNote,
  { baseUrl, ...context }: MailContext & { readonly baseUrl: string },
): Email | null {
  const { t, language } = context.texts;
  const rendered =
    kind === 'session_started'
      ? renderSession(engine, note, context)
      : renderKeg(engine, kind, note, context);
  if (rendered === null) return null;
  const { path, ...email } = rendered;
  const chosen = t('mails.chosen');
  if (baseUrl === '') return { ...email, language, footer: chosen };
  return {
    ...email,
    language,
    link: { text: t('mails.openPage'), href: `${baseUrl}${path}` },
    footer: `${chosen} ${t('mails.accountPage', { url: `${baseUrl}/account` })}`,
  };
}

function renderSession(
  engine: Engine,
  note: EventNote,
  { site, texts: { t } }: MailContext,
): EventContent | null {
  const found = note.session_id === null ? null : engine.drinks.events.session(note.session_id);
  if (found === null) return null;
  const drink = note.drink_id === null ? null : engine.drinks.get(note.drink_id);
  const name = site.enableUsers ? drink?.user?.displayName : undefined;
  return {
    subject: t('mails.session_started.subject'),
    paragraphs: [
      name === undefined ? t('mails.session_started.text') : t('mails.session_started.named', { name }),
    ],
    path: `/s/${found.id}/`,
  };
}

function renderKeg(
  engine: Engine,
  kind: Exclude<MailedEvent, 'session_started'>,
  note: EventNote,
  { site, texts }: MailContext,
): EventContent | null {
  const keg = note.keg_id === null ? null : engine.kegs.get(note.keg_id);
  const beverage = keg === null ? null : engine.kegs.beverage(keg.beverageId);
  if (keg === null || beverage === null) return null;
  const { t } = texts;
  const beer = beverage.name;
  const facts = { id: keg.id, beer, brewery: beverage.producer.name };
  const path = `/kegs/${keg.id}/`;
  const full = formatVolume(keg.fullVolumeMl, site, texts);
  switch (kind) {
    case 'keg_tapped':
      return {
        subject: t('mails.keg_tapped.subject', { beer }),
        paragraphs: [t('mails.keg_tapped.text', { ...facts, full })],
        path,
      };
    case 'keg_ended': {
      const poured = formatVolume(keg.servedVolumeMl, site, texts);
      return {
        subject: t('mails.keg_ended.subject', { beer }),
        paragraphs: [t('mails.keg_ended.text', { ...facts, poured, full })],
        path,
      };
    }
    case 'keg_volume_low': {
      const percent = formatNumber(Math.max(0, percentFull(keg) * 100), texts);
      return {
        subject: t('mails.keg_volume_low.subject', { beer }),
        paragraphs: [t('mails.keg_volume_low.text', { ...facts, percent })],
        path,
      };
    }
  }
}
