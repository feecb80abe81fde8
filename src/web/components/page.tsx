import type { ComponentChildren } from 'preact';
import type { SnapshotMessage } from '../../http/live/shapes.ts';
import type { LiveState } from '../app/live.ts';
import { isStaff, me } from '../app/me.ts';
import { usePageTitle } from '../app/page-title.ts';
import { t } from '../locales/locale.ts';
import { LogIn } from '../pages/users/auth/log-in.tsx';
import { useCompletePage } from './page-load.ts';
import '../styles/shared/dialog.css';
import '../styles/shared/pages.css';

/** Properties of every page except the tap overview. */
export interface PageProps {
  readonly snapshot: SnapshotMessage;
  /** Live state, with running pours. */
  readonly live: LiveState;
  /** The `:id` part of the address; empty for routes without one. */
  readonly id: string;
  /** The query of the address. */
  readonly query: URLSearchParams;
}

interface FrameProps {
  readonly title: string;
  /** Role needed to see the content; other visitors see the log-in form or an error. */
  readonly requiredRole?: 'members' | 'staff';
  /** Width of the column: for one form, for lists and pairs of forms (default), or for grids of cards. */
  readonly width?: 'form' | 'list' | 'wide';
  readonly children: ComponentChildren;
}

/** Page frame: the title, and the log-in form in place of the content while the role is missing. */
export function Page({ title, requiredRole, width = 'list', children }: FrameProps) {
  usePageTitle(title);
  const isAllowed =
    requiredRole === undefined || (requiredRole === 'members' ? me.value !== null : isStaff.value);
  const isComplete = useCompletePage();
  return (
    <main class="page" data-width={width} aria-busy={isAllowed && !isComplete}>
      <h2 class="page-title">{title}</h2>
      {isAllowed && !isComplete && <p class="soft page-loading">{t('app.loading')}</p>}
      {isAllowed && children}
      {!isAllowed && me.value === null && (
        <div class="card">
          <LogIn why={t(requiredRole === 'members' ? 'auth.membersOnly' : 'auth.staffOnly')} />
        </div>
      )}
      {!isAllowed && me.value !== null && <p class="refusal">{t('auth.staffOnly')}</p>}
    </main>
  );
}
