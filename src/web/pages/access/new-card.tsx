import { useSignal } from '@preact/signals';
import { request } from '../../api/client.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form/form.tsx';
import { UserCombobox } from '../../components/form/user-combobox.tsx';
import { showToast } from '../../components/toast.tsx';
import { undo } from '../../components/undo.ts';
import { t } from '../../locales/locale.ts';
import { deviceName } from './card-names.ts';

const devices = ['core.rfid', 'nfc', 'core.onewire'] as const;

/** Adds a card whose value is known, such as one that is printed on it, optionally for a person. */
export function NewCard({ username }: { readonly username?: string }) {
  const isOpen = useSignal(false);
  return (
    <>
      <p>
        <button
          type="button"
          class={username === undefined ? 'button' : 'chip'}
          onClick={() => (isOpen.value = true)}
        >
          {t('tokens.add')}
        </button>
      </p>
      {isOpen.value && <NewCardDialog username={username ?? null} onClose={() => (isOpen.value = false)} />}
    </>
  );
}

function NewCardDialog({ username, onClose }: { readonly username: string | null; onClose(): void }) {
  const owner = useSignal(username);
  return (
    <Dialog title={t('tokens.add')} onClose={onClose}>
      <p class="form-why">{t('tokens.addWhy')}</p>
      <Form
        fields={[
          {
            kind: 'choice',
            name: 'auth_device',
            label: t('tokens.device'),
            options: Object.fromEntries(devices.map((device) => [device, deviceName(device)])),
          },
          { kind: 'text', name: 'token_value', label: t('tokens.value'), maxLength: 128 },
          { kind: 'text', name: 'nice_name', label: t('tokens.name'), maxLength: 256, optional: 'empty' },
          {
            kind: 'custom',
            name: 'user',
            label: t('tokens.person'),
            optional: 'omit',
            render: (fault) =>
              username === null && (
                <UserCombobox
                  label={t('tokens.personOrNone')}
                  required={false}
                  error={fault}
                  onChange={(name) => (owner.value = name)}
                />
              ),
          },
        ]}
        submit={t('tokens.add')}
        send={({ auth_device: device, ...body }) =>
          request('POST /auth-tokens', { body: { ...body, auth_device: String(device), user: owner.value } })
        }
        onDone={({ token }) => {
          showToast(
            t('tokens.added', { card: token.nice_name || token.token_value }),
            () => void undo(() => request('DELETE /auth-tokens/{token}', { path: { token: token.id } })),
          );
          onClose();
        }}
        onCancel={onClose}
      />
    </Dialog>
  );
}
