import type { Condition } from '../../../core/alarms/condition.ts';
import { createUncertainties } from '../../../engine/drinks/uncertainties.ts';
import type { TopicSubscriber } from '../../../engine/shared/hooks/topic-subscriber.ts';
import type { EngineParts } from '../../../engine/shared/parts.ts';
import type { ScaleTables } from '../store/scales-store.ts';
import { findScaleConditions } from './scale-conditions.ts';
import { createScales, type Scales } from './scales.ts';
import { subscribeToWeights } from './weight-subscriber.ts';

export type { Scales, ScaleView } from './scales.ts';

/** Scales under kegs, and what the base asks. */
export interface ScaleServices {
  readonly scales: Scales;
  readonly hooks: {
    readonly alarmConditions: () => readonly Condition[];
    readonly topicSubscriber: TopicSubscriber;
  };
}

export function createScaleServices(base: EngineParts, tables: ScaleTables): ScaleServices {
  const parts = { ...base, store: { ...base.store, ...tables } };
  const scales = createScales(parts, createUncertainties(base.store));
  return {
    scales,
    hooks: {
      alarmConditions: () => findScaleConditions(base.store, scales),
      topicSubscriber: subscribeToWeights(scales),
    },
  };
}
