import { randomBytes } from 'node:crypto';
import { AppError } from '../../core/app-error.ts';
import type { SystemEventKind } from '../../core/system-events.ts';
import { maxWaiting } from '../../store/notifications/outbox-table.ts';
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

interface WebhookChange {
  readonly url?: string;
  readonly isEnabled?: boolean;
  /** Null: all. */
  readonly eventKinds?: readonly SystemEventKind[] | null;
}

interface Span {
  /** Unix milliseconds. */
  readonly fromMs: number;
  /** Exclusive. */
  readonly untilMs: number;
}

/** Management of single webhooks. */
export function createWebhookList(parts: EngineParts, pluginName: string) {
  const { store, settings } = parts;
  const parseUrl = (text: string, exceptId: number | null): string => {
    const url = parseTarget('url', text, settings);
    const isThere = store.notifications.plugins
      .webhooks()
      .some((one) => one.url === url && one.id !== exceptId);
    if (isThere) throw validationError('url', 'is in the list already', { name: 'already_exists' });
    return url;
  };
  const view = (target: WebhookTarget): WebhookView => ({
    ...target,
    waiting: store.notifications.outbox.countFor('webhook', target.url, 'waiting'),
    dead: store.notifications.outbox.countFor('webhook', target.url, 'dead'),
  });
  const get = (id: number): WebhookView =>
    view(requireFound(store.notifications.plugins.webhook(id), `webhook ${id}`));
  const entry = <T>(action: string, id: number | ((created: T) => number)) => ({
    action,
    kind: 'webhook',
    id,
    snapshot: (targetId: number) => toAuditValue(store, targetId),
  });

  return {
    list: (): readonly WebhookView[] => store.notifications.plugins.webhooks().map(view),

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
          if (store.notifications.plugins.webhooks().length >= maxTargets) {
            throw validationError('url', `is one too many: at most ${maxTargets} are allowed`);
          }
          return get(store.notifications.plugins.addWebhookTarget(url));
        },
      ),

    /**
     * Absent fields stay unchanged. A disabled webhook gets no messages, and its waiting ones are skipped;
     * messages for a replaced address are deleted. Throws `invalid_request`, `not_found`.
     */
    edit: (
      id: number,
      { url: text, isEnabled, eventKinds }: WebhookChange,
      context: ActorContext,
    ): WebhookView =>
      auditedChange(parts, context, entry('webhook.changed', id), () => {
        const before = get(id);
        const url = text === undefined ? before.url : parseUrl(text, id);
        if (url !== before.url) store.notifications.outbox.removeForTarget('webhook', before.url);
        if (eventKinds?.length === 0)
          throw validationError('event_kinds', 'must name at least one kind, or be null for all');
        store.notifications.plugins.changeWebhook({
          id,
          url,
          isEnabled: isEnabled ?? before.isEnabled,
          eventKinds: eventKinds === undefined ? before.eventKinds : eventKinds && [...new Set(eventKinds)],
        });
        return get(id);
      }),

    /**
     * Queues the events of a span once more, of the kinds that it receives; those that wait already are not doubled. Returns
     * their number. Throws `conflict` while it is switched off and for more events than may wait, `not_found`.
     */
    replay: (id: number, { fromMs, untilMs }: Span, { actor, now }: ActorContext): number =>
      change(parts, () => {
        const { url, isEnabled, eventKinds, waiting } = get(id);
        if (!isEnabled)
          throw new AppError('conflict', 'Switch the webhook on first.', { reason: { name: 'webhook_off' } });
        const span = { fromMs, untilMs, kinds: eventKinds };
        const count = store.notifications.outbox.countEvents(span);
        const most = maxWaiting - waiting;
        if (count > most) {
          throw new AppError(
            'conflict',
            `There are ${count} events in this span, and at most ${most} can wait now: choose a shorter one.`,
            { reason: { name: 'too_many_events', count, most } },
          );
        }
        const queued = store.notifications.outbox.queueEvents(url, span, Math.max(0, Math.round(now.wallMs)));
        const times = { from: new Date(fromMs).toISOString(), until: new Date(untilMs).toISOString() };
        const subject = { kind: 'webhook', id };
        writeAudit(
          store,
          { actor, action: 'webhook.replayed', subject, after: { ...times, count: queued } },
          now,
        );
        return queued;
      }),

    /** Also deletes its waiting and dead messages. Throws `not_found`. */
    remove: (id: number, context: ActorContext): void =>
      auditedChange(parts, context, entry('webhook.removed', id), () => {
        const { url } = get(id);
        store.notifications.plugins.removeWebhookTarget(url);
        store.notifications.outbox.removeForTarget('webhook', url);
      }),

    /** Creates a signing secret of 256 bits, which is returned only here. */
    createSecret: ({ actor, now }: ActorContext): string =>
      change(parts, () => {
        const secret = randomBytes(32).toString('base64url');
        const isNew = store.notifications.plugins.secret(pluginName) === null;
        store.notifications.plugins.setSecret(pluginName, secret);
        const action = isNew ? 'webhooks.signed' : 'webhooks.secret_replaced';
        writeAudit(store, { actor, action, subject: { kind: 'plugin', id: pluginName } }, now);
        return secret;
      }),
  };
}

/** The webhook for the audit log: only the host, since the rest of the address may contain a password. */
function toAuditValue(store: Store, id: number) {
  const target = store.notifications.plugins.webhook(id);
  if (target === null) return null;
  const { url, isEnabled, eventKinds } = target;
  return { host: new URL(url).host, isEnabled, eventKinds: eventKinds?.join(', ') ?? 'all' };
}
