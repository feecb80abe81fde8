import { useSignal } from '@preact/signals';
import { requestWithPin } from '../../api/request-with-pin.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { type FieldSpec, Form } from '../../components/form.tsx';
import { Dialog } from '../../dialog.tsx';
import { showToast } from '../../toast.tsx';
import { words as common } from '../../words/house.ts';
import { words } from '../../words/office.ts';

/** A receiver may think for ten seconds. */
const timeoutMs = 20_000;

/** Who hears of every event, and how its queue stands. */
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

/** One more address. */
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

/** One receiver: tried, switched off and on, changed, removed. */
export function ReceiverRow({ receiver }: { readonly receiver: Receiver }) {
  const { id, url, is_enabled: isOn, num_waiting: waiting, num_dead: dead } = receiver;
  const { runAction, error } = useAction();
  const isSure = useSignal(false);
  const isOpen = useSignal(false);
  const path = `/admin/webhooks/${id}`;
  const host = new URL(url).host;
  const button = (word: string, onClick: () => void, kind = 'chip') => (
    <button type="button" class={kind} aria-label={words.about(word, url)} onClick={onClick}>
      {word}
    </button>
  );
  return (
    <li>
      <div class="row-words">
        <p class="row-name">{url}</p>
        <p class="soft">
          {[
            isOn ? words.isOn : words.isOff,
            waiting > 0 && words.waits(waiting),
            dead > 0 && words.givenUp(dead),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <ErrorMessage>{error}</ErrorMessage>
      </div>
      <div class="row-acts">
        {button(words.call, () =>
          runAction({ method: 'POST', path: `${path}/test`, successMessage: words.called(host), timeoutMs }),
        )}
        {button(isOn ? words.switchOff : words.switchOn, () =>
          runAction({
            method: 'PATCH',
            path,
            body: { is_enabled: !isOn },
            successMessage: isOn ? words.switchedOff : words.switchedOn,
          }),
        )}
        {button(words.change, () => (isOpen.value = true))}
        {isSure.value
          ? button(
              words.surelyRemove,
              () => runAction({ method: 'DELETE', path, successMessage: words.removed }),
              'chip is-grave',
            )
          : button(words.remove, () => (isSure.value = true))}
      </div>
      {isOpen.value && (
        <Dialog title={words.change} onClose={() => (isOpen.value = false)}>
          <Form
            fields={[addressField(url)]}
            submit={common.save}
            send={(values) => requestWithPin('PATCH', path, values)}
            onDone={() => {
              isOpen.value = false;
              showToast(common.saved);
            }}
          />
        </Dialog>
      )}
    </li>
  );
}
