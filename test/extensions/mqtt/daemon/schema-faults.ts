import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { payloadSchemas } from '../../../../src/extensions/mqtt/outbox/payload-schemas.ts';

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
const validators = Object.entries(payloadSchemas).map(([topic, schema]) => ({
  isTopic: new RegExp(`^[^/]+/[^/]+/${topic.replace('{id}', '[0-9]+')}$`),
  validate: ajv.compile(schema),
}));

/** The JSON messages that do not fit the published schema of their topic. */
export function findSchemaFaults(messages: readonly { readonly topic: string; readonly payload: string }[]) {
  return messages.flatMap(({ topic, payload }) => {
    const validate = validators.find(({ isTopic }) => isTopic.test(topic))?.validate;
    // An empty one deletes.
    if (validate === undefined || payload === '' || validate(JSON.parse(payload))) return [];
    return [{ topic, payload, errors: validate.errors }];
  });
}
