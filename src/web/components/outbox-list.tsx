import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { request } from '../api/client.ts';
import type { OutboxMessage } from '../api/generated.ts';
import { barTime, formatBarTime, type Units } from '../app/format.ts';
import { formatProblem } from '../app/problem-text.ts';
import { findText, t } from '../locales/locale.ts';
import { ErrorMessage, useAction } from './action.tsx';
import type { EmptyAction } from './empty-state.tsx';
import { PagedList } from './paged-list.tsx';

/** Undisturbed messages are sent within two seconds. */
const refreshMs = 4_000;
const maxPathLength = 24;

interface OutboxListProps {
  readonly title: string;
  readonly kind: 'mail' | 'webhook' | 'alarm';
  readonly units: Units;
  /** What sends the first message. */
  readonly emptyAction: EmptyAction | undefined;
}

/** The states to choose from. */
const states = ['waiting', 'dead', 'sent'] as const;

/** Outgoing messages of one kind: waiting with the reason, given up and ready to be sent again, sent. */
export function OutboxList({ title, kind, units, emptyAction }: OutboxListProps) {
  const id = useId();
  const state = useSignal<OutboxMessage['state'] | ''>('');
  const refreshes = useInterval(refreshMs);
  const { runAction, error } = useAction();
  return (
    <section class="group" aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>{title}</h3>
      <div class="filters is-one">
        <label class="field" for={id}>
          {t('outbox.which')}
          <select
            id={id}
            value={state.value}
            onChange={(event) => (state.value = event.currentTarget.value as typeof state.value)}
          >
            <option value="">{t('outbox.every')}</option>
            {states.map((name) => (
              <option key={name} value={name}>
                {t(`outbox.states.${name}`)}
              </option>
            ))}
          </select>
        </label>
      </div>
      {state.value === 'dead' && (
        <p>
          <button
            type="button"
            class="chip"
            onClick={() =>
              runAction(
                () => request('POST /admin/outbox/send-again', { body: { kind } }),
                t('outbox.sentAgain'),
              )
            }
          >
            {t('outbox.sendAllAgain')}
          </button>
        </p>
      )}
      <ErrorMessage>{error}</ErrorMessage>
      <div class="card">
        <PagedList
          operation="GET /admin/outbox"
          input={{ query: { kind, ...(state.value !== '' && { state: state.value }) } }}
          itemsKey="messages"
          label={title}
          empty={t('outbox.noMessages')}
          emptyPicture="post"
          emptyAction={
            state.value === '' ? emptyAction : { label: t('common.showAll'), onAct: () => (state.value = '') }
          }
          reloadKey={refreshes}
          renderItem={(message) => <MessageRow key={message.id} message={message} units={units} />}
        />
      </div>
    </section>
  );
}

function MessageRow({ message, units }: { readonly message: OutboxMessage; readonly units: Units }) {
  const { runAction, error } = useAction();
  const { topic, recipient, state, attempts, last_error: lastError } = message;
  const name = findText('outbox.topics', topic) ?? findText('alarms.kinds', topic) ?? topic;
  const path = { id: message.id };
  const button = (label: string, onClick: () => void) => (
    <button
      type="button"
      class="chip"
      aria-label={t('outbox.about', { action: label, what: `${name} ${t('outbox.to', { recipient })}` })}
      onClick={onClick}
    >
      {label}
    </button>
  );
  return (
    <li>
      <div class="row-text">
        <p class="row-name">{name}</p>
        <p class="soft">
          {[
            t('outbox.to', { recipient: shortenUrl(recipient) }),
            formatBarTime(barTime(message.created_time, units)),
            findText('outbox.states', state),
            attempts > 0 && state !== 'sent' && t('outbox.tries', { count: attempts }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {lastError !== null && (
          <p class={state === 'skipped' ? 'soft' : 'refusal'}>{formatProblem(lastError)}</p>
        )}
        <ErrorMessage>{error}</ErrorMessage>
      </div>
      <div class="row-actions">
        {state === 'dead' &&
          button(t('outbox.sendAgain'), () =>
            runAction(() => request('POST /admin/outbox/{id}/send-again', { path }), t('outbox.sentAgain')),
          )}
        {(state === 'dead' || state === 'waiting') &&
          button(t('outbox.drop'), () =>
            runAction(() => request('DELETE /admin/outbox/{id}', { path }), t('outbox.dropped')),
          )}
      </div>
    </li>
  );
}

/** Shortens a web address to its host and the start of its path. */
function shortenUrl(recipient: string): string {
  if (!URL.canParse(recipient)) return recipient;
  const { host, pathname } = new URL(recipient);
  return pathname.length > maxPathLength
    ? `${host}${pathname.slice(0, maxPathLength)}…`
    : `${host}${pathname}`;
}

/** A counter that increments every `intervalMs` while the page is visible; reloads lists that change on the server. */
function useInterval(intervalMs: number): number {
  const count = useSignal(0);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) count.value += 1;
    }, intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
  return count.value;
}
