import { useSignal } from '@preact/signals';
import { systemEventKinds } from '../../../core/system-events.ts';
import { request } from '../../api/client.ts';
import type { Webhook } from '../../api/generated.ts';
import { toBarInput, type Units } from '../../app/format.ts';
import { isSuperuser } from '../../app/me.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { DateTimeField } from '../../components/form/date-time-field.tsx';
import type { FieldSpec } from '../../components/form/field-spec.ts';
import { Form } from '../../components/form/form.tsx';
import { RowButton } from '../../components/row-button.tsx';
import { showToast } from '../../components/toast.tsx';
import { t } from '../../locales/locale.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

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

interface ReceiverRowProps {
  readonly receiver: Webhook;
  readonly units: Units;
}

/** One receiver: test, send again; for superusers also enable, disable, change, remove. */
export function ReceiverRow({ receiver, units }: ReceiverRowProps) {
  const { id, url, is_enabled: isOn, num_waiting: waiting, num_dead: dead } = receiver;
  const { runAction, error } = useAction();
  const isConfirming = useSignal(false);
  const isEditing = useSignal(false);
  const isReplaying = useSignal(false);
  const path = { id };
  const host = new URL(url).host;
  const actionButton = (label: string, onClick: () => void, isDanger = false) => (
    <RowButton label={label} what={url} isDanger={isDanger} onClick={onClick} />
  );
  return (
    <li>
      <div class="row-text">
        <p class="row-name">{url}</p>
        <p class="soft">
          {[
            isOn ? t('webhooks.isOn') : t('webhooks.isOff'),
            receiver.event_kinds?.map((kind) => t(`activity.kinds.${kind}`)).join(', '),
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
        {isOn && actionButton(t('webhooks.replay'), () => (isReplaying.value = true))}
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
                  true,
                )
              : actionButton(t('webhooks.remove'), () => (isConfirming.value = true))}
          </>
        )}
      </div>
      {isEditing.value && <ReceiverEditor receiver={receiver} onClose={() => (isEditing.value = false)} />}
      {isReplaying.value && (
        <ReplayDialog receiver={receiver} units={units} onClose={() => (isReplaying.value = false)} />
      )}
    </li>
  );
}

/** Address and events of a receiver. */
function ReceiverEditor({ receiver, onClose }: { readonly receiver: Webhook; onClose(): void }) {
  const { id, url, event_kinds: chosen } = receiver;
  const kinds = systemEventKinds.map(
    (kind) =>
      ({
        kind: 'flag',
        name: kind,
        label: t(`activity.kinds.${kind}`),
        value: chosen === null || chosen.includes(kind),
      }) as const,
  );
  return (
    <Dialog title={t('webhooks.change')} onClose={onClose}>
      <Form
        fields={[addressField(url), ...kinds]}
        submit={t('common.save')}
        send={({ url: address, ...values }) => {
          const wanted = systemEventKinds.filter((kind) => values[kind]);
          // All of them, also those of later versions.
          const eventKinds = wanted.length === systemEventKinds.length ? null : wanted;
          return request('PATCH /admin/webhooks/{id}', {
            path: { id },
            body: { url: address, event_kinds: eventKinds },
          });
        }}
        onDone={() => {
          onClose();
          showToast(t('common.saved'));
        }}
      />
    </Dialog>
  );
}

/** Sends the events of a span once more. */
function ReplayDialog({ receiver, units, onClose }: ReceiverRowProps & { onClose(): void }) {
  const toInput = (ms: number) => toBarInput(new Date(ms).toISOString(), units);
  const from = useSignal(toInput(Date.now() - dayMs));
  // The field has no seconds: the present minute is part of the span.
  const until = useSignal(toInput(Date.now() + minuteMs));
  const times = [
    ['from', t('webhooks.replayFrom'), from],
    ['until', t('webhooks.replayUntil'), until],
  ] as const;
  return (
    <Dialog title={t('webhooks.replay')} onClose={onClose}>
      <p>{t('webhooks.replayWhy')}</p>
      <Form
        fields={times.map(([name, label, value]) => ({
          kind: 'custom',
          name,
          label,
          optional: 'omit',
          render: (fault) => <DateTimeField label={label} value={value} fault={fault} />,
        }))}
        submit={t('webhooks.replaySend')}
        send={() =>
          request('POST /admin/webhooks/{id}/replay', {
            path: { id: receiver.id },
            body: { from: from.value, until: until.value },
          })
        }
        onDone={({ count }) => {
          onClose();
          showToast(t('webhooks.replayed', { count }));
        }}
      />
    </Dialog>
  );
}
