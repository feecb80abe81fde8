import type { Moment } from '../core/clock/moment.ts';

/** A controller that counts and switches valves by itself, and reports it later. */
export interface ReportingController {
  readonly controllerId: number;
  /** The name it reports for itself. */
  readonly device: string;
  /** True while its reports are expected. */
  readonly isPaired: boolean;
  /** Time of its last report, Unix milliseconds; null before the first. */
  readonly lastSeenMs: number | null;
}

/** A pour that such a controller shows while it runs. */
interface ShownPour {
  readonly pourId: string;
  readonly ticks: number;
}

/** Where the base asks the extensions that are on about controllers that report by themselves, and what it tells them. */
export interface ControllerHooks {
  /** Such controllers with meters and toggles here. Reads only. */
  reportingControllers(now: Moment): readonly ReportingController[];
  /** Their running pours by full meter name. Reads only. */
  shownPours(): ReadonlyMap<string, ShownPour>;
  /** Staff close the taps of one of them, or of all: with the next report. Writes in a transaction of its own. */
  closeTaps(now: Moment, device?: string): void;
  /** A user, or one of the user's tokens in its stored form, may not pour any more. Writes in a transaction of its own. */
  endUserGrants(
    username: string,
    now: Moment,
    token?: { readonly device: string; readonly value: string },
  ): void;
}

/** Asks and tells every extension that is on, in their order. */
export function joinControllerHooks(inOrder: () => readonly Partial<ControllerHooks>[]): ControllerHooks {
  return {
    reportingControllers: (now) =>
      inOrder().flatMap(({ reportingControllers }) => reportingControllers?.(now) ?? []),
    shownPours: () => new Map(inOrder().flatMap(({ shownPours }) => [...(shownPours?.() ?? [])])),
    closeTaps(now, device) {
      for (const { closeTaps } of inOrder()) closeTaps?.(now, device);
    },
    endUserGrants(username, now, token) {
      for (const { endUserGrants } of inOrder()) endUserGrants?.(username, now, token);
    },
  };
}
