import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { t } from '../locales/locale.ts';

interface OneTimeSecretProps {
  readonly explanation: string;
  readonly secret: string;
  /** Label of the button that hides the secret. */
  readonly dismissLabel: string;
  onDismiss(): void;
}

/** A secret that is shown only once, with buttons to copy and to hide it. */
export function OneTimeSecret({ explanation, secret, dismissLabel, onDismiss }: OneTimeSecretProps) {
  return (
    <div class="secret">
      <p role="status">{explanation}</p>
      <code>{secret}</code>
      <div class="row-actions">
        <CopyButton text={secret} />
        <button type="button" class="chip" onClick={onDismiss}>
          {dismissLabel}
        </button>
      </div>
    </div>
  );
}

/** Copies a text to the clipboard; falls back to `execCommand` over plain HTTP, where browsers offer no clipboard API. */
export function CopyButton({ text }: { readonly text: string }) {
  const source = useRef<HTMLTextAreaElement>(null);
  const isCopied = useSignal(false);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      isCopied.value = true;
    } catch {
      source.current?.select();
      isCopied.value = document.execCommand('copy');
    }
  }

  return (
    <span>
      <button type="button" class="chip" onClick={() => void copy()}>
        {t('common.copy')}
      </button>{' '}
      <span role="status">{isCopied.value && t('common.copied')}</span>
      <textarea ref={source} class="visually-hidden" readOnly value={text} tabIndex={-1} aria-hidden="true" />
    </span>
  );
}
