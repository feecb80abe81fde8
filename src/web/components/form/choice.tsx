import type { ComponentChildren } from 'preact';
import { useIsBusy } from '../action.tsx';

interface ChoiceProps {
  readonly isChosen?: boolean;
  readonly children: ComponentChildren;
  onChoose(): void;
}

/** A large button. It does nothing when it is the present choice, and while an action of its group is running. */
export function Choice({ isChosen = false, children, onChoose }: ChoiceProps) {
  const isBusy = useIsBusy();
  return (
    <button
      type="button"
      class="chip"
      aria-pressed={isChosen}
      aria-disabled={isBusy || undefined}
      onClick={() => {
        if (!isChosen && !isBusy) onChoose();
      }}
    >
      {children}
    </button>
  );
}
