import type { MergedHardware } from '../../config/merged-hardware.ts';
import { type CataloguedMeter, defaultOpenHz, type MeterCatalogue } from '../../config/meter-catalogue.ts';
import type { Config, MeterConfig } from '../../config/schema.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { MeterSettings } from '../../devices/meter-feed.ts';
import type { HardwareDeclaration } from '../../engine/engine.ts';

/** Converts controller, meters, relays and taps of settings file and page to the database's declaration. */
export function declaredHardware(
  config: Config,
  { meters, toggles }: Pick<MergedHardware, 'meters' | 'toggles'>,
  catalogue: MeterCatalogue,
): HardwareDeclaration {
  const fixed = new Set([...config.meters, ...config.toggles].map(({ port }) => port));
  return {
    controller: { name: config.controller.name, modelName: 'Tapster' },
    meters: meters.map(({ port, ticks_per_ml, model }) => {
      const figures = model === undefined ? undefined : catalogue.get(model);
      return {
        portName: port,
        ticksPerMl: ticks_per_ml ?? null,
        modelHz: figures === undefined ? null : defaultOpenHz(figures),
        leastMlPerS: figures?.minLPerMin == null ? null : (figures.minLPerMin * 1_000) / 60,
        modelTicksPerMl: figures?.ticksPerMl ?? null,
        ...omitUndefined({ uModel: modelUncertainty(figures) }),
      };
    }),
    toggles: toggles.map(({ port }) => ({ portName: port })),
    chosenPorts: [...meters, ...toggles].flatMap(({ port }) => (fixed.has(port) ? [] : port)),
    taps: config.taps.map(({ name, meter, toggle, thermo }) => ({
      name,
      ...omitUndefined({ meterPort: meter, togglePort: toggle, thermoSensor: thermo }),
    })),
  };
}

/** Standard uncertainty of a model's factor as a share: its accuracy bounds an error of which nothing else is known. */
const modelUncertainty = (model: CataloguedMeter | undefined): number | undefined =>
  model?.accuracyPercent == null ? undefined : model.accuracyPercent / 100 / Math.sqrt(3);

/** The counting settings of each meter; a tap may have its own idle time. */
export function meterSettings(
  config: Config,
  meters: readonly MeterConfig[],
  { hasExactStamps }: { readonly hasExactStamps: boolean },
): MeterSettings[] {
  return meters.map(({ port, min_gap_ms }) => ({
    name: `${config.controller.name}.${port}`,
    minGapMs: min_gap_ms,
    idleMs: config.taps.find(({ meter }) => meter === port)?.idle_ms ?? config.pour.idle_ms,
    minTicks: config.pour.min_ticks,
    maxMs: config.pour.max_ms,
    hasExactStamps,
  }));
}
