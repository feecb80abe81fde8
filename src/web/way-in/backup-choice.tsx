import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { Result } from '../api/client.ts';
import { words } from '../words/restore.ts';
import { locale } from '../words/say.ts';

/** What lies on the machine, and how large a file may be sent to it. */
export type Offer = Result<'POST /setup/backups'>;

interface BackupChoiceProps {
  readonly offer: Offer;
  readonly isBusy: boolean;
  /** Either the name of one of the machine's own or a file. */
  onChoose(name: string | null, file: File | null): void;
}

const megabytes = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const inMb = (bytes: number): string => `${megabytes.format(Math.max(bytes, 1e5) / 1e6)} MB`;
const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
/** Chosen where the file comes from the reader's own device; no backup has this name. */
const own = '';

/** One of the backups that were found, or a file. */
export function BackupChoice({ offer, isBusy, onChoose }: BackupChoiceProps) {
  const id = useId();
  const chosen = useSignal<string>(offer.backups[0]?.backup_name ?? own);
  const fault = useSignal<string | null>(null);

  function send(event: SubmitEvent) {
    event.preventDefault();
    if (isBusy || !(event.currentTarget instanceof HTMLFormElement)) return;
    const file = new FormData(event.currentTarget).get('backup');
    fault.value = faultOf(file);
    if (fault.value !== null) return;
    if (chosen.value === own) onChoose(null, file as File);
    else onChoose(chosen.value, null);
  }

  function faultOf(file: FormDataEntryValue | null): string | null {
    if (chosen.value !== own) return null;
    if (!(file instanceof File) || file.size === 0) return words.nothingChosen;
    return file.size > offer.most_bytes ? words.tooLarge(inMb(offer.most_bytes)) : null;
  }

  return (
    <form class="form" onSubmit={send}>
      <fieldset class="choice backup-choice">
        <legend>{words.which}</legend>
        {offer.backups.length === 0 && <p>{words.none}</p>}
        {offer.backups.map((backup) => (
          <Option
            key={backup.backup_name}
            value={backup.backup_name}
            chosen={chosen.value}
            label={moments.format(new Date(backup.created_time))}
            about={words.about(backup.server_name, inMb(backup.size_bytes))}
            onChoose={(name) => (chosen.value = name)}
          />
        ))}
        <Option
          value={own}
          chosen={chosen.value}
          label={words.file}
          onChoose={(name) => (chosen.value = name)}
        />
      </fieldset>
      {chosen.value === own && (
        <label class="field" for={`${id}-file`}>
          {words.choose}
          <input
            id={`${id}-file`}
            type="file"
            name="backup"
            accept=".gz,.tgz,application/gzip"
            aria-invalid={fault.value !== null}
            aria-describedby={`${id}-fault`}
          />
        </label>
      )}
      <p class="refusal" role="alert" id={`${id}-fault`}>
        {fault.value}
      </p>
      <p>{words.warning}</p>
      <button type="submit" class="button" aria-disabled={isBusy}>
        {words.putBack}
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
