import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { barTime, formatBarTime, type Units } from '../app/format.ts';
import { words } from '../words/notifications.ts';
import { ErrorMessage, useAction } from './action.tsx';
import { PagedList } from './paged-list.tsx';
import { dataVersion } from './toast.tsx';
import { useInterval } from './use-interval.ts';

/** Undisturbed messages are sent within two seconds. */
const refreshMs = 4_000;
const maxPathLength = 24;

interface Message {
  readonly id: number;
  readonly topic: string;
  readonly recipient: string;
  readonly state: string;
  readonly attempts: number;
  readonly last_error: string | null;
  readonly created_time: string;
}

interface OutboxListProps {
  readonly title: string;
  readonly kind: 'mail' | 'webhook';
  readonly units: Units;
}

/** Outgoing messages of one kind: waiting with the reason, given up and ready to be sent again, sent. */
export function OutboxList({ title, kind, units }: OutboxListProps) {
  const id = useId();
  const state = useSignal('');
  const refreshes = useInterval(refreshMs);
  const { runAction, error } = useAction();
  const states = Object.entries(words.states).filter(([name]) => name !== 'skipped');
  return (
    <section class="group" aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>{title}</h3>
      <div class="filters is-one">
        <label class="field" for={id}>
          {words.which}
          <select id={id} value={state.value} onChange={(event) => (state.value = event.currentTarget.value)}>
            <option value="">{words.every}</option>
            {states.map(([name, label]) => (
              <option key={name} value={name}>
                {label}
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
              runAction({
                method: 'POST',
                path: '/admin/outbox/send-again',
                body: { kind },
                successMessage: words.sentAgain,
              })
            }
          >
            {words.sendAllAgain}
          </button>
        </p>
      )}
      <ErrorMessage>{error}</ErrorMessage>
      <div class="card">
        <PagedList<Message>
          path={`/admin/outbox?kind=${kind}${state.value === '' ? '' : `&state=${state.value}`}`}
          itemsKey="messages"
          label={title}
          empty={words.noMessages}
          reloadKey={`${dataVersion.value}/${refreshes}`}
          renderItem={(message) => <MessageRow key={message.id} message={message} units={units} />}
        />
      </div>
    </section>
  );
}

function MessageRow({ message, units }: { readonly message: Message; readonly units: Units }) {
  const { runAction, error } = useAction();
  const { topic, recipient, state, attempts, last_error: lastError } = message;
  const name = words.topics[topic] ?? topic;
  const path = `/admin/outbox/${message.id}`;
  const button = (word: string, method: 'POST' | 'DELETE', subpath: string, successMessage: string) => (
    <button
      type="button"
      class="chip"
      aria-label={words.about(word, `${name} ${words.to(recipient)}`)}
      onClick={() => runAction({ method, path: `${path}${subpath}`, successMessage })}
    >
      {word}
    </button>
  );
  return (
    <li>
      <div class="row-words">
        <p class="row-name">{name}</p>
        <p class="soft">
          {[
            words.to(shortenUrl(recipient)),
            formatBarTime(barTime(message.created_time, units)),
            words.states[state],
            attempts > 0 && state !== 'sent' && words.tries(attempts),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {lastError !== null && <p class={state === 'skipped' ? 'soft' : 'refusal'}>{lastError}</p>}
        <ErrorMessage>{error}</ErrorMessage>
      </div>
      <div class="row-actions">
        {state === 'dead' && button(words.sendAgain, 'POST', '/send-again', words.sentAgain)}
        {(state === 'dead' || state === 'waiting') && button(words.drop, 'DELETE', '', words.dropped)}
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
