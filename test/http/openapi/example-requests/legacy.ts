import type { ExampleRequests } from './example-request.ts';

const pour = { ticks: 660, username: 'bert', pour_time: 1_777_831_190, now: 1_777_831_200, duration: 8 };

/** The legacy API. */
export const legacyRequests: ExampleRequests = {
  createTap: { body: { name: 'Cellar' } },
  recordPour: { body: { ...pour, auth_token: 'core.rfid|0089f2c4' } },
  recordPourAtTap: { params: { ref: '1' }, body: { ticks: 400, spilled: true } },
  cancelDrink: { body: { id: 3 } },
  createController: { body: { name: 'kegboard', serial_number: '17' } },
  createFlowMeter: { body: { controller: 1, port_name: 'flow3', ticks_per_ml: 2.2 } },
  listEvents: { query: { since: '4' } },
  logTemperature: { body: { temp_c: 4.5 } },
  logTemperatureAtSensor: { body: { temp_c: 4.5 } },
};
