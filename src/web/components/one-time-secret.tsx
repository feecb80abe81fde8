import { CopyButton } from './copy-button.tsx';

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
