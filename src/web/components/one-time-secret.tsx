import { CopyButton } from './copy-button.tsx';

interface OneTimeSecretProps {
  readonly explanation: string;
  readonly secret: string;
  /** The words on the button that puts it away. */
  readonly dismissLabel: string;
  onDismiss(): void;
}

/** A secret that is never shown again: to be copied, and then put away. */
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
