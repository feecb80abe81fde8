import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Answer } from '../../../api/client.ts';
import type { DisplayText } from '../../../app/error-text.ts';
import { usePageTitle } from '../../../app/page-title.ts';
import '../../../styles/shared/dialog.css';

interface AuthFormProps {
  readonly title: string;
  readonly why: string;
  readonly button: string;
  /** Sends the form; `text` returns the value of a field. */
  send(text: (name: string) => string): Promise<Answer<unknown>>;
  /** Called after the daemon has accepted it. */
  onDone(): void | Promise<void>;
  /** Renders the fields with the validation errors of each. */
  readonly fields?: (errors: Readonly<Record<string, DisplayText>>) => ComponentChildren;
}

/** A form on its own page: title, purpose, fields, error and one button. */
export function AuthForm({ title, why, button, send, onDone, fields }: AuthFormProps) {
  usePageTitle(title);
  const busy = useSignal(false);
  const refusal = useSignal<Answer<unknown> | null>(null);
  const failure = refusal.value && !refusal.value.ok ? refusal.value : null;

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    if (busy.value || !(event.currentTarget instanceof HTMLFormElement)) return;
    const form = new FormData(event.currentTarget);
    busy.value = true;
    const answer = await send((name) => String(form.get(name) ?? ''));
    busy.value = false;
    refusal.value = answer;
    if (answer.ok) await onDone();
  }

  return (
    <main class="bar">
      <form class="card-form" onSubmit={submit}>
        <h2>{title}</h2>
        <p>{why}</p>
        {fields?.(failure?.fields ?? {})}
        <p class="refusal" role="alert">
          {failure?.sentence}
        </p>
        <button type="submit" class="button" aria-disabled={busy.value}>
          {button}
        </button>
      </form>
    </main>
  );
}

/** A message on its own page, shown when there is nothing to fill in. */
export function AuthNotice({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  usePageTitle(title);
  return (
    <main class="bar">
      <div class="card-form" role="status">
        <h2>{title}</h2>
        {children}
      </div>
    </main>
  );
}
