import type { Moment } from '../../core/moment.ts';
import type { AlarmKind, AlarmSettings } from '../../store/tables/alarms-table.ts';
import { type Actor, writeAudit } from '../audit.ts';
import { validateNumber } from '../bounds.ts';
import { change, type EngineParts } from '../parts.ts';
import type { EmailTemplates } from './email-templates.ts';
import { queueMail } from './queue-mail.ts';

export type { AlarmKind, AlarmSettings } from '../../store/tables/alarms-table.ts';

/** Things that somebody should look after, told once to the staff who asked for it. */
export interface Alarms {
  settings(): AlarmSettings;
  /** What is absent stays. Throws `invalid_request`. */
  changeSettings(wanted: Partial<AlarmSettings>, actor: Actor, now: Moment): AlarmSettings;
  /** What has been told and is not over; kept over a restart. */
  raised(): readonly { readonly kind: AlarmKind; readonly subject: string }[];
  /** Tells it, unless it was told and is not over yet. True when it was news. */
  raise<K extends AlarmKind>(kind: K, subject: string, values: EmailTemplates[K], now: Moment): boolean;
  /** It is over: the next time it is news again. */
  clear(kind: AlarmKind, subject: string): void;
}

export function createAlarms(parts: EngineParts): Alarms {
  const { store } = parts;
  const toSubject = (text: string) => [...text].slice(0, 256).join('') || 'the house';
  return {
    settings: () => store.alarms.settings(),
    changeSettings: (wanted, actor, now) =>
      change(parts, () => {
        const before = store.alarms.settings();
        const settings = parseSettings({ ...before, ...wanted });
        store.alarms.changeSettings(settings);
        const subject = { kind: 'alarms', id: 'settings' };
        writeAudit(store, { actor, action: 'alarms.changed', subject, before, after: settings }, now);
        return settings;
      }),
    raised: () => store.alarms.raised(),
    raise: (kind, subject, values, now) =>
      change(parts, () => {
        if (!store.alarms.raise(kind, toSubject(subject), Math.max(0, Math.round(now.wallMs)))) return false;
        for (const to of store.notificationSettings.staffRecipients(kind)) {
          queueMail(store, { to, template: kind, values }, now);
        }
        return true;
      }),
    clear: (kind, subject) => void store.transaction(() => store.alarms.clear(kind, toSubject(subject))),
  };
}

function parseSettings({ tooWarmC, tooWarmMinutes, silentMinutes }: AlarmSettings): AlarmSettings {
  return {
    tooWarmC: tooWarmC === null ? null : validateNumber('too_warm_c', tooWarmC, { min: -50, max: 125 }),
    tooWarmMinutes: validateNumber('too_warm_minutes', tooWarmMinutes, { min: 0, max: 1_440, whole: true }),
    silentMinutes: validateNumber('silent_minutes', silentMinutes, { min: 1, max: 10_080, whole: true }),
  };
}
