import type { SnapshotMessage } from '../../../../http/live/shapes.ts';
import { formatServing, type Units } from '../../../app/format.ts';
import { language } from '../../../locales/locale.ts';

type Serving = SnapshotMessage['serving_sizes'][number];

/** Formats a serving size for guests: its name in their language, if it has one, and its volume. */
export function servingText({ name, names, volume_ml: ml }: Serving, units: Units): string {
  const shown = names[language] ?? name;
  return shown === '' ? formatServing(ml, units) : `${shown} · ${formatServing(ml, units)}`;
}
