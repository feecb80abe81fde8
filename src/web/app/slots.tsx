import type { FunctionComponent } from 'preact';
import { webExtensions } from '../../extensions/pages.ts';
import type { BeerDetailsProps, PageSlots } from './extension.ts';
import { isFeatureOn } from './me.ts';
import { lazyComponent } from './routing.ts';

/** What the extensions that are on have at a place. */
const findSlots = <Name extends keyof PageSlots>(slot: Name): readonly NonNullable<PageSlots[Name]>[] =>
  webExtensions.flatMap(({ name, slots }) => {
    const found = slots?.[slot];
    return found === undefined || !isFeatureOn(name) ? [] : [found];
  });

/** Shows the sections that the extensions that are on have at a place. */
function sections<Props extends object>(
  load: (slots: PageSlots) => (() => Promise<FunctionComponent<Props>>) | undefined,
): FunctionComponent<Props> {
  const all = webExtensions.flatMap(({ name, slots = {} }) => {
    const loadIt = load(slots);
    return loadIt === undefined ? [] : [{ name, Section: lazyComponent(loadIt) }];
  });
  return (props) => (
    <>
      {all
        .filter(({ name }) => isFeatureOn(name))
        .map(({ name, Section }) => (
          <Section key={name} {...props} />
        ))}
    </>
  );
}

/** What they tell staff of a keg. */
export const KegDetails = sections<{ readonly kegId: number }>(({ kegDetails }) => kegDetails);

/** What staff set at a beer for them. */
export const BeerDetails = sections<BeerDetailsProps>(({ beerDetails }) => beerDetails);

/** What staff set for them where the reports are. */
export const ReportSettings = sections(({ reportSettings }) => reportSettings);

/** The ids of kegs in stock in the order in which staff should use them; null where nothing knows it. */
export const readKegsInOrder = async (): Promise<readonly number[] | null> =>
  (await findSlots('kegsInOrder')[0]?.()) ?? null;

/** The page where staff enter what kegs cost; null without. */
export const kegCostsPage = () => findSlots('kegCosts')[0] ?? null;

/** Pages that the page of the reports leads to. */
export const reportLinks = () => findSlots('reportLinks').flat();

/** Kinds of records of extensions that can be exported. */
export const exportKinds = () => findSlots('exportKinds').flat();
