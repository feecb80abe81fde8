import type { ComponentChildren, FunctionComponent } from 'preact';
import type { LiveTap, SnapshotMessage } from '../../http/live/shapes.ts';
import type { Answer, Result } from '../api/client.ts';
import type { Controller } from '../api/generated.ts';
import type { IconName } from '../components/icon.tsx';
import type { PageProps } from '../components/page.tsx';
import type { PlainKey } from '../locales/translator.ts';
import type { Units } from './format.ts';
import type { NavigationGroupName, NavigationItem } from './frame/navigation.ts';

/** What an extension adds to the page. Everything is hidden while a site has it switched off. */
export interface WebExtension {
  /** The name that the daemon knows it by. */
  readonly name: string;
  readonly labelKey: PlainKey;
  /** What it is for, in a sentence. */
  readonly aboutKey: PlainKey;
  readonly pages: readonly ExtensionPage[];
  readonly menu: readonly ExtensionMenuItem[];
  /** A link on the page of a tap, for those who act at taps. */
  readonly tapLink?: (tap: LiveTap) => ExtensionLink | null;
  /** What staff are to look at, under the bell; null: nothing. */
  readonly notice?: (snapshot: SnapshotMessage) => ExtensionNotice | null;
  /** The page that says more about a part of the machine's health. */
  readonly healthPages?: Readonly<Record<string, string>>;
  /** What it adds to pages of the base. */
  readonly slots?: PageSlots;
  /** Loads what it adds to the list of controllers. */
  readonly controllers?: () => Promise<FunctionComponent<ControllersProps>>;
}

/** Places on pages of the base where an extension adds something, each named by what it shows there; `slots.tsx` shows them. */
export interface PageSlots {
  /** Loads a section of the page of a keg, for staff. */
  readonly kegDetails?: Section<{ readonly kegId: number }>;
  /** Loads a section of the page of a beer. */
  readonly beerDetails?: Section<BeerDetailsProps>;
  /** Loads a section of the page of the reports, among their settings. */
  readonly reportSettings?: Section<object>;
  /** Pages that the page of the reports leads to. */
  readonly reportLinks?: readonly PageLink[];
  /** Kinds of records of its own that can be exported. */
  readonly exportKinds?: readonly ExportKind[];
  /** Reads the ids of kegs in stock in the order in which staff should use them; null when they cannot be read. */
  readonly kegsInOrder?: () => Promise<readonly number[] | null>;
  /** The page where staff enter what kegs cost. */
  readonly kegCosts?: PageLink;
}

type Section<Props> = () => Promise<FunctionComponent<Props>>;

export interface BeerDetailsProps {
  readonly beverageId: number;
  readonly beer: string;
  readonly units: Units;
}

/** Records that can be exported. */
export type ExportKind = Result<'GET /admin/export-sizes'>['sizes'][number]['kind'];

interface PageLink {
  readonly path: string;
  readonly labelKey: PlainKey;
}

/** A component that shows the list of controllers, which `children` draws, with more below it. */
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

/** A link to a page of an extension. */
export interface ExtensionLink {
  readonly path: string;
  readonly text: string;
}

export interface ExtensionNotice extends ExtensionLink {
  readonly title: string;
}

interface ExtensionPage {
  readonly path: string;
  readonly load: () => Promise<FunctionComponent<PageProps>>;
  /** True for a page without the header, for a screen that nobody touches. */
  readonly isFullScreen?: true;
}

export interface ExtensionMenuItem extends NavigationItem {
  readonly group: NavigationGroupName;
  /** The path of the item that it follows. */
  readonly after: string;
  readonly icon: IconName;
}
