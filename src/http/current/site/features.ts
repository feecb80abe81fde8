import Type, { type Static } from 'typebox';
import type { Engine } from '../../../engine/engine.ts';
import { ProblemJson, problemOrNull } from '../../routes/problem-json.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { requestActor } from '../../routes/route-context.ts';
import { Closed, Nullable } from '../../routes/schemas.ts';

const FeatureList = Closed({
  features: Type.Array(
    Closed({
      name: Type.String({ description: 'Name of the feature, as in the settings file.' }),
      is_on: Type.Boolean({ description: 'Whether it is on. What is off keeps its data.' }),
      is_fixed: Type.Boolean({ description: 'True where `features` of the settings file decides.' }),
      in_use: Nullable({
        ...ProblemJson,
        description: 'Why it cannot be switched off now; null when it can.',
      }),
    }),
    { description: 'Every feature that not all bars need.' },
  ),
});

const featureList = (engine: Engine): Static<typeof FeatureList> => ({
  features: engine.site.features.list().map(({ name, isOn, isFixed, whyInUse }) => ({
    name,
    is_on: isOn,
    is_fixed: isFixed,
    in_use: problemOrNull(whyInUse),
  })),
});

/** The features that a site switches on and off. */
export const featureRoutes: readonly Route[] = [
  defineRoute({
    id: 'getFeatures',
    method: 'get',
    path: '/admin/features',
    summary: 'Get the features that can be switched on and off',
    description:
      'The addresses of a feature that is off answer 404 with the reason `feature_off`; its data is kept, backed up, ' +
      'corrected and erased as before.',
    access: 'staff',
    accepts: {},
    replies: { status: 200, body: FeatureList },
    run: ({ engine }) => featureList(engine),
  }),
  defineRoute({
    id: 'switchFeatures',
    method: 'patch',
    path: '/admin/features',
    summary: 'Switch features on or off',
    description:
      'Takes `{"name": true}` for each feature to switch, all or none. It takes effect within a second; nothing else is ' +
      'interrupted. The answer tells what will be on. Written to the audit log.',
    access: 'superuser',
    accepts: {
      body: Type.Object(
        {},
        {
          additionalProperties: Type.Boolean({ description: 'True switches the feature on.' }),
          maxProperties: 64,
          description: 'The features to switch, by name; the others stay as they are.',
        },
      ),
    },
    errors: { conflict: ['feature_fixed', 'feature_in_use'] },
    replies: { status: 200, body: FeatureList },
    run(context, { body }) {
      const { engine, now } = context;
      engine.site.features.change(body as Readonly<Record<string, boolean>>, requestActor(context), now);
      return featureList(engine);
    },
  }),
];
