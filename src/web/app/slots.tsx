import type { ComponentChildren, FunctionComponent } from 'preact';
import { webExtensions } from '../../extensions/pages.ts';
import type { LiveTap, SnapshotMessage } from '../../http/live/shapes.ts';
import { isFeatureOn } from './me.ts';
import type {
  BeerDetailsProps,
  ControllersOfExtension,
  ControllersProps,
  KegDetailsProps,
  PageSlots,
  TapSlotProps,
} from './page-slots.ts';
import { lazyComponent } from './routing.ts';

type Slots = Partial<PageSlots>;

/** What the extensions that are on answer, in the order of their list. */
const answers = <Answer,>(
  ask: (slots: Slots) => Answer | readonly Answer[] | null | undefined,
): readonly Answer[] =>
  webExtensions.flatMap(({ name, slots = {} }) => (isFeatureOn(name) ? (ask(slots) ?? []) : []));

/** The sections of all extensions at a place; `name` is that of the feature. */
const sections = <Props extends object>(
  find: (slots: Slots) => (() => Promise<FunctionComponent<Props>>) | undefined,
) =>
  webExtensions.flatMap(({ name, slots = {} }) => {
    const load = find(slots);
    return load === undefined ? [] : [{ name, Section: lazyComponent(load) }];
  });

/** Shows the sections of the extensions that are on, one below the other. */
function oneBelowTheOther<Props extends object>(
  find: (slots: Slots) => (() => Promise<FunctionComponent<Props>>) | undefined,
): FunctionComponent<Props> {
  const all = sections(find);
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

export const BeerDetails = oneBelowTheOther<BeerDetailsProps>(({ beerDetails }) => beerDetails);
export const KegDetails = oneBelowTheOther<KegDetailsProps>(({ kegDetails }) => kegDetails);
export const ReportSettings = oneBelowTheOther<object>(({ reportSettings }) => reportSettings);
export const TapDetails = oneBelowTheOther<TapSlotProps>(({ tapDetails }) => tapDetails);
export const TapForms = oneBelowTheOther<TapSlotProps>(({ tapForm }) => tapForm);

const aroundControllers = sections<ControllersProps>(({ controllers }) => controllers);

/** The list of controllers, with what the extensions that are on show of each of them and below the list. */
export function Controllers({ children, ...shown }: ControllersProps) {
  return inside(
    aroundControllers.filter(({ name }) => isFeatureOn(name)),
    () => null,
  );

  function inside(
    [first, ...others]: typeof aroundControllers,
    partsOf: ControllersOfExtension,
  ): ComponentChildren {
    if (first === undefined) return children(partsOf);
    const { name, Section } = first;
    return (
      <Section key={name} {...shown}>
        {(own) => inside(others, (controller) => partsOf(controller) ?? own(controller))}
      </Section>
    );
  }
}

export const exportKinds = () => answers(({ exportKinds }) => exportKinds?.());
export const reportLinks = () => answers(({ reportLinks }) => reportLinks?.());
export const tapLinks = (tap: LiveTap) => answers(({ tapLink }) => tapLink?.(tap));

/** What staff are to look at; nothing before the first message. */
export const notices = (snapshot: SnapshotMessage | null) =>
  snapshot === null ? [] : answers(({ notice }) => notice?.(snapshot));

export const healthPage = (part: string): string | null =>
  answers(({ healthPage }) => healthPage?.(part))[0] ?? null;

export const kegCosts = () => answers(({ kegCosts }) => kegCosts?.())[0] ?? null;

export const readKegsInOrder = async (): Promise<readonly number[] | null> =>
  (await answers(({ kegsInOrder }) => kegsInOrder?.())[0]) ?? null;
