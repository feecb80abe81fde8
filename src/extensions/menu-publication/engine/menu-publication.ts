import type { Moment } from '../../../core/clock/moment.ts';
import { parseTarget, type TargetRules } from '../../../engine/notifications/webhook-target.ts';
import type { Actor } from '../../../engine/shared/audit.ts';
import { validationError } from '../../../engine/shared/bounds.ts';
import type { EngineParts } from '../../../engine/shared/parts.ts';
import { changeSettings, checkSettings } from '../../../engine/shared/stored-settings.ts';
import {
  type MenuPublicationSettings,
  menuPublicationDefaults,
  menuPublicationFault,
  menuPublicationSettingList,
} from '../core/settings.ts';
import type { MenuPublicationTable, PublishedFiles } from '../store/table.ts';

export type { PublishedFiles } from '../store/table.ts';

/** The menu on the bar's own web space: its settings, and what lies there. */
export type MenuPublication = ReturnType<typeof createMenuPublication>;

export function createMenuPublication(parts: EngineParts, table: MenuPublicationTable) {
  const { store } = parts;
  const readStored = store.cachedUntilChange(table.settings);
  const read = (): MenuPublicationSettings => ({ ...menuPublicationDefaults, ...readStored() });
  const published = store.cachedUntilChange(table.published);
  return {
    /** The settings with defaults; includes the password: for the web space, never for a page. */
    settings: read,

    /** Absent fields stay unchanged. Throws `invalid_request`. */
    change: (
      requested: Partial<MenuPublicationSettings>,
      actor: Actor,
      now: Moment,
    ): MenuPublicationSettings =>
      changeSettings(parts, {
        list: menuPublicationSettingList,
        read,
        write: (before) =>
          table.writeSettings({
            ...table.settings(),
            ...parseChanges(before, requested, parts.settings),
          }),
        subject: 'menu_publication',
        action: 'menu_publication.changed',
        actor,
        now,
      }),

    /** What lies on the web space. */
    published,

    /** Records what lies on the web space now. */
    recordPublished: (files: PublishedFiles): void =>
      void store.transaction(() => table.writePublished(files)),

    /** Where guests read the published menu; null while none is published. */
    guestUrl(): string | null {
      const { isEnabled, url, publicUrl } = read();
      return isEnabled && url !== '' && published().url === url ? publicUrl || url : null;
    },
  };
}

/** The changes; the password of another address or user is dropped. */
function parseChanges(
  before: MenuPublicationSettings,
  requested: Partial<MenuPublicationSettings>,
  rules: TargetRules,
): Partial<MenuPublicationSettings> {
  checkSettings(menuPublicationSettingList, requested, menuPublicationFault);
  const changes = { ...requested, ...parseUrls(requested, rules) };
  const after = { ...before, ...changes };
  if (after.isEnabled && after.url === '') throw validationError('url', 'is needed to publish the menu');
  const isOther = after.url !== before.url || after.username !== before.username;
  const password = isOther ? (requested.password ?? '') : after.password;
  if (password !== '' && travelsOpenly(after.url))
    throw validationError(
      'url',
      'must begin with https:// where a password is sent to it, since others could read it on the way',
    );
  return { ...changes, password: after.username === '' ? '' : password };
}

/** The addresses as they are stored; that of the folder ends with a slash. */
function parseUrls({ url, publicUrl }: Partial<MenuPublicationSettings>, rules: TargetRules) {
  const folder = url ? parseTarget('url', url, rules) : url;
  return {
    ...(folder === undefined ? {} : { url: folder === '' || folder.endsWith('/') ? folder : `${folder}/` }),
    ...(publicUrl ? { publicUrl: parseTarget('public_url', publicUrl, { allowLocalWebhooks: true }) } : {}),
  };
}

/** True for an address outside the bar's network without encryption. */
function travelsOpenly(url: string): boolean {
  if (!url.startsWith('http://')) return false;
  const { hostname } = new URL(url);
  const isPrivate =
    /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[(?:::1\]|f[cd]))/.test(hostname) ||
    !/[.:]/.test(hostname) ||
    /\.(?:local|lan|home\.arpa)$/.test(hostname);
  return !isPrivate;
}
