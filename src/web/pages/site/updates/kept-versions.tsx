import { useSignal } from '@preact/signals';
import { compareVersions } from '../../../../core/updates/versions.ts';
import { request } from '../../../api/client.ts';
import { ErrorMessage, useAction } from '../../../components/action.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { t } from '../../../locales/locale.ts';
import type { Updates } from './updates-data.ts';

/** The other versions that are kept: each can be chosen after a confirmation. */
export function KeptVersions({ updates }: { readonly updates: Updates }) {
  const chosen = useSignal<string | null>(null);
  const { version: running, kept_versions: kept, under_way: underWay } = updates;
  const name = (version: string) =>
    compareVersions(version, running) < 0
      ? t('updates.goBackTo', { version })
      : t('updates.switchTo', { version });
  return (
    <section class="card group" aria-labelledby="kept">
      <h3 id="kept">{t('updates.kept')}</h3>
      {kept.length === 0 && <p class="soft">{t('updates.noneKept')}</p>}
      {kept.length > 0 && (
        <p class="row-actions">
          {kept.map((version) => (
            <button
              key={version}
              type="button"
              class="chip"
              disabled={underWay !== null}
              onClick={() => (chosen.value = version)}
            >
              {name(version)}
            </button>
          ))}
        </p>
      )}
      {chosen.value !== null && (
        <Confirmation
          title={name(chosen.value)}
          version={chosen.value}
          onClose={() => (chosen.value = null)}
        />
      )}
    </section>
  );
}

interface ConfirmationProps {
  readonly title: string;
  readonly version: string;
  onClose(): void;
}

function Confirmation({ title, version, onClose }: ConfirmationProps) {
  const { runAction, error, isBusy } = useAction();
  const choose = () =>
    void runAction(() => request('POST /admin/updates/switch', { body: { version } }), onClose);
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{t('updates.confirm.drinks')}</p>
      <p>{t('updates.confirm.steps')}</p>
      <ErrorMessage>{error}</ErrorMessage>
      <p>
        <button type="button" class="button" disabled={isBusy} onClick={choose}>
          {t('updates.confirm.button')}
        </button>
      </p>
    </Dialog>
  );
}
