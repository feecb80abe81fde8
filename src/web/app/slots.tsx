import { webExtensions } from '../../extensions/pages.ts';
import type { PageSlots } from './extension.ts';
import { isFeatureOn } from './me.ts';
import { lazyComponent } from './routing.ts';

/** What an extension that is on has at a place; the first one, null without. */
const findSlot = <Name extends keyof PageSlots>(slot: Name): NonNullable<PageSlots[Name]> | null =>
  webExtensions.find(({ name, slots }) => slots?.[slot] !== undefined && isFeatureOn(name))?.slots?.[slot] ??
  null;

const kegDetails = webExtensions.flatMap(({ name, slots }) =>
  slots?.kegDetails === undefined ? [] : [{ name, Details: lazyComponent(slots.kegDetails) }],
);

/** What the extensions that are on tell staff of a keg. */
export const KegDetails = ({ kegId }: { readonly kegId: number }) => (
  <>
    {kegDetails
      .filter(({ name }) => isFeatureOn(name))
      .map(({ name, Details }) => (
        <Details key={name} kegId={kegId} />
      ))}
  </>
);

/** The ids of kegs in stock in the order in which staff should use them; null where nothing knows it. */
export const readKegsInOrder = async (): Promise<readonly number[] | null> =>
  (await findSlot('kegsInOrder')?.()) ?? null;

/** The page where staff enter what kegs cost; null without. */
export const kegCostsPage = (): PageSlots['kegCosts'] | null => findSlot('kegCosts');
