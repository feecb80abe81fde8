import { randomBytes } from 'node:crypto';
import type { WebhookTarget } from '../../store/notifications/plugins-table.ts';
import type { Store } from '../../store/store.ts';
import { type ActorContext, auditedChange } from '../shared/actor-context.ts';
import { writeAudit } from '../shared/audit.ts';
import { requireFound, validationError } from '../shared/bounds.ts';
import { change, type EngineParts } from '../shared/parts.ts';
import { maxTargets, parseTarget } from './webhook-target.ts';

/** One webhook and the state of its queue. */
export interface WebhookView extends WebhookTarget {
  /** Number of waiting messages. */
  readonly waiting: number;
  /** Number of dead messages, which can be sent again. */
  readonly dead: number;
}

/** Management of single webhooks. */
export function createWebhookList(parts: EngineParts, pluginName: string) {
  const { store, settings } = parts;
  const parseUrl = (text: string, exceptId: number | null): string => {
    const url = parseTarget('url', text, settings.allowLocalWebhooks);
    const isThere = store.plugins.webhooks().some((one) => one.url === url && one.id !== exceptId);
    if (isThere) throw validationError('url', 'is in the list already', { name: 'already_exists' });
    return url;
  };
  const view = (target: WebhookTarget): WebhookView => ({
    ...target,
    waiting: store.outbox.countFor('webhook', target.url, 'waiting'),
    dead: store.outbox.countFor('webhook', target.url, 'dead'),
  });
  const get = (id: number): WebhookView => view(requireFound(store.plugins.webhook(id), `webhook ${id}`));
  const entry = <T>(action: string, id: number | ((created: T) => number)) => ({
    action,
    kind: 'webhook',
    id,
    snapshot: (targetId: number) => toAuditValue(store, targetId),
  });

  return {
    list: (): readonly WebhookView[] => store.plugins.webhooks().map(view),

    /** Throws `not_found`. */
    get,

    /** Throws `invalid_request`, also for an address that is in the list already. */
    add: (text: string, context: ActorContext): WebhookView =>
      auditedChange(
        parts,
        context,
        entry<WebhookView>('webhook.added', ({ id }) => id),
        () => {
          const url = parseUrl(text, null);
          if (store.plugins.webhooks().length >= maxTargets) {
            throw validationError('url', `is one too many: at most ${maxTargets} are allowed`);
          }
          return get(store.plugins.addWebhookTarget(url));
        },
      ),

    /**
     * Absent fields stay unchanged. A disabled webhook gets no messages, and its waiting ones are skipped;
     * messages for a replaced address are deleted. Throws `invalid_request`, `not_found`.
     */
    edit: (
      id: number,
      { url: text, isEnabled }: { readonly url?: string; readonly isEnabled?: boolean },
      context: ActorContext,
    ): WebhookView =>
      auditedChange(parts, context, entry('webhook.changed', id), () => {
        const before = get(id);
        const url = text === undefined ? before.url : parseUrl(text, id);
        if (url !== before.url) store.outbox.removeForTarget('webhook', before.url);
        store.plugins.changeWebhook({ id, url, isEnabled: isEnabled ?? before.isEnabled });
        return get(id);
      }),

    /** Also deletes its waiting and dead messages. Throws `not_found`. */
    remove: (id: number, context: ActorContext): void =>
      auditedChange(parts, context, entry('webhook.removed', id), () => {
        const { url } = get(id);
        store.plugins.removeWebhookTarget(url);
        store.outbox.removeForTarget('webhook', url);
      }),

    /** Creates a signing secret of 256 bits, which is returned only here. */
    createSecret: ({ actor, now }: ActorContext): string =>
      change(parts, () => {
        const secret = randomBytes(32).toString('base64url');
        const isNew = store.plugins.secret(pluginName) === null;
        store.plugins.setSecret(pluginName, secret);
        const action = isNew ? 'webhooks.signed' : 'webhooks.secret_replaced';
        writeAudit(store, { actor, action, subject: { kind: 'plugin', id: pluginName } }, now);
        return secret;
      }),
  };
}

/** The webhook for the audit log: only the host, since the rest of the address may contain a password. */
function toAuditValue(store: Store, id: number) {
  const target = store.plugins.webhook(id);
  return target && { host: new URL(target.url).host, isEnabled: target.isEnabled };
}
