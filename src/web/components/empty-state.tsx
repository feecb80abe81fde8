import { toHref } from '../app/routing.ts';

interface EmptyStateProps {
  readonly text: string;
  /** The one action: a link to another page. */
  readonly path: string;
  readonly action: string;
}

/** A sentence and one action, where there is nothing to show. */
export function EmptyState({ text, path, action }: EmptyStateProps) {
  return (
    <div class="card empty-state">
      <p>{text}</p>
      <a class="button" href={toHref(path)}>
        {action}
      </a>
    </div>
  );
}
