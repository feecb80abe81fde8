import { webExtensions } from '../../extensions/pages.ts';
import type { LiveTap, SnapshotMessage } from '../../http/live/shapes.ts';
import type { ExtensionLink, ExtensionNotice } from './extension.ts';
import { isFeatureOn } from './me.ts';

const extensionsOn = () => webExtensions.filter(({ name }) => isFeatureOn(name));

/** The links of extensions on the page of a tap. */
export const tapLinks = (tap: LiveTap): readonly ExtensionLink[] =>
  extensionsOn().flatMap(({ tapLink }) => tapLink?.(tap) ?? []);

/** What extensions ask staff to look at. */
export const extensionNotices = (snapshot: SnapshotMessage | null): readonly ExtensionNotice[] =>
  snapshot === null ? [] : extensionsOn().flatMap(({ notice }) => notice?.(snapshot) ?? []);
