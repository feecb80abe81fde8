import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/clock/moment.ts';
import type { Problem } from '../../core/health/problems.ts';
import type { Store } from '../../store/store.ts';
import type { EngineExtension, EngineExtensions } from '../extension.ts';
import { type Actor, writeAudit } from '../shared/audit.ts';
import { validationError } from '../shared/bounds.ts';
import { change, type EngineParts, type EngineSettings } from '../shared/parts.ts';

/** A feature that a site switches on and off. */
export interface FeatureView {
  readonly name: string;
  readonly isOn: boolean;
  /** True where the settings file decides. */
  readonly isFixed: boolean;
  /** Why it cannot be switched off now; null when it can. */
  readonly whyInUse: Problem | null;
}

/**
 * Whether a feature is on: while something of it runs, by the settings file, else as it was switched, else by its default or where
 * the bar has something of it.
 */
export function isFeatureOn(
  store: {
    readonly site: { readonly features: Pick<Store['site']['features'], 'read' | 'isKeptOn' | 'isSetUp'> };
  },
  { features = {}, hasAllFeatures = false }: EngineSettings,
  { name, isOnByDefault }: Pick<EngineExtension, 'name' | 'isOnByDefault'>,
): boolean {
  if (store.site.features.isKeptOn(name)) return true;
  const switched = features[name] ?? store.site.features.read().get(name);
  return switched ?? (hasAllFeatures || isOnByDefault || store.site.features.isSetUp(name));
}

/**
 * Which features are on. A change takes effect when the daemon has loaded or stopped them, upon `features.changed`; the list tells
 * at once what will be on.
 */
export function createFeatures(
  parts: EngineParts,
  all: EngineExtensions['all'],
  running: { names(): readonly string[]; whyInUse(name: string): Problem | null },
) {
  const { store, bus, settings } = parts;
  const fixed = settings.features ?? {};
  const readSwitched = store.cachedUntilChange(store.site.features.read);
  const list = (): readonly FeatureView[] =>
    all.map((extension) => ({
      name: extension.name,
      isOn: isFeatureOn(
        { site: { features: { ...store.site.features, read: readSwitched } } },
        settings,
        extension,
      ),
      isFixed: extension.name in fixed,
      whyInUse: running.whyInUse(extension.name),
    }));

  return {
    /** Every feature. */
    list,

    /** The names of those whose services run. */
    on: running.names,

    /**
     * Switches features, all or none; writes the audit log. Throws `invalid_request` for an unknown name, `conflict` for one
     * that the settings file decides or that is in use.
     */
    change(requested: Readonly<Record<string, boolean>>, actor: Actor, now: Moment): void {
      const views = new Map(list().map((view) => [view.name, view]));
      const changed = Object.entries(requested).filter(([name, isOn]) => {
        const view = views.get(name);
        if (view === undefined)
          throw validationError(name, `is not a feature; the features are ${[...views.keys()].join(', ')}`);
        if (view.isOn === isOn) return false;
        if (view.isFixed) throw featureFixed(name);
        if (!isOn && view.whyInUse !== null) throw featureInUse(name, view.whyInUse.message);
        return true;
      });
      if (changed.length === 0) return;
      change(parts, () => {
        for (const [name, isOn] of changed) store.site.features.set(name, isOn);
        writeAudit(
          store,
          {
            actor,
            action: 'features.changed',
            subject: { kind: 'site', id: 1 },
            before: Object.fromEntries(changed.map(([name, isOn]) => [name, !isOn])),
            after: Object.fromEntries(changed),
          },
          now,
        );
      });
      bus.publish({ type: 'features.changed' });
    },
  };
}

const featureFixed = (feature: string) =>
  new AppError('conflict', `The settings file decides about ${feature}: change "features" there.`, {
    reason: { name: 'feature_fixed', feature },
  });

const featureInUse = (feature: string, why: string) =>
  new AppError('conflict', `${feature} cannot be switched off: ${why}`, {
    reason: { name: 'feature_in_use', feature },
  });
