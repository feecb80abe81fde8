import Type from 'typebox';
import type { ApiDefinition } from '../routes/api-definition.ts';
import { defineRawRoute, type Route } from '../routes/route.ts';
import { Maybe, Open } from '../routes/schemas.ts';
import { sendDocument } from '../server/send-document.ts';
import { readExamples } from './examples.ts';
import { formatYaml } from './format-yaml.ts';
import { printOpenApi } from './openapi.ts';

type Format = 'json' | 'yaml';

const mediaTypes: Readonly<Record<Format, string>> = {
  json: 'application/json; charset=utf-8',
  yaml: 'application/yaml; charset=utf-8',
};

/** Serves the API's OpenAPI document, printed from its routes on the first request after they changed. */
export function schemaRoute(api: () => ApiDefinition): Route {
  const texts = new Map<Format, Promise<Buffer>>();
  let printed: ApiDefinition['routes'] | null = null;
  const documentText = (format: Format): Promise<Buffer> => {
    // Other features have other operations.
    if (printed !== api().routes) texts.clear();
    printed = api().routes;
    const text = texts.get(format) ?? formatDocument(api(), format);
    texts.set(format, text);
    return text;
  };
  return defineRawRoute({
    id: 'schema',
    method: 'get',
    path: '/schema',
    summary: 'This document: OpenAPI 3.1',
    description:
      'Lists every operation with its parameters, replies, errors and examples; generated from what the program ' +
      'checks. `format=yaml` gives the same as YAML.',
    access: 'open',
    allowedBeforeSetUp: true,
    accepts: {
      query: Open({
        format: Maybe(
          Type.Enum(['json', 'yaml'], { description: 'Format of the document; `json` by default.' }),
        ),
      }),
    },
    mediaType: 'application/json',
    hasEntityTag: true,
    otherMediaTypes: ['application/yaml'],
    async send(_context, { request, response }, { query: { format = 'json' } }) {
      const isTagged = api().entityTags === true;
      if (isTagged) response.setHeader('Cache-Control', 'no-cache');
      const bytes = await documentText(format);
      await sendDocument(request, response, { bytes, mediaType: mediaTypes[format], isTagged });
    },
  });
}

async function formatDocument(api: ApiDefinition, format: Format): Promise<Buffer> {
  const document = printOpenApi(api, await readExamples(api.name));
  return Buffer.from(format === 'json' ? JSON.stringify(document) : await formatYaml(document));
}
