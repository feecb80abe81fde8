import type { ComponentChildren, FunctionComponent } from 'preact';
import type { LiveTap, SnapshotMessage } from '../../http/live/shapes.ts';
import type { Answer, Result } from '../api/client.ts';
import type { Controller } from '../api/generated.ts';
import type { Units } from './format.ts';

/**
 * What an extension adds to pages of the base. A slot is a place there, named by what it shows. Each is a function that is called
 * only while the extension is on: it answers what the page asks, or null; a section is loaded on first use. `slots.tsx` calls them.
 */
export interface PageSlots {
  /** A section of the page of a beer, for staff. */
  beerDetails(): Section<BeerDetailsProps>;
  /** The list of controllers, which `children` draws, with more in it and below it. */
  controllers(): Section<ControllersProps>;
  /** Kinds of records that can be exported besides those of the base. */
  exportKinds(): readonly ExportKind[];
  /** The page that says more about a part of the machine's health. */
  healthPage(part: string): string | null;
  /** The page where staff enter what kegs cost. */
  kegCosts(): PageLink;
  /** A section of the page of a keg, for staff. */
  kegDetails(): Section<KegDetailsProps>;
  /** Reads the ids of kegs in stock in the order in which staff should use them; null when they cannot be read. */
  kegsInOrder(): Promise<readonly number[] | null>;
  /** What staff are to look at, under the bell. */
  notice(snapshot: SnapshotMessage): Notice | null;
  /** Pages that the page of the reports leads to. */
  reportLinks(): readonly PageLink[];
  /** A section of the page of the reports, among their settings. */
  reportSettings(): Section<object>;
  /** A section of the page of a tap, for staff. */
  tapDetails(): Section<TapSlotProps>;
  /** A form below those of the editor of a tap. */
  tapForm(): Section<TapSlotProps>;
  /** A page that the page of a tap leads to, for those who act at taps. */
  tapLink(tap: LiveTap): PageLink | null;
}

type Section<Props> = Promise<FunctionComponent<Props>>;

export interface PageLink {
  readonly path: string;
  readonly text: string;
}

export interface Notice extends PageLink {
  readonly title: string;
}

export interface BeerDetailsProps {
  readonly beverageId: number;
  readonly beer: string;
  readonly units: Units;
}

export interface KegDetailsProps {
  readonly kegId: number;
}

export interface TapSlotProps {
  readonly tap: { readonly id: string; readonly name: string };
  readonly units: Units;
}

/** Records that can be exported. */
export type ExportKind = Result<'GET /admin/export-sizes'>['sizes'][number]['kind'];

export interface ControllersProps {
  readonly controllers: readonly Controller[];
  readonly snapshot: SnapshotMessage;
  children(partsOf: ControllersOfExtension): ComponentChildren;
}

/** What an extension shows of a controller; null for one that it does not know. */
export type ControllersOfExtension = (controller: Controller) => ControllerParts | null;

/** What an extension shows of one controller in the list. */
export interface ControllerParts {
  /** In place of the time at which it was last seen. */
  readonly state: ComponentChildren;
  readonly actions: readonly ControllerAction[];
}

interface ControllerAction {
  readonly label: string;
  /** For screen readers: the label with the name of the controller. */
  readonly name: string;
  send(): Promise<Answer<unknown>>;
  /** Shown when it is done. */
  readonly success: string;
}
