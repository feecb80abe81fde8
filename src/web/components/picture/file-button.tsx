interface FileButtonProps {
  readonly label: string;
  /** Opens the camera on phones; hidden elsewhere. */
  readonly isCamera?: boolean;
  onChoose(file: File | undefined): Promise<void>;
}

/** A button that chooses a picture from the files, or takes one with the camera. */
export function FileButton({ label, isCamera = false, onChoose }: FileButtonProps) {
  return (
    <label class={isCamera ? 'chip file-chip camera-chip' : 'chip file-chip'}>
      {label}
      <input
        type="file"
        accept="image/*"
        {...(isCamera && { capture: 'environment' as const })}
        onChange={(event) => {
          const input = event.currentTarget;
          void onChoose(input.files?.[0]).finally(() => {
            // The same file can be chosen again.
            input.value = '';
          });
        }}
      />
    </label>
  );
}
