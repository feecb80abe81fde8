import type { Moment } from '../../core/clock/moment.ts';
import type { AlarmKind } from '../../core/rules/alarm-kinds.ts';
import type { AlarmSettings } from '../../store/notifications/alarms-table.ts';
import { type Actor, writeAudit } from '../shared/audit.ts';
import { validateNumber } from '../shared/bounds.ts';
import type { EmailTemplates } from '../shared/email-templates.ts';
import { change, type EngineParts } from '../shared/parts.ts';
import { queueMail } from '../shared/queue-mail.ts';

export type { AlarmSettings } from '../../store/notifications/alarms-table.ts';

/** Alarms, mailed once to the staff who chose them. */
export function createAlarms(parts: EngineParts) {
  const { store } = parts;
  const toSubject = (text: string) => [...text].slice(0, 256).join('') || 'Tapster';
  return {
    settings: (): AlarmSettings => store.alarms.settings(),

    /** Absent fields stay unchanged. Throws `invalid_request`. */
    changeSettings: (requested: Partial<AlarmSettings>, actor: Actor, now: Moment): AlarmSettings =>
      change(parts, () => {
        const before = store.alarms.settings();
        const settings = parseSettings({ ...before, ...requested });
        store.alarms.changeSettings(settings);
        const subject = { kind: 'alarms', id: 'settings' };
        writeAudit(store, { actor, action: 'alarms.changed', subject, before, after: settings }, now);
        return settings;
      }),

    /** Alarms that were raised and not cleared; stored in the database. */
    raised: (): readonly { readonly kind: AlarmKind; readonly subject: string }[] => store.alarms.raised(),

    /** Raises an alarm and queues the mails. False if it is raised already. */
    raise: <K extends AlarmKind>(kind: K, subject: string, values: EmailTemplates[K], now: Moment): boolean =>
      change(
        parts,
        () => {
          if (!store.alarms.raise(kind, toSubject(subject), Math.max(0, Math.round(now.wallMs))))
            return false;
          for (const to of store.notificationSettings.staffRecipients(kind)) {
            queueMail(store, { to, template: kind, values }, now);
          }
          return true;
        },
        'operation',
      ),

    /** Clears an alarm, so that it can be raised again. */
    clear: (kind: AlarmKind, subject: string): void =>
      void store.transaction(() => store.alarms.clear(kind, toSubject(subject))),
  };
}

function parseSettings({ tooWarmC, tooWarmMinutes, silentMinutes }: AlarmSettings): AlarmSettings {
  return {
    tooWarmC: tooWarmC === null ? null : validateNumber('too_warm_c', tooWarmC, { min: -50, max: 125 }),
    tooWarmMinutes: validateNumber('too_warm_minutes', tooWarmMinutes, { min: 0, max: 1_440, whole: true }),
    silentMinutes: validateNumber('silent_minutes', silentMinutes, { min: 1, max: 10_080, whole: true }),
  };
}
