import { toHref } from '../app/routing.ts';
import { EmptyPicture, type EmptyPictureName } from './empty-picture.tsx';
import '../styles/shared/empty-state.css';

/** The one action of an empty list: leads to a page, or does something. */
export type EmptyAction =
  | { readonly label: string; readonly path: string }
  | { readonly label: string; readonly onAct: () => void };

interface EmptyContentProps {
  readonly text: string;
  readonly picture?: EmptyPictureName | undefined;
  /** One line, for a list among others. */
  readonly isSmall?: boolean;
  /** Label of the one action. */
  readonly action?: string | undefined;
  /** The action leads to this page, … */
  readonly path?: string | undefined;
  /** … or does this. */
  readonly onAct?: (() => void) | undefined;
}

/** A card with a picture, a sentence and one action, where there is nothing to show. */
export function EmptyState(props: EmptyContentProps) {
  return (
    <div class="card">
      <EmptyContent {...props} />
    </div>
  );
}

/** The same without a card, inside one. */
export function EmptyContent({
  text,
  picture = 'glass',
  isSmall = false,
  action,
  path,
  onAct,
}: EmptyContentProps) {
  return (
    <div class={isSmall ? 'empty-state is-small' : 'empty-state'}>
      <EmptyPicture name={picture} />
      <p>{text}</p>
      {action !== undefined && path !== undefined && (
        <a class="button" href={toHref(path)}>
          {action}
        </a>
      )}
      {action !== undefined && onAct !== undefined && (
        <button type="button" class="button" onClick={onAct}>
          {action}
        </button>
      )}
    </div>
  );
}
