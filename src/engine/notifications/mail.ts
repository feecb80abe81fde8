import type { Moment } from '../../core/clock/moment.ts';
import { findHiddenCharacter } from '../../core/text/text-rules.ts';
import type { MailSettings } from '../../store/notifications/mail-settings-table.ts';
import { type Actor, writeAudit } from '../shared/audit.ts';
import { validateNumber, validateText, validationError } from '../shared/bounds.ts';
import { change, type EngineParts } from '../shared/parts.ts';
import { parseMailAddress } from '../shared/queue-mail.ts';

export type { MailSettings } from '../../store/notifications/mail-settings-table.ts';

/** Settings of the mail server, which staff change on a page. */
export function createMail(parts: EngineParts) {
  const { store } = parts;
  return {
    /** Includes the password: for the mail transport, never for a page. */
    settings: (): MailSettings => store.notifications.mailSettings.read(),

    /** True if a mail server is set. */
    isSet: (): boolean => store.notifications.mailSettings.read().host !== '',

    /** Absent fields stay unchanged. An empty host stops all mail. Throws `invalid_request`. */
    change: (requested: Partial<MailSettings>, actor: Actor, now: Moment): MailSettings =>
      change(parts, () => {
        const before = store.notifications.mailSettings.read();
        // A password belongs to one server and username and is never sent to another.
        const isOtherAccount =
          (requested.host !== undefined && requested.host.trim() !== before.host) ||
          (requested.username !== undefined && requested.username !== before.username);
        const password = requested.password ?? (isOtherAccount ? '' : before.password);
        const settings = parseSettings({ ...before, ...requested, password });
        store.notifications.mailSettings.write(settings);
        const subject = { kind: 'mail', id: 'settings' };
        const note = {
          actor,
          action: 'mail.changed',
          subject,
          before: toAuditValue(before),
          after: toAuditValue(settings),
        };
        writeAudit(store, note, now);
        return settings;
      }),
  };
}

/** The settings for the audit log, without the password. */
const toAuditValue = ({ password, ...settings }: MailSettings) => ({
  ...settings,
  hasPassword: password !== '',
});

function parseSettings(requested: MailSettings): MailSettings {
  const host = requested.host.trim();
  if (host !== '' && !/^(?:[\p{L}\p{N}](?:[\p{L}\p{N}._-]{0,252})|[0-9a-fA-F:.]{2,45})$/u.test(host)) {
    throw validationError('host', 'must be the name or address of a mail server');
  }
  if (host !== '' && requested.fromAddress === '')
    throw validationError('from_address', 'is required: who the mails are from', { name: 'required' });
  return {
    host,
    port: validateNumber('port', requested.port, { min: 1, max: 65_535, whole: true }),
    security: parseSecurity(requested.security),
    username: parsePlainText('username', requested.username, 254),
    password: parsePlainText('password', requested.password, 1_024),
    fromAddress: requested.fromAddress === '' ? '' : parseMailAddress('from_address', requested.fromAddress),
    baseUrl: parseBaseUrl(requested.baseUrl),
  };
}

function parseSecurity(security: string): MailSettings['security'] {
  if (security === 'none' || security === 'starttls' || security === 'tls') return security;
  throw validationError('security', 'must be none, starttls or tls');
}

/** Parses a text without control characters, which could inject SMTP commands, and other hidden ones; not trimmed. */
function parsePlainText(field: string, text: string, max: number): string {
  const hidden = findHiddenCharacter(text, 'line');
  if (hidden !== null) throw validationError(field, `must not contain the hidden character ${hidden}`);
  if ([...text].length > max)
    throw validationError(field, `must have at most ${max} characters`, {
      name: 'characters_at_most',
      most: max,
    });
  return text;
}

function parseBaseUrl(text: string): string {
  if (text.trim() === '') return '';
  const address = validateText('base_url', text, { max: 500 });
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search || url.hash) {
    throw validationError('base_url', 'must be a web address such as http://bar.example', {
      name: 'web_address',
    });
  }
  return url.href.replace(/\/+$/, '');
}
