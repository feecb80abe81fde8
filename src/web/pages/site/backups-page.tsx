import { useSignal } from '@preact/signals';
import { toHref } from '../../app/current-path.ts';
import { barTime, formatBarTime, type Units } from '../../app/format.ts';
import { ErrorMessage, useAction } from '../../components/action.tsx';
import { Page, type PageProps } from '../../components/page.tsx';
import { useResource } from '../../components/use-resource.ts';
import { words } from '../../words/pages.ts';
import { locale } from '../../words/say.ts';

/** Short, since a backup takes only seconds. */
const refreshMs = 2_000;
const megabyteFormat = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });

interface Backup {
  readonly backup_name: string;
  readonly created_time: string;
  readonly occasion: string;
  readonly size_bytes: number;
  readonly num_media_files: number;
}

interface Backups {
  readonly backups: readonly Backup[];
  readonly state: {
    readonly running: { readonly started_time: string } | null;
    readonly problem: string | null;
  };
}

/** Backups: create with progress, download, delete. */
export function BackupsPage({ snapshot }: PageProps) {
  return (
    <Page title={words.backups} requiredRole="staff">
      <BackupList units={snapshot} />
    </Page>
  );
}

function BackupList({ units }: { readonly units: Units }) {
  const { result, error } = useResource<Backups>('/admin/backups', refreshMs);
  const backupAction = useAction();
  const running = result?.state.running ?? null;
  const formatTime = (iso: string) => formatBarTime(barTime(iso, units));
  return (
    <>
      <p>
        <button
          type="button"
          class="button"
          aria-disabled={running !== null}
          onClick={() => {
            if (running !== null) return;
            void backupAction.runAction({
              method: 'POST',
              path: '/admin/backups',
              successMessage: words.backupStarted,
            });
          }}
        >
          {words.createBackup}
        </button>
      </p>
      <p aria-live="polite">{running && words.backupRunning(formatTime(running.started_time))}</p>
      <ErrorMessage>{backupAction.error ?? error ?? result?.state.problem ?? null}</ErrorMessage>
      <div class="card">
        {result?.backups.length === 0 && <p class="soft">{words.noBackups}</p>}
        <ul class="rows" aria-label={words.backups}>
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
  const { runAction, error } = useAction();
  const { backup_name: name } = backup;
  const path = `/admin/backups/${encodeURIComponent(name)}`;
  return (
    <li>
      <div class="row-words">
        <p class="row-name">{time}</p>
        <p class="soft">
          {[
            words.occasions[backup.occasion],
            `${megabyteFormat.format(backup.size_bytes / 1e6)} MB`,
            words.pictures(backup.num_media_files),
            name,
          ].join(' · ')}
        </p>
        <ErrorMessage>{error}</ErrorMessage>
      </div>
      <div class="row-actions">
        <a class="chip" href={toHref(`/api${path}/download`)} download aria-label={words.downloadOf(name)}>
          {words.download}
        </a>
        {isConfirming.value ? (
          <button
            type="button"
            class="chip is-danger"
            onClick={() => runAction({ method: 'DELETE', path, successMessage: words.removed })}
          >
            {words.confirmRemove}
          </button>
        ) : (
          <button
            type="button"
            class="chip"
            aria-label={words.removeOf(name)}
            onClick={() => (isConfirming.value = true)}
          >
            {words.remove}
          </button>
        )}
      </div>
    </li>
  );
}
