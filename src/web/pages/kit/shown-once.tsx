import { CopyButton } from './copy-button.tsx';

interface ShownOnceProps {
  readonly why: string;
  readonly secret: string;
  /** The words on the button that puts it away. */
  readonly noted: string;
  onNoted(): void;
}

/** A secret that is never shown again: to be copied, and then put away. */
export function ShownOnce({ why, secret, noted, onNoted }: ShownOnceProps) {
  return (
    <div class="secret">
      <p role="status">{why}</p>
      <code>{secret}</code>
      <div class="row-acts">
        <CopyButton text={secret} />
        <button type="button" class="chip" onClick={onNoted}>
          {noted}
        </button>
      </div>
    </div>
  );
}
