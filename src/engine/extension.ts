import type { Condition } from '../core/alarms/condition.ts';
import { AppError } from '../core/app-error.ts';
import type { Moment } from '../core/clock/moment.ts';
import type { Problem } from '../core/health/problems.ts';
import type { LineCleaning } from '../core/taps/line-cleaning.ts';
import type { StoreExtension } from '../store/extension.ts';
import type { NewsReceiver } from '../store/notifications/event-receivers-table.ts';
import type { Store } from '../store/store.ts';
import { type ControllerHooks, joinControllerHooks } from './controller-hooks.ts';
import type { ClockFollower } from './shared/clock-follower.ts';
import type { UndoKind } from './shared/corrections/undo-kinds.ts';
import type { KegCosts } from './shared/hooks/keg-costs.ts';
import type { TopicSubscriber } from './shared/hooks/topic-subscriber.ts';
import type { EngineParts } from './shared/parts.ts';
import type { RecordingHooks, SetAsidePours } from './shared/recording-hooks.ts';

/** Where the base asks the extensions that are on, in their order. Each is named by what happens in the base. */
export interface EngineHooks extends Partial<RecordingHooks>, Partial<KegCosts>, Partial<ControllerHooks> {
  /** Where guests read the menu in place of this page; null: nowhere else. Reads only. */
  menuAddress?(): string | null;
  /** What waits to be reported to another server; null: nothing is reported. Reads only. */
  waitingReports?(): WaitingReports | null;
  /** Who is told of every event, and of corrections, alarms, spills and held pours, by the outbox; null: nobody. Reads only. */
  newsReceiver?(): NewsReceiver | null;
  /** Whether this program itself publishes to that topic of a message broker. Reads only. */
  publishesTo?(topic: string): boolean;
  /** Topics of a message broker that the feature wants to receive. */
  readonly topicSubscriber?: TopicSubscriber;
  /** What the live state tells of the cleaning of lines, by the id of the tap. Reads only, and memory only unless one runs. */
  lineCleanings?(now: Moment): ReadonlyMap<number, LineCleaning>;
  /** Number of times that pours look like a cleaning and nobody has answered. Reads only. */
  cleaningQuestions?(now: Moment): number;
  /** Conditions of the kinds of alarms that it declares; asked once a minute. Reads only. */
  alarmConditions?(now: Moment): readonly Condition[];
  /** Why the feature cannot be switched off now, null when it can. Reads only. */
  whyInUse?(): Problem | null;
}

/** Reports to another server that it has not accepted yet. */
export interface WaitingReports {
  readonly waiting: number;
  /** Those that the server refused and that staff must look at. */
  readonly setAside: number;
  /** The one that waits longest; null when none waits. */
  readonly oldest: { readonly atMs: number; readonly timeCertain: boolean } | null;
}

/** An extension as the engine knows it; the type tells its services. */
export interface EngineExtension<Services = unknown> extends StoreExtension {
  /** Whether a site that never switched it has it on. */
  readonly isOnByDefault: boolean;
  /** Loads its services; called only while it is on. */
  load(): Promise<LoadedExtension<Services>>;
  /** Loads what it does with its rows; called also while it is off. */
  loadKeptData(): Promise<KeptData>;
}

/**
 * What an extension does with the rows that it has kept, also while it is off: it needs its tables, not its services. All of it is
 * loaded with the engine, so it is little code.
 */
export interface KeptData {
  /** How its corrections are undone. */
  readonly undoKinds: readonly UndoKind[];
  /** What follows when a wrong clock is corrected, besides the times that its tables declare. */
  readonly clockFollowers: readonly ClockFollower[];
  /** What becomes of the pours that it sets aside. */
  readonly setAsidePours: readonly ((store: Store) => SetAsidePours)[];
}

/** The services of an extension that is on. */
export interface LoadedExtension<Services = unknown> {
  readonly name: string;
  createServices(parts: EngineParts): Services;
  hooks(services: Services): EngineHooks;
}

/** All extensions of the program, what they do with their rows, and the services of those that are on. */
export interface EngineExtensions {
  readonly all: readonly Pick<EngineExtension, 'name' | 'isOnByDefault' | 'outboxKinds'>[];
  readonly loaded: readonly LoadedExtension[];
  /** Of all extensions, on or off; none unless given. */
  readonly keptData?: readonly KeptData[];
}

/** Loads the services of the extensions that are on, and what all do with their rows. */
export async function loadExtensions(
  all: readonly EngineExtension[],
  isOn: (extension: EngineExtension) => boolean = () => true,
): Promise<EngineExtensions> {
  return {
    all,
    loaded: await Promise.all(all.filter(isOn).map((extension) => extension.load())),
    keptData: await Promise.all(all.map((extension) => extension.loadKeptData())),
  };
}

/** An extension that is on, with its services. */
interface RunningExtension {
  readonly loaded: LoadedExtension;
  readonly services: unknown;
  readonly hooks: EngineHooks;
}

/**
 * The extensions that are on. `use` switches them while the engine runs: the services of those that stay on, and of the base, are
 * the same afterwards, with all that they have in memory.
 */
export function createExtensionServices(parts: EngineParts) {
  const running = new Map<string, RunningExtension>();
  const hooksInOrder = () => [...running.values()].map(({ hooks }) => hooks);
  const findService = <Services>({
    name,
  }: Pick<EngineExtension<Services>, 'name' | 'load'>): Services | null =>
    (running.get(name)?.services as Services | undefined) ?? null;
  return {
    /** From now on these are on, in this order. */
    use(loaded: readonly LoadedExtension[]): void {
      const before = new Map(running);
      running.clear();
      for (const one of loaded) running.set(one.name, before.get(one.name) ?? start(parts, one));
    },
    names: (): readonly string[] => [...running.keys()],
    hooksInOrder,
    findService,
    serviceOf<Services>(extension: Pick<EngineExtension<Services>, 'name' | 'load'>): Services {
      const services = findService(extension);
      if (services === null) throw featureOff(extension.name);
      return services;
    },
    whyInUse: (name: string): Problem | null => running.get(name)?.hooks.whyInUse?.() ?? null,
    /** What the extensions that are on add to the base. */
    hooks: {
      ...joinControllerHooks(hooksInOrder),
      menuAddress: () => firstAnswer(hooksInOrder(), ({ menuAddress }) => menuAddress?.()),
      lineCleaning(now: Moment): (tapId: number) => LineCleaning {
        const all = hooksInOrder().flatMap(({ lineCleanings }) => lineCleanings?.(now) ?? []);
        return (tapId) => firstAnswer(all, (one) => one.get(tapId)) ?? noLineCleaning;
      },
      cleaningQuestions: (now: Moment): number =>
        hooksInOrder().reduce((sum, { cleaningQuestions }) => sum + (cleaningQuestions?.(now) ?? 0), 0),
      alarmConditions: (now: Moment): readonly Condition[] =>
        hooksInOrder().flatMap(({ alarmConditions }) => alarmConditions?.(now) ?? []),
      waitingReports: () => firstAnswer(hooksInOrder(), ({ waitingReports }) => waitingReports?.()),
      newsReceivers: (): readonly NewsReceiver[] =>
        hooksInOrder().flatMap(({ newsReceiver }) => newsReceiver?.() ?? []),
      publishesTo: (topic: string): boolean =>
        hooksInOrder().some(({ publishesTo }) => publishesTo?.(topic) ?? false),
      topicSubscribers: (): readonly TopicSubscriber[] =>
        hooksInOrder().flatMap(({ topicSubscriber }) => topicSubscriber ?? []),
    },
  };
}

function start(parts: EngineParts, loaded: LoadedExtension): RunningExtension {
  const services = loaded.createServices(parts);
  return { loaded, services, hooks: loaded.hooks(services) };
}

const noLineCleaning: LineCleaning = { running: null, daysSince: null, due: null };

/** The first answer that is not null. */
function firstAnswer<H, T>(all: readonly H[], ask: (hooks: H) => T | null | undefined): T | null {
  for (const hooks of all) {
    const answer = ask(hooks) ?? null;
    if (answer !== null) return answer;
  }
  return null;
}

/** The error of an address of a feature that is off. */
export const featureOff = (feature: string): AppError =>
  new AppError(
    'not_found',
    `The feature ${feature} is off. A superuser switches it on at Settings, Features.`,
    {
      reason: { name: 'feature_off', feature },
    },
  );
