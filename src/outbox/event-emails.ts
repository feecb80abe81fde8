import { percentFull } from '../core/kegs/keg-volume.ts';
import { toOz, toUkPints } from '../core/kegs/volume-units.ts';
import type { Site, SystemEventKind } from '../core/records.ts';
import type { Engine } from '../engine/engine.ts';
import type { Email } from './email.ts';
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
  baseUrl: string,
): Email | null {
  const rendered =
    kind === 'session_started' ? renderSessionEmail(engine, note) : renderKegEmail(engine, kind, note);
  if (rendered === null) return null;
  const { path, ...email } = rendered;
  return {
    ...email,
    ...(baseUrl === '' ? {} : { link: { text: 'See it on the page', href: `${baseUrl}${path}` } }),
    footer: `You chose this notification.${baseUrl === '' ? '' : ` Change it at ${baseUrl}/account`}`,
  };
}

type EmailWithPath = Pick<Email, 'subject' | 'paragraphs'> & { readonly path: string };

function renderSessionEmail(engine: Engine, note: EventNote): EmailWithPath | null {
  const found = note.session_id === null ? null : engine.events.session(note.session_id);
  if (found === null) return null;
  const drink = note.drink_id === null ? null : engine.drinks.get(note.drink_id);
  const name = drink?.user?.displayName ?? null;
  return {
    subject: `A new session (${found.id}) has started`,
    paragraphs: [name === null ? 'The first drink has been poured.' : `${name} has poured the first drink.`],
    path: `/s/${found.id}/`,
  };
}

function renderKegEmail(
  engine: Engine,
  kind: Exclude<MailedEvent, 'session_started'>,
  note: EventNote,
): EmailWithPath | null {
  const found = note.keg_id === null ? null : engine.kegs.get(note.keg_id);
  const beverage = found === null ? null : engine.kegs.beverage(found.beverageId);
  if (found === null || beverage === null) return null;
  const what = `${beverage.name} by ${beverage.producer.name}`;
  const site = engine.users.site();
  const served = `${formatVolume(found.servedVolumeMl, site)} of ${formatVolume(found.fullVolumeMl, site)} were poured from it.`;
  const emails: Record<typeof kind, Pick<Email, 'subject' | 'paragraphs'>> = {
    keg_tapped: {
      subject: `New keg tapped: Keg ${found.id}: ${what}`,
      paragraphs: [`Keg ${found.id} is on tap: ${what}, ${formatVolume(found.fullVolumeMl, site)}.`],
    },
    keg_ended: {
      subject: `Keg ended: Keg ${found.id}: ${what}`,
      paragraphs: [`Keg ${found.id} (${what}) is finished. ${served}`],
    },
    keg_volume_low: {
      subject: `Volume low on keg ${found.id} (${what})`,
      paragraphs: [
        `Keg ${found.id} (${what}) is ${Math.max(0, percentFull(found) * 100).toFixed(1)} percent full. ` +
          'Prepare the next one.',
      ],
    },
  };
  return { ...emails[kind], path: `/kegs/${found.id}/` };
}

/** Formats a volume in the site's units. */
function formatVolume(volumeMl: number, { volumeUnits }: Pick<Site, 'volumeUnits'>): string {
  if (volumeUnits === 'us') return `${Math.round(toOz(volumeMl))} oz`;
  if (volumeUnits === 'uk') return `${toUkPints(volumeMl).toFixed(1)} pints (${formatMetric(volumeMl)})`;
  return formatMetric(volumeMl);
}

function formatMetric(volumeMl: number): string {
  return volumeMl < 500 ? `${Math.round(volumeMl)} mL` : `${(volumeMl / 1_000).toFixed(1)} L`;
}
