import type { ApiDefinition } from '../routes/api-definition.ts';

const description = `
The API of controllers that were made for version 1: it records pours and temperatures, and answers the reads that they need. It is
deprecated, and every answer has \`Deprecation: true\`; new clients should use the current API, \`/api/schema\`. Endpoints that
the last release retired answer 410.

## Two forms of replies

A request with the header \`X-Kegbot-Api-Key\`, even an empty one, is answered in the form that the existing controllers read:
\`{"object": …, "meta"}\` or \`{"objects": […], "meta"}\`. Every other request is answered in the reference form,
\`{"result": …}\`. Each reply below lists both. A query parameter \`callback\` wraps the first form in a call of that
JavaScript function (JSONP). Success is always 200.

## Authentication

Send an API key in the header \`X-Kegbot-Api-Key\`, in a field \`api_key\` of the body or of the query, or as
\`Authorization: Bearer <key>\`; the first one found in this order counts. Writing, and reads that say so, need the key of a staff
user. On a private site the other reads need a key as well.

## Requests

Bodies are \`application/x-www-form-urlencoded\`, \`multipart/form-data\` or \`application/json\`, at most 64 KiB without pictures. In
forms \`true\`, \`1\`, \`on\` and \`yes\` are true and their opposites false, whatever their case; an empty field counts as absent.
Fields that an operation does not know are ignored. Addresses work with and without a slash at the end.

**Later versions may add properties to replies**: a client must ignore what it does not know.

## Times

Times in replies of the reference form are UTC, \`2026-05-02T17:04:11Z\`. A controller without a clock sends \`pour_time\` together
with \`now\`, both by its own clock: the server uses the difference.

## Errors

The reference form is \`{"error": {"code", "message"}}\`, the other one has \`meta\` as well, partly other names, and
\`PermissionDeniedError\` with the status 401. Each operation lists the statuses that it can give. In addition, an unknown address
is answered 404 and an address without the method 405 with \`Allow\`.

## Repeating requests

A pour that carries a \`pour_id\` or the header \`Idempotency-Key\` is recorded once, however often it is sent; so is one with the
same meter, ticks, volume, duration and end, however late. Where the client’s clock is wrong or stands still, a post with equal
values is held for review as a possible repeat after a minute. An id used again for other values is another pour. At 429 and 503 wait for \`Retry-After\` seconds.

## Paging

There is none: lists are short or have a fixed length.
`.trim();

/** Texts of the legacy API for its OpenAPI document. */
export const about: ApiDefinition['about'] = {
  summary: 'The deprecated API for existing controllers',
  description,
  tags: {
    taps: 'Taps, and the recording of pours.',
    tap: 'The older address at which pours are recorded.',
    'cancel-drink': 'Cancels a drink.',
    'thermo-sensors': 'Thermo sensors and their latest temperatures.',
    'thermo-sensor': 'The older address at which temperatures are recorded.',
    'auth-tokens': 'Cards, fobs and other tokens by which users are recognized at a tap.',
    controllers: 'Controllers, which own flow meters.',
    'flow-meters': 'Flow meters and their calibration.',
    events: 'What happened, the newest first.',
    status: 'The whole bar at a glance.',
    schema: 'This document.',
  },
};
