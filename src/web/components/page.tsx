import type { ComponentChildren } from 'preact';
import type { SnapshotMessage } from '../../http/live/shapes.ts';
import { LogIn } from '../auth/log-in.tsx';
import type { LiveState } from '../live.ts';
import { isStaff, me } from '../me.ts';
import { say } from '../words/say.ts';
import '../styles/dialog.css';
import '../styles/pages.css';

/** What every page beyond the taps is given. */
export interface PageProps {
  readonly app: SnapshotMessage;
  /** Pours as they run. */
  readonly live: LiveState;
  /** What stands in the address where the page has an `:id`; else empty. */
  readonly id: string;
}

interface FrameProps {
  readonly title: string;
  /** Who may see what is inside; everybody else is told how to get in. */
  readonly requiredRole?: 'members' | 'staff';
  readonly children: ComponentChildren;
}

/** The frame of a page: its title, and the way in where the reader may not look yet. */
export function Page({ title, requiredRole, children }: FrameProps) {
  const isAllowed =
    requiredRole === undefined || (requiredRole === 'members' ? me.value !== null : isStaff.value);
  return (
    <main class="page">
      <h2 class="page-title">{title}</h2>
      {isAllowed && children}
      {!isAllowed && me.value === null && (
        <div class="card">
          <LogIn why={say.logInWhy} />
        </div>
      )}
      {!isAllowed && me.value !== null && <p class="refusal">{say.staffOnly}</p>}
    </main>
  );
}
