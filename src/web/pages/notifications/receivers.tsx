import { useSignal } from '@preact/signals';
import { request } from '../../api/client.ts';
import type { Webhook } from '../../api/generated.ts';
import { isSuperuser } from '../../app/me.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { type FieldSpec, Form } from '../../components/form/form.tsx';
import { showToast } from '../../components/toast.tsx';
import { t } from '../../locales/locale.ts';

/** The daemon waits up to 10 s for a receiver. */
const timeoutMs = 20_000;

const addressField = (value = '') =>
  ({
    kind: 'text',
    name: 'url',
    label: t('webhooks.address'),
    value,
    maxLength: 2_000,
  }) as const satisfies FieldSpec;

/** Form for a new receiver. */
export function AddReceiver() {
  return (
    <Form
      fields={[addressField()]}
      submit={t('webhooks.add')}
      send={(body) => request('POST /admin/webhooks', { body })}
      onDone={() => showToast(t('webhooks.added'))}
    />
  );
}

/** One receiver: test; for superusers also enable, disable, change, remove. */
export function ReceiverRow({ receiver }: { readonly receiver: Webhook }) {
  const { id, url, is_enabled: isOn, num_waiting: waiting, num_dead: dead } = receiver;
  const { runAction, error } = useAction();
  const isConfirming = useSignal(false);
  const isEditing = useSignal(false);
  const path = { id };
  const host = new URL(url).host;
  const actionButton = (label: string, onClick: () => void, kind = 'chip') => (
    <button
      type="button"
      class={kind}
      aria-label={t('outbox.about', { action: label, what: url })}
      onClick={onClick}
    >
      {label}
    </button>
  );
  return (
    <li>
      <div class="row-text">
        <p class="row-name">{url}</p>
        <p class="soft">
          {[
            isOn ? t('webhooks.isOn') : t('webhooks.isOff'),
            waiting > 0 && t('webhooks.waitingCount', { count: waiting }),
            dead > 0 && t('webhooks.failedCount', { count: dead }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <ErrorMessage>{error}</ErrorMessage>
      </div>
      <div class="row-actions">
        {actionButton(t('webhooks.sendTest'), () =>
          runAction(
            () => request('POST /admin/webhooks/{id}/test', { path }, { timeoutMs }),
            t('webhooks.testSent', { host }),
          ),
        )}
        {isSuperuser.value && (
          <>
            {actionButton(isOn ? t('webhooks.switchOff') : t('webhooks.switchOn'), () =>
              runAction(
                () => request('PATCH /admin/webhooks/{id}', { path, body: { is_enabled: !isOn } }),
                isOn ? t('webhooks.switchedOff') : t('webhooks.switchedOn'),
              ),
            )}
            {actionButton(t('webhooks.change'), () => (isEditing.value = true))}
            {isConfirming.value
              ? actionButton(
                  t('webhooks.confirmRemove'),
                  () =>
                    runAction(() => request('DELETE /admin/webhooks/{id}', { path }), t('webhooks.removed')),
                  'chip is-danger',
                )
              : actionButton(t('webhooks.remove'), () => (isConfirming.value = true))}
          </>
        )}
      </div>
      {isEditing.value && (
        <Dialog title={t('webhooks.change')} onClose={() => (isEditing.value = false)}>
          <Form
            fields={[addressField(url)]}
            submit={t('common.save')}
            send={(body) => request('PATCH /admin/webhooks/{id}', { path, body })}
            onDone={() => {
              isEditing.value = false;
              showToast(t('common.saved'));
            }}
          />
        </Dialog>
      )}
    </li>
  );
}
