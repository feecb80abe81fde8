import { useSignal } from '@preact/signals';
import { request } from '../api/client.ts';
import { navigate } from '../current-path.ts';
import type { DisplayText } from '../error-text.ts';
import { Field } from '../field.tsx';
import { loadMe } from '../me.ts';
import { words } from '../words/restore.ts';
import { locale, say } from '../words/say.ts';
import { BackupChoice, type Offer } from './backup-choice.tsx';
import { type Restored, sendBackup } from './send-backup.ts';
import '../styles/restore.css';

const shares = new Intl.NumberFormat(locale, { style: 'percent' });
/** The house has no time zone yet; the reader's own will do. */
const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' });

/** Putting back a backup in place of a new house: the code first, then which one, then how it goes. */
export function Restore({ onBack }: { onBack(): void }) {
  const code = useSignal('');
  const offer = useSignal<Offer | null>(null);
  const refusal = useSignal<DisplayText | null>(null);
  const fault = useSignal<DisplayText | undefined>(undefined);
  const busy = useSignal(false);
  /** How much of a file is out; null while none is sent. */
  const sent = useSignal<number | null>(null);
  const done = useSignal<Restored | null>(null);

  async function look(event: SubmitEvent) {
    event.preventDefault();
    if (busy.value || !(event.currentTarget instanceof HTMLFormElement)) return;
    code.value = String(new FormData(event.currentTarget).get('code') ?? '').trim();
    busy.value = true;
    const answer = await request('POST /setup/backups', { body: { code: code.value } });
    busy.value = false;
    refusal.value = answer.ok ? null : answer.sentence;
    fault.value = answer.ok ? undefined : answer.fields.code;
    if (answer.ok) offer.value = answer.result;
  }

  async function putBack(name: string | null, file: File | null) {
    if (busy.value) return;
    // The code stands before the file, so that nobody sends a gigabyte to hear that it was wrong.
    const body = new FormData();
    body.append('code', code.value);
    if (name !== null) body.append('backup_name', name);
    if (file !== null) body.append('backup', file);
    busy.value = true;
    sent.value = file === null ? 1 : 0;
    refusal.value = null;
    const answer = await sendBackup(body, (share) => {
      if (file !== null) sent.value = share;
    });
    busy.value = false;
    sent.value = null;
    if (answer.ok) done.value = answer.result;
    else refusal.value = answer.sentence;
  }

  if (done.value !== null) return <Done restored={done.value} />;
  return (
    <section class="card-form" aria-busy={busy.value}>
      <h2>{words.title}</h2>
      <p>{words.why}</p>
      {offer.value === null ? (
        <form class="form" onSubmit={look}>
          <Field name="code" label={say.setUp.code} fault={fault.value} autocomplete="off" maxLength={64} />
          <button type="submit" class="button" aria-disabled={busy.value}>
            {words.look}
          </button>
        </form>
      ) : (
        <BackupChoice offer={offer.value} isBusy={busy.value} onChoose={putBack} />
      )}
      <Sending share={sent.value} />
      <p class="refusal" role="alert">
        {refusal.value}
      </p>
      {!busy.value && (
        <button type="button" class="chip" onClick={onBack}>
          {words.back}
        </button>
      )}
    </section>
  );
}

/** How far it is: sent so far, then looked through and put in its place. */
function Sending({ share }: { readonly share: number | null }) {
  return (
    <>
      {share !== null && share < 1 && <progress max={1} value={share} aria-label={words.progress} />}
      <p aria-live="polite">
        {share === null
          ? null
          : share < 1
            ? words.sending(shares.format(Math.floor(share * 20) / 20))
            : words.placing}
      </p>
    </>
  );
}

function Done({ restored }: { readonly restored: Restored }) {
  return (
    <section class="card-form">
      <h2>{words.title}</h2>
      <p role="status">{words.done(moments.format(new Date(restored.created_time)))}</p>
      {restored.is_doubtful && <p class="refusal">{words.doubtful}</p>}
      <p>{words.next}</p>
      <button
        type="button"
        class="button"
        onClick={async () => {
          await loadMe();
          navigate('/log-in');
        }}
      >
        {words.logIn}
      </button>
    </section>
  );
}
