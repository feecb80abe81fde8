import { AppError } from '../core/app-error.ts';
import type { Problem } from '../core/rules/problems.ts';
import type { StoreExtension } from '../store/extension.ts';
import type { ClockFollower } from './shared/clock-follower.ts';
import type { UndoKind } from './shared/corrections/undo-kinds.ts';
import type { EngineParts } from './shared/parts.ts';
import type { RecordingHooks } from './shared/recording-hooks.ts';

/** Where the base asks the extensions that are on, in their order. Each is named by what happens in the base. */
export interface EngineHooks extends Partial<RecordingHooks> {
  /** Where guests read the menu in place of this page; null: nowhere else. Reads only. */
  menuAddress?(): string | null;
  /** What waits to be reported to another server; null: nothing is reported. Reads only. */
  waitingReports?(): WaitingReports | null;
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
}

/** The services of an extension that is on. */
export interface LoadedExtension<Services = unknown> {
  readonly name: string;
  /** How its corrections are undone. */
  readonly undoKinds: readonly UndoKind[];
  /** What follows when a wrong clock is corrected, besides the times that its tables declare. */
  readonly clockFollowers: readonly ClockFollower[];
  createServices(parts: EngineParts): Services;
  hooks(services: Services): EngineHooks;
}

/** All extensions of the program, and the services of those that are on. */
export interface EngineExtensions {
  readonly all: readonly Pick<EngineExtension, 'name' | 'isOnByDefault'>[];
  readonly loaded: readonly LoadedExtension[];
}

/** Loads the services of the extensions that are on. */
export async function loadExtensions(
  all: readonly EngineExtension[],
  isOn: (extension: EngineExtension) => boolean = () => true,
): Promise<EngineExtensions> {
  return { all, loaded: await Promise.all(all.filter(isOn).map((extension) => extension.load())) };
}

/** Creates the services of the extensions that are on, and asks their hooks. */
export function createExtensionServices(
  parts: EngineParts,
  { loaded }: EngineExtensions,
  addRecordingHooks: (hooks: Partial<RecordingHooks>) => void,
) {
  const byName = new Map<string, unknown>();
  const hooksByName = new Map<string, EngineHooks>();
  for (const { name, createServices, hooks } of loaded) {
    const services = createServices(parts);
    byName.set(name, services);
    const own = hooks(services);
    hooksByName.set(name, own);
    addRecordingHooks(own);
  }
  const findService = <Services>({
    name,
  }: Pick<EngineExtension<Services>, 'name' | 'load'>): Services | null =>
    (byName.get(name) as Services | undefined) ?? null;
  return {
    findService,
    serviceOf<Services>(extension: Pick<EngineExtension<Services>, 'name' | 'load'>): Services {
      const services = findService(extension);
      if (services === null) throw featureOff(extension.name);
      return services;
    },
    whyInUse: (name: string): Problem | null => hooksByName.get(name)?.whyInUse?.() ?? null,
    hooks: {
      menuAddress(): string | null {
        for (const { menuAddress } of hooksByName.values()) {
          const address = menuAddress?.() ?? null;
          if (address !== null) return address;
        }
        return null;
      },
      waitingReports(): WaitingReports | null {
        for (const { waitingReports } of hooksByName.values()) {
          const reports = waitingReports?.() ?? null;
          if (reports !== null) return reports;
        }
        return null;
      },
    },
  };
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
