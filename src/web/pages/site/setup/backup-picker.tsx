import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { Result } from '../../../api/client.ts';
import { locale, t } from '../../../locales/locale.ts';

/** Backups found on the machine, and the size limit of an upload. */
export type RestoreOptions = Result<'POST /setup/backups'>;

interface BackupPickerProps {
  readonly options: RestoreOptions;
  readonly isBusy: boolean;
  /** Exactly one is set: the name of a backup on the machine, or a file. */
  onChoose(name: string | null, file: File | null): void;
}

const megabytes = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const formatMb = (bytes: number): string => `${megabytes.format(Math.max(bytes, 1e5) / 1e6)} MB`;
const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
/** Option value for a file from the user's device; no backup has an empty name. */
const ownFile = '';

/** Chooses a backup on the machine or a file to upload. */
export function BackupPicker({ options, isBusy, onChoose }: BackupPickerProps) {
  const id = useId();
  const chosen = useSignal<string>(options.backups[0]?.backup_name ?? ownFile);
  const error = useSignal<string | null>(null);

  function send(event: SubmitEvent) {
    event.preventDefault();
    if (isBusy || !(event.currentTarget instanceof HTMLFormElement)) return;
    const file = new FormData(event.currentTarget).get('backup');
    error.value = validateFile(file);
    if (error.value !== null) return;
    if (chosen.value === ownFile) onChoose(null, file as File);
    else onChoose(chosen.value, null);
  }

  function validateFile(file: FormDataEntryValue | null): string | null {
    if (chosen.value !== ownFile) return null;
    if (!(file instanceof File) || file.size === 0) return t('restore.nothingChosen');
    return file.size > options.most_bytes
      ? t('restore.tooLarge', { size: formatMb(options.most_bytes) })
      : null;
  }

  return (
    <form class="form" onSubmit={send}>
      <fieldset class="choice backup-choice">
        <legend>{t('restore.which')}</legend>
        {options.backups.length === 0 && <p>{t('restore.none')}</p>}
        {options.backups.map((backup) => (
          <Option
            key={backup.backup_name}
            value={backup.backup_name}
            chosen={chosen.value}
            label={dateTime.format(new Date(backup.created_time))}
            about={t('restore.about', { siteName: backup.server_name, size: formatMb(backup.size_bytes) })}
            onChoose={(name) => (chosen.value = name)}
          />
        ))}
        <Option
          value={ownFile}
          chosen={chosen.value}
          label={t('restore.file')}
          onChoose={(name) => (chosen.value = name)}
        />
      </fieldset>
      {chosen.value === ownFile && (
        <label class="field" for={`${id}-file`}>
          {t('restore.choose')}
          <input
            id={`${id}-file`}
            type="file"
            name="backup"
            accept=".gz,.tgz,application/gzip"
            aria-invalid={error.value !== null}
            aria-describedby={`${id}-error`}
          />
        </label>
      )}
      <p class="refusal" role="alert" id={`${id}-error`}>
        {error.value}
      </p>
      <p>{t('restore.warning')}</p>
      <button type="submit" class="button" aria-disabled={isBusy}>
        {t('restore.restore')}
      </button>
    </form>
  );
}

interface OptionProps {
  readonly value: string;
  readonly chosen: string;
  readonly label: string;
  readonly about?: string;
  onChoose(value: string): void;
}

function Option({ value, chosen, label, about, onChoose }: OptionProps) {
  return (
    <label class="flag">
      <input
        type="radio"
        name="which"
        value={value}
        checked={chosen === value}
        onChange={() => onChoose(value)}
      />
      <span>
        {label}
        {about !== undefined && <span class="option-about">{about}</span>}
      </span>
    </label>
  );
}
