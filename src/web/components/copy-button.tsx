import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { say } from '../words/say.ts';

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
        {say.copy}
      </button>{' '}
      <span role="status">{isCopied.value && say.copied}</span>
      <textarea ref={source} class="visually-hidden" readOnly value={text} tabIndex={-1} aria-hidden="true" />
    </span>
  );
}
