import { useSignal } from '@preact/signals';
import { fileHref, request, saveFile } from '../../api/client.ts';
import type { Backup } from '../../api/generated.ts';
import { barTime, formatBarTime, type Units } from '../../app/format.ts';
import { isSuperuser } from '../../app/me.ts';
import { formatProblems } from '../../app/problem-text.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { EmptyContent } from '../../components/empty-state.tsx';
import { Page, type PageProps } from '../../components/page.tsx';
import { useResource } from '../../components/use-resource.ts';
import { findText, locale, t } from '../../locales/locale.ts';

/** Short, since a backup takes only seconds. */
const refreshMs = 2_000;
const megabyteFormat = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });

/** Backups: create with progress, download, delete. */
export function BackupsPage({ snapshot }: PageProps) {
  return (
    <Page title={t('backups.title')} requiredRole="staff">
      <BackupList units={snapshot} />
    </Page>
  );
}

function BackupList({ units }: { readonly units: Units }) {
  const { result, error } = useResource('GET /admin/backups', {}, { intervalMs: refreshMs });
  const backupAction = useAction();
  const running = result?.state.running ?? null;
  const isEmpty = result?.backups.length === 0;
  const formatTime = (iso: string) => formatBarTime(barTime(iso, units));
  const createBackup = () => {
    if (running !== null) return;
    void backupAction.runAction(() => request('POST /admin/backups'), t('backups.backupStarted'));
  };
  return (
    <>
      {!isEmpty && (
        <p>
          <button type="button" class="button" aria-disabled={running !== null} onClick={createBackup}>
            {t('backups.createBackup')}
          </button>
        </p>
      )}
      <p aria-live="polite">
        {running && t('backups.backupRunning', { time: formatTime(running.started_time) })}
      </p>
      <ErrorMessage>
        {backupAction.error ?? error ?? formatProblems(result?.state.problems ?? [])}
      </ErrorMessage>
      <div class="card">
        {isEmpty && (
          <EmptyContent
            text={t('backups.noBackups')}
            picture="box"
            action={running === null ? t('backups.createBackup') : undefined}
            onAct={createBackup}
          />
        )}
        <ul class="rows" aria-label={t('backups.title')}>
          {result?.backups.map((backup) => (
            <BackupRow key={backup.backup_name} backup={backup} time={formatTime(backup.created_time)} />
          ))}
        </ul>
      </div>
    </>
  );
}

function BackupRow({ backup, time }: { readonly backup: Backup; readonly time: string }) {
  const isConfirming = useSignal(false);
  const { runAction, error, isBusy } = useAction();
  const { backup_name: name } = backup;
  const path = { name };
  return (
    <li>
      <div class="row-text">
        <p class="row-name">{time}</p>
        <p class="soft">
          {[
            findText('backups.occasions', backup.occasion),
            `${megabyteFormat.format(backup.size_bytes / 1e6)} MB`,
            t('backups.pictures', { count: backup.num_media_files }),
            backup.program_version && t('backups.version', { version: backup.program_version }),
            name,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <ErrorMessage>{error}</ErrorMessage>
      </div>
      <div class="row-actions">
        {isSuperuser.value && (
          <button
            type="button"
            class="chip"
            aria-disabled={isBusy}
            aria-label={t('common.downloadOf', { name })}
            onClick={() =>
              void runAction(
                () => saveFile(fileHref('GET /admin/backups/{name}/download', { path })),
                () => {},
              )
            }
          >
            {t('common.download')}
          </button>
        )}
        {isConfirming.value ? (
          <button
            type="button"
            class="chip is-danger"
            onClick={() =>
              runAction(() => request('DELETE /admin/backups/{name}', { path }), t('common.removed'))
            }
          >
            {t('common.confirmRemove')}
          </button>
        ) : (
          <button
            type="button"
            class="chip"
            aria-label={t('common.removeOf', { name })}
            onClick={() => (isConfirming.value = true)}
          >
            {t('common.remove')}
          </button>
        )}
      </div>
    </li>
  );
}
