import { defaultServingSizes } from '../../core/kegs/serving-sizes.ts';
import type { LiveTap, SnapshotMessage } from '../../http/live/shapes.ts';
import { language } from '../locales/locale.ts';
import { formatServing, type Units } from './format.ts';

type Serving = Pick<SnapshotMessage['serving_sizes'][number], 'name' | 'names' | 'volume_ml'>;

/** Formats a serving size: its name in the reader's language, if it has one, and its volume. */
export function servingText({ name, names, volume_ml: ml }: Serving, units: Units): string {
  const shown = names[language] ?? name;
  return shown === '' ? formatServing(ml, units) : `${shown} · ${formatServing(ml, units)}`;
}

/**
 * The sizes in which a tap sells drinks: those chosen for it, else all of the site, else the usual ones in the site's units.
 * Without a tap, the site's.
 */
export function servingSizesAt(tap: LiveTap | null, snapshot: SnapshotMessage): readonly Serving[] {
  const { serving_sizes: sizes, volume_units: units } = snapshot;
  const chosen = sizes.filter(({ id }) => tap?.serving_size_ids.includes(id));
  if (chosen.length > 0) return chosen;
  if (sizes.length > 0) return sizes;
  return defaultServingSizes[units].map(({ volumeMl, name, names }) => ({
    volume_ml: volumeMl,
    name,
    names,
  }));
}

/** The size of a simulated pour: the middle one of those that the tap offers. */
export function simulatedServing(tap: LiveTap, snapshot: SnapshotMessage): Serving {
  const sizes = [...servingSizesAt(tap, snapshot)].sort((a, b) => a.volume_ml - b.volume_ml);
  return sizes[Math.floor((sizes.length - 1) / 2)]!;
}
