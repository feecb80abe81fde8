import type { FunctionComponent } from 'preact';
import type { IconName } from '../components/icon.tsx';
import type { PageProps } from '../components/page.tsx';
import type { PlainKey } from '../locales/translator.ts';
import type { NavigationGroupName, NavigationItem } from './frame/navigation.ts';
import type { PageSlots } from './page-slots.ts';

/** What an extension adds to the page. Everything is hidden while a site has it switched off. */
export interface WebExtension {
  /** The name that the daemon knows it by. */
  readonly name: string;
  readonly labelKey: PlainKey;
  /** What it is for, in a sentence. */
  readonly aboutKey: PlainKey;
  readonly pages: readonly ExtensionPage[];
  readonly menu: readonly ExtensionMenuItem[];
  /** The kinds of alarms that it declares; while it is off nobody is asked about them. */
  readonly alarmKinds?: readonly string[];
  /** What it adds to pages of the base. */
  readonly slots?: Partial<PageSlots>;
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
