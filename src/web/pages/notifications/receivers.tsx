import { useSignal } from '@preact/signals';
import { requestWithPin } from '../../api/request-with-pin.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { type FieldSpec, Form } from '../../components/form.tsx';
import { showToast } from '../../components/toast.tsx';
import { words } from '../../words/notifications.ts';
import { words as common } from '../../words/pages.ts';

/** The daemon waits up to 10 s for a receiver. */
const timeoutMs = 20_000;

/** A webhook receiver and the state of its queue. */
export interface Receiver {
  readonly id: number;
  readonly url: string;
  readonly is_enabled: boolean;
  readonly num_waiting: number;
  readonly num_dead: number;
}

const addressField = (value = ''): FieldSpec => ({
  kind: 'text',
  name: 'url',
  label: words.address,
  value,
  maxLength: 2_000,
});

/** Form for a new receiver. */
export function AddReceiver() {
  return (
    <Form
      fields={[addressField()]}
      submit={words.add}
      send={(values) => requestWithPin('POST', '/admin/webhooks', values)}
      onDone={() => showToast(words.added)}
    />
  );
}

/** One receiver: test, enable, disable, change, remove. */
export function ReceiverRow({ receiver }: { readonly receiver: Receiver }) {
  const { id, url, is_enabled: isOn, num_waiting: waiting, num_dead: dead } = receiver;
  const { runAction, error } = useAction();
  const isConfirming = useSignal(false);
  const isEditing = useSignal(false);
  const path = `/admin/webhooks/${id}`;
  const host = new URL(url).host;
  const actionButton = (label: string, onClick: () => void, kind = 'chip') => (
    <button type="button" class={kind} aria-label={words.about(label, url)} onClick={onClick}>
      {label}
    </button>
  );
  return (
    <li>
      <div class="row-words">
        <p class="row-name">{url}</p>
        <p class="soft">
          {[
            isOn ? words.isOn : words.isOff,
            waiting > 0 && words.waitingCount(waiting),
            dead > 0 && words.failedCount(dead),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <ErrorMessage>{error}</ErrorMessage>
      </div>
      <div class="row-actions">
        {actionButton(words.sendTest, () =>
          runAction({
            method: 'POST',
            path: `${path}/test`,
            successMessage: words.testSent(host),
            timeoutMs,
          }),
        )}
        {actionButton(isOn ? words.switchOff : words.switchOn, () =>
          runAction({
            method: 'PATCH',
            path,
            body: { is_enabled: !isOn },
            successMessage: isOn ? words.switchedOff : words.switchedOn,
          }),
        )}
        {actionButton(words.change, () => (isEditing.value = true))}
        {isConfirming.value
          ? actionButton(
              words.confirmRemove,
              () => runAction({ method: 'DELETE', path, successMessage: words.removed }),
              'chip is-danger',
            )
          : actionButton(words.remove, () => (isConfirming.value = true))}
      </div>
      {isEditing.value && (
        <Dialog title={words.change} onClose={() => (isEditing.value = false)}>
          <Form
            fields={[addressField(url)]}
            submit={common.save}
            send={(values) => requestWithPin('PATCH', path, values)}
            onDone={() => {
              isEditing.value = false;
              showToast(common.saved);
            }}
          />
        </Dialog>
      )}
    </li>
  );
}
