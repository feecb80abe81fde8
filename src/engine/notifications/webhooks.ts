import type { Moment } from '../../core/clock/moment.ts';
import { type Actor, writeAudit } from '../shared/audit.ts';
import { validateText, validationError } from '../shared/bounds.ts';
import { change, type EngineParts } from '../shared/parts.ts';
import { createWebhookList } from './webhook-list.ts';
import { maxTargets, parseTarget } from './webhook-target.ts';

const pluginName = 'webhook';

export interface WebhookSettings {
  /** Web addresses that receive every event. */
  readonly urls: readonly string[];
  /** Signing secret; null: bodies are not signed. For the transport, never for a page. */
  readonly secret: string | null;
}

/** Webhooks, which receive every event. */
export function createWebhooks(parts: EngineParts) {
  const { store, settings } = parts;
  const read = (): WebhookSettings => ({
    urls: store.notifications.plugins.webhookTargets(),
    secret: store.notifications.plugins.secret(pluginName),
  });
  return {
    ...createWebhookList(parts, pluginName),
    settings: read,

    /**
     * Absent fields stay unchanged; an empty secret removes it. Waiting messages for removed targets are
     * deleted. Throws `invalid_request`.
     */
    change(
      { urls, secret }: { readonly urls?: readonly string[]; readonly secret?: string | null },
      actor: Actor,
      now: Moment,
    ): WebhookSettings {
      const requested = urls?.map((url) => parseTarget('webhook_urls', url, settings));
      if (requested !== undefined && requested.length > maxTargets) {
        throw validationError('webhook_urls', `must be at most ${maxTargets} addresses`);
      }
      const newSecret = secret ? validateText('secret', secret, { min: 8, max: 256 }) : (secret ?? undefined);
      return change(parts, () => {
        const before = toAuditValue(read());
        if (requested !== undefined) {
          const current = store.notifications.plugins.webhookTargets();
          for (const url of current.filter((one) => !requested.includes(one))) {
            store.notifications.plugins.removeWebhookTarget(url);
            store.notifications.outbox.removeForTarget('webhook', url);
          }
          for (const url of new Set(requested))
            if (!current.includes(url)) store.notifications.plugins.addWebhookTarget(url);
        }
        if (secret !== undefined) store.notifications.plugins.setSecret(pluginName, newSecret || null);
        const after = read();
        const subject = { kind: 'plugin', id: pluginName };
        writeAudit(
          store,
          { actor, action: 'webhooks.changed', subject, before, after: toAuditValue(after) },
          now,
        );
        return after;
      });
    },
  };
}

/** The settings for the audit log: only hosts, since the rest of an address may contain a password. */
const toAuditValue = ({ urls, secret }: WebhookSettings) => ({
  hosts: urls.map((url) => new URL(url).host),
  isSigned: secret !== null,
});
