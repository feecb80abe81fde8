import { whyNotSentTo } from '../../core/address-rules.ts';
import type { Moment } from '../../core/moment.ts';
import { type Actor, writeAudit } from '../audit.ts';
import { misfit, textIn } from '../bounds.ts';
import { change, type EngineParts } from '../parts.ts';

/** Each target has its own queue; nobody needs more of them. */
const mostTargets = 10;

const pluginName = 'webhook';

export interface WebhookSettings {
  /** Web addresses that hear of every event. */
  readonly urls: readonly string[];
  /** What bodies are signed with; null: they are not signed. For the carrier, and never for a page. */
  readonly secret: string | null;
}

/** Who outside the house hears of every event in its diary. */
export interface Webhooks {
  settings(): WebhookSettings;
  /**
   * What is absent stays; an empty secret takes it away. What still waits for a target that is gone is thrown away.
   * Throws `invalid_request`.
   */
  change(
    wanted: { readonly urls?: readonly string[]; readonly secret?: string | null },
    by: Actor,
    now: Moment,
  ): WebhookSettings;
}

export function createWebhooks(parts: EngineParts): Webhooks {
  const { store, settings } = parts;
  const read = (): WebhookSettings => ({
    urls: store.plugins.webhookTargets(),
    secret: store.plugins.secret(pluginName),
  });
  return {
    settings: read,
    change({ urls, secret }, by, now) {
      const wanted = urls?.map((url) => targetIn(url, settings.allowLocalWebhooks ?? false));
      if (wanted !== undefined && wanted.length > mostTargets) {
        throw misfit('webhook_urls', `must be at most ${mostTargets} addresses`);
      }
      const newSecret = secret ? textIn('secret', secret, { min: 8, max: 256 }) : (secret ?? undefined);
      return change(parts, () => {
        const before = visible(read());
        if (wanted !== undefined) {
          const known = store.plugins.webhookTargets();
          for (const url of known.filter((one) => !wanted.includes(one))) {
            store.plugins.removeWebhookTarget(url);
            store.outbox.forgetTarget('webhook', url);
          }
          for (const url of new Set(wanted)) if (!known.includes(url)) store.plugins.addWebhookTarget(url);
        }
        if (secret !== undefined) store.plugins.setSecret(pluginName, newSecret || null);
        const after = read();
        const subject = { kind: 'plugin', id: pluginName };
        writeAudit(store, { by, action: 'webhooks.changed', subject, before, after: visible(after) }, now);
        return after;
      });
    },
  };
}

/** What the book of changes tells: addresses may carry passwords of their own behind the host. */
const visible = ({ urls, secret }: WebhookSettings) => ({
  hosts: urls.map((url) => new URL(url).host),
  isSigned: secret !== null,
});

/** An address as it will be called; what it resolves to is looked at when it is. */
function targetIn(text: string, allowsLocal: boolean): string {
  const field = 'webhook_urls';
  const url = text.length <= 2_000 && URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw misfit(field, 'must be web addresses (http or https) separated by blanks or line ends');
  }
  if (url.username !== '' || url.password !== '') {
    throw misfit(field, 'must not contain a name or password: what is sent is signed instead');
  }
  url.hash = '';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isLiteral = host.includes(':') || /^[\d.]+$/.test(host);
  const why = isLiteral
    ? whyNotSentTo(host)
    : /(?:^|\.)localhost\.?$/.test(host)
      ? 'is this machine itself'
      : null;
  if (why !== null && !allowsLocal) {
    throw misfit(
      field,
      `must not lead here: ${host} ${why} (webhooks.allow_local in the configuration permits it)`,
    );
  }
  return url.href;
}
