import { useSignal } from '@preact/signals';
import { request } from '../../../api/client.ts';
import type { DisplayText } from '../../../app/error-text.ts';
import { loadMe } from '../../../app/me.ts';
import { useNavigate } from '../../../app/routing.ts';
import { Field } from '../../../components/form/field.tsx';
import { locale, t } from '../../../locales/locale.ts';
import { BackupPicker, type RestoreOptions } from './backup-picker.tsx';
import { type RestoredBackup, sendBackup } from './send-backup.ts';
import '../../../styles/site/restore.css';

const percentFormat = new Intl.NumberFormat(locale, { style: 'percent' });
/** Uses the browser's time zone: the site has none before the set-up. */
const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' });

/** Restores a backup instead of setting up a new site: set-up code, choice of backup, progress. */
export function Restore({ onBack }: { onBack(): void }) {
  const code = useSignal('');
  const options = useSignal<RestoreOptions | null>(null);
  const refusal = useSignal<DisplayText | null>(null);
  const codeError = useSignal<DisplayText | undefined>(undefined);
  const busy = useSignal(false);
  /** Share of the file that is sent, 0…1; null while nothing is sent. */
  const sentShare = useSignal<number | null>(null);
  const restoredBackup = useSignal<RestoredBackup | null>(null);

  async function findBackups(event: SubmitEvent) {
    event.preventDefault();
    if (busy.value || !(event.currentTarget instanceof HTMLFormElement)) return;
    code.value = String(new FormData(event.currentTarget).get('code') ?? '').trim();
    busy.value = true;
    const answer = await request('POST /setup/backups', { body: { code: code.value } });
    busy.value = false;
    refusal.value = answer.ok ? null : answer.sentence;
    codeError.value = answer.ok ? undefined : answer.fields.code;
    if (answer.ok) options.value = answer.result;
  }

  async function restoreBackup(name: string | null, file: File | null) {
    if (busy.value) return;
    // The code goes before the file, so that a wrong code is rejected before a gigabyte is uploaded.
    const body = new FormData();
    body.append('code', code.value);
    if (name !== null) body.append('backup_name', name);
    if (file !== null) body.append('backup', file);
    busy.value = true;
    sentShare.value = file === null ? 1 : 0;
    refusal.value = null;
    const answer = await sendBackup(body, (share) => {
      if (file !== null) sentShare.value = share;
    });
    busy.value = false;
    sentShare.value = null;
    if (answer.ok) restoredBackup.value = answer.result;
    else refusal.value = answer.sentence;
  }

  if (restoredBackup.value !== null) return <RestoreDone restored={restoredBackup.value} />;
  return (
    <section class="card-form" aria-busy={busy.value}>
      <h2>{t('restore.title')}</h2>
      <p>{t('restore.why')}</p>
      {options.value === null ? (
        <form class="form" onSubmit={findBackups}>
          <Field
            name="code"
            label={t('setUp.code')}
            error={codeError.value}
            autocomplete="off"
            maxLength={64}
          />
          <button type="submit" class="button" aria-disabled={busy.value}>
            {t('restore.findBackups')}
          </button>
        </form>
      ) : (
        <BackupPicker options={options.value} isBusy={busy.value} onChoose={restoreBackup} />
      )}
      <RestoreProgress share={sentShare.value} />
      <p class="refusal" role="alert">
        {refusal.value}
      </p>
      {!busy.value && (
        <button type="button" class="chip" onClick={onBack}>
          {t('restore.back')}
        </button>
      )}
    </section>
  );
}

/** Progress: share of the file sent, then the check and the restore. */
function RestoreProgress({ share }: { readonly share: number | null }) {
  return (
    <>
      {share !== null && share < 1 && <progress max={1} value={share} aria-label={t('restore.progress')} />}
      <p aria-live="polite">
        {share === null
          ? null
          : share < 1
            ? t('restore.sending', { share: percentFormat.format(Math.floor(share * 20) / 20) })
            : t('restore.restoring')}
      </p>
    </>
  );
}

function RestoreDone({ restored }: { readonly restored: RestoredBackup }) {
  const navigate = useNavigate();
  return (
    <section class="card-form">
      <h2>{t('restore.title')}</h2>
      <p role="status">{t('restore.done', { when: dateTime.format(new Date(restored.created_time)) })}</p>
      {restored.is_doubtful && <p class="refusal">{t('restore.doubtful')}</p>}
      {restored.has_other_settings && <p class="refusal">{t('restore.otherSettings')}</p>}
      <p>{t('restore.next')}</p>
      <button
        type="button"
        class="button"
        onClick={async () => {
          await loadMe();
          navigate('/log-in');
        }}
      >
        {t('restore.logIn')}
      </button>
    </section>
  );
}
