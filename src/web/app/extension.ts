import type { FunctionComponent } from 'preact';
import type { IconName } from '../components/icon.tsx';
import type { PageProps } from '../components/page.tsx';
import type { PlainKey } from '../locales/translator.ts';
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
  /** The page that says more about a part of the machine's health. */
  readonly healthPages?: Readonly<Record<string, string>>;
  /** What it adds to pages of the base. */
  readonly slots?: PageSlots;
}

/** Places on pages of the base where an extension adds something, each named by what it shows there; `slots.tsx` shows them. */
export interface PageSlots {
  /** Loads a section of the page of a keg, for staff. */
  readonly kegDetails?: () => Promise<FunctionComponent<{ readonly kegId: number }>>;
  /** Reads the ids of kegs in stock in the order in which staff should use them; null when they cannot be read. */
  readonly kegsInOrder?: () => Promise<readonly number[] | null>;
  /** The page where staff enter what kegs cost. */
  readonly kegCosts?: PageLink;
}

interface PageLink {
  readonly path: string;
  readonly labelKey: PlainKey;
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
