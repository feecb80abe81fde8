// What the extensions declare, for `test-without.mjs`. Imports TypeScript: see `lint-api.mjs`.
import { extensions } from '../src/extensions/all.ts';

// Only the routes' declarations are read, so no services are passed.
export const facts = await Promise.all(
  extensions.map(async (extension) => ({
    name: extension.name,
    texts: [
      ...(extension.texts ?? []),
      ...Object.keys(extension.alarms ?? {}).flatMap((kind) => [`alarms.kinds.${kind}`, `mails.${kind}.`]),
    ],
    operations: [
      ...(await extension.loadRoutes())({}),
      ...(await extension.loadApis()).flatMap(({ operations }) => operations),
    ].map(({ id }) => id),
  })),
);
