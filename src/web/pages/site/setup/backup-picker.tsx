import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { Result } from '../../../api/client.ts';
import { words } from '../../../words/restore.ts';
import { locale } from '../../../words/say.ts';

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
    if (!(file instanceof File) || file.size === 0) return words.nothingChosen;
    return file.size > options.most_bytes ? words.tooLarge(formatMb(options.most_bytes)) : null;
  }

  return (
    <form class="form" onSubmit={send}>
      <fieldset class="choice backup-choice">
        <legend>{words.which}</legend>
        {options.backups.length === 0 && <p>{words.none}</p>}
        {options.backups.map((backup) => (
          <Option
            key={backup.backup_name}
            value={backup.backup_name}
            chosen={chosen.value}
            label={dateTime.format(new Date(backup.created_time))}
            about={words.about(backup.server_name, formatMb(backup.size_bytes))}
            onChoose={(name) => (chosen.value = name)}
          />
        ))}
        <Option
          value={ownFile}
          chosen={chosen.value}
          label={words.file}
          onChoose={(name) => (chosen.value = name)}
        />
      </fieldset>
      {chosen.value === ownFile && (
        <label class="field" for={`${id}-file`}>
          {words.choose}
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
      <p>{words.warning}</p>
      <button type="submit" class="button" aria-disabled={isBusy}>
        {words.restore}
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
