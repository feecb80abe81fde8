import { schemaRoute } from '../openapi/schema-route.ts';
import { multipartReader } from '../pipeline/body/multipart.ts';
import { jsonReader, urlencodedReader } from '../pipeline/body/read-body.ts';
import type { ApiDefinition } from '../routes/api-definition.ts';
import { about } from './about.ts';
import { tokenRoutes } from './auth-tokens.ts';
import { cancelDrink } from './cancel-drink.ts';
import { createController, listControllers } from './controllers.ts';
import { listEvents } from './events.ts';
import { createMeter, listMeters } from './flow-meters.ts';
import { legacyFormatFor } from './format-for.ts';
import { recordPour, recordPourOldPath } from './pours/record-pour.ts';
import { kegbotFormat, referenceFormat } from './reply-formats.ts';
import { retiredPaths } from './retired.ts';
import { getStatus } from './status.ts';
import { createTap, getTap, listTaps } from './taps.ts';
import { getThermoSensor, logTemperature, logTemperatureOldPath } from './thermo-sensors.ts';

/** The legacy API, `/api/v1/`, for existing controllers. */
export const legacyApi: ApiDefinition = {
  name: 'legacy-v1',
  title: 'Tapster legacy API',
  prefix: '/api/v1',
  about,
  headers: { Deprecation: 'true', 'Cache-Control': 'no-store' },
  routes: [
    listTaps,
    createTap,
    getTap,
    recordPour,
    recordPourOldPath,
    ...tokenRoutes,
    cancelDrink,
    listControllers,
    createController,
    listMeters,
    createMeter,
    listEvents,
    getStatus,
    getThermoSensor,
    logTemperature,
    logTemperatureOldPath,
    schemaRoute(() => legacyApi),
  ],
  retired: retiredPaths,
  bodyReaders: [urlencodedReader, multipartReader, jsonReader],
  keysInBodies: true,
  lenientJson: true,
  removesHiddenCharacters: true,
  basicKeys: false,
  logins: 'viewer',
  formats: [referenceFormat, kegbotFormat],
  formatFor: legacyFormatFor,
};
