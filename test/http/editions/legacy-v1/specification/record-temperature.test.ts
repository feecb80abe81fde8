import request from 'supertest';
import { expect, test } from 'vitest';
import { type House, openHouse } from '../../../house.ts';

const post = (house: House, sensor: string, fields: object) =>
  request(house.app)
    .post(`/api/v1/thermo-sensor/${sensor}/`)
    .type('form')
    .send({ api_key: house.staffKey, ...fields });
const last = ({ engine }: House, sensor: string) => engine.thermo.find(sensor)?.last;

test('temp_c: degrees Celsius; the answer is the new record', async () => {
  const house = openHouse();
  const reply = await post(house, 'cellar', { temp_c: '4.5' }).expect(200);
  expect(reply.body).toEqual({
    result: {
      sensor: { id: '2', name: 'cellar', nice_name: '' },
      last_temp: 4.5,
      last_time: '2026-05-02T17:00:00Z',
    },
  });
  expect(last(house, 'cellar')?.tempC).toBe(4.5);
});

test('temp_c: the sensor may be named by its id', async () => {
  const house = openHouse();
  await post(house, '1', { temp_c: '4.5' }).expect(200);
  expect(last(house, '28-0000000000a1')?.tempC).toBe(4.5);
});

test.each(['-50', '125', '0', '-0.5'])('temp_c: %s °C is kept', async (temp) => {
  const house = openHouse();
  await post(house, 'cellar', { temp_c: temp }).expect(200);
  expect(last(house, 'cellar')?.tempC).toBe(Number(temp));
});

test.each([
  ['is required', {}],
  ['may not be empty', { temp_c: '' }],
  ['is a number from end to end', { temp_c: '4.5C' }],
  ['is not nan', { temp_c: 'nan' }],
  ['is not below −50', { temp_c: '-50.1' }],
  ['is not above 125', { temp_c: '125.1' }],
])('temp_c: %s', async (_rule, fields) => {
  const house = openHouse();
  const reply = await post(house, 'cellar', fields).expect(400);
  expect(reply.body.error.code).toBe('BadRequestError');
  expect(house.engine.thermo.find('cellar')).toBeNull();
});

test('when and now are not read, whatever they say', async () => {
  const house = openHouse();
  const reply = await post(house, 'cellar', { temp_c: '4', when: '1000', now: 'soon' }).expect(200);
  expect(reply.body.result.last_time).toBe('2026-05-02T17:00:00Z');
});
