import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { request } from '../../api/client.ts';
import type { AuthToken } from '../../api/generated.ts';
import { toDateInput, type Units } from '../../app/format.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form/form.tsx';
import { UserCombobox } from '../../components/form/user-combobox.tsx';
import { showToast } from '../../components/toast.tsx';
import { undo } from '../../components/undo.ts';
import { t } from '../../locales/locale.ts';
import { CardHistory } from './card-history.tsx';

interface CardDialogProps {
  readonly card: AuthToken;
  readonly units: Units;
  onClose(): void;
}

/** Name, owner and expiry of a card, and its history. */
export function CardDialog({ card, units, onClose }: CardDialogProps) {
  const id = useId();
  const owner = useSignal(card.user_id);
  const day = useSignal(card.expire_time === null ? '' : toDateInput(card.expire_time, units));
  const path = { token: card.id };
  const before = { nice_name: card.nice_name, user: card.user_id, expire_time: card.expire_time };
  const isSameDay = card.expire_time !== null && day.value === toDateInput(card.expire_time, units);
  return (
    <Dialog title={t('tokens.title1', { card: card.nice_name || card.token_value })} onClose={onClose}>
      <Form
        fields={[
          {
            kind: 'text',
            name: 'nice_name',
            label: t('tokens.name'),
            value: card.nice_name,
            maxLength: 256,
            optional: 'empty',
          },
          {
            kind: 'custom',
            name: 'user',
            label: t('tokens.person'),
            optional: 'omit',
            render: (fault) => (
              <UserCombobox
                label={t('tokens.personOrNone')}
                initial={card.user_id ?? ''}
                required={false}
                error={fault}
                onChange={(username) => (owner.value = username)}
              />
            ),
          },
          {
            kind: 'custom',
            name: 'expire_time',
            label: t('tokens.lastDay'),
            optional: 'omit',
            render: (fault) => (
              <label class="field" for={id}>
                {t('tokens.lastDay')}
                <input
                  id={id}
                  type="date"
                  min="2000-01-01"
                  max="2099-12-30"
                  value={day.value}
                  aria-invalid={fault !== undefined}
                  aria-describedby={`${id}-note`}
                  onInput={(event) => (day.value = event.currentTarget.value)}
                />
                <span class={fault === undefined ? 'soft' : 'refusal'} id={`${id}-note`}>
                  {fault ?? t('tokens.lastDayHint')}
                </span>
              </label>
            ),
          },
        ]}
        submit={t('common.save')}
        isEdit
        send={(_values, { changes }) =>
          request('PATCH /auth-tokens/{token}', {
            path,
            body: {
              ...changes,
              ...(owner.value !== card.user_id && { user: owner.value }),
              // A time without a zone is in the time zone of the bar.
              ...(!isSameDay && { expire_time: day.value === '' ? null : `${day.value}T23:59:59` }),
            },
          })
        }
        onDone={() => {
          showToast(
            t('common.saved'),
            () => void undo(() => request('PATCH /auth-tokens/{token}', { path, body: before })),
          );
          onClose();
        }}
        onCancel={onClose}
      />
      {card.other_values.length > 0 && (
        <section class="group" aria-labelledby={`${id}-others`}>
          <h3 id={`${id}-others`}>{t('tokens.otherValues')}</h3>
          <ul class="rows">
            {card.other_values.map((value) => (
              <li key={value}>{value}</li>
            ))}
          </ul>
        </section>
      )}
      <CardHistory token={card.id} units={units} />
    </Dialog>
  );
}
