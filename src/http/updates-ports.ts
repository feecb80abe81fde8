import type { UpdatesView } from '../core/updates/updates-view.ts';

/** When a version is installed. */
export type InstallTime = 'now' | 'quiet_hour';

/** The versions of this machine. */
export interface UpdatesAdmin {
  view(): UpdatesView;
  /**
   * Asks the updater to run a version that is kept; the version that ran before ends what is under way. Throws `conflict` where
   * that is not possible.
   */
  switchTo(version: string): void;
  /** Has the version installed that the last check found. Throws `conflict` where there is none. */
  install(when: InstallTime): void;
  /** Forgets the installation that a superuser planned. Throws `conflict` for a checkout or without an address. */
  cancelPlan(): void;
  /** Looks for a new version. Throws `conflict` where no address is set; rejects with what failed. */
  checkNow(): Promise<void>;
}
