import Type, { type Static } from 'typebox';
import { ProblemJson, problemJson } from '../../../http/routes/problem-json.ts';
import {
  AnyObject,
  Closed,
  Id,
  IsoSeconds,
  isoSeconds,
  Nullable,
  named,
} from '../../../http/routes/schemas.ts';
import type { KegboardView, PairingRequestView } from '../engine/kegboard-approval.ts';

export const Device = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Name the kegboard reports for itself.',
});

export const KegboardJson = named(
  'Kegboard',
  Closed(
    {
      device: Device,
      state: Type.Enum(['pending', 'allowed', 'paired', 'denied'], {
        description:
          '`pending`: a request for pairing; `allowed`: its token was not used yet; `paired`: nobody else can ask for its name.',
      }),
      request_id: Nullable(
        Type.String({ description: 'Names the request to `allow` and `deny`; null once it is paired.' }),
      ),
      code: Nullable(
        Type.String({ description: 'Six digits that the asking kegboard gets too. Compare them.' }),
      ),
      other_ips: Type.Array(Type.String(), {
        description:
          'Other addresses that ask under this name: of a pending one, its other requests; of a paired one, who asked without its token in the last ten minutes.',
      }),
      online: Type.Boolean({ description: 'True when it reported within the last 2.5 heartbeat intervals.' }),
      first_seen: { ...IsoSeconds, description: 'UTC time of its first request.' },
      last_seen: Nullable({
        ...IsoSeconds,
        description: 'UTC time of its last request; null before the first.',
      }),
      ip: Nullable(Type.String({ description: 'Address of its last request.' })),
      fw_version: Nullable(Type.String({ description: 'Version of its firmware; null when not reported.' })),
      uptime_ms: Nullable(
        Type.Integer({
          minimum: 0,
          'x-unit': 'ms',
          description: 'Milliseconds since its start; null when not reported.',
        }),
      ),
      wifi_rssi_dbm: Nullable(
        Type.Integer({
          'x-unit': 'dBm',
          description: 'Strength of its radio signal; null when not reported.',
        }),
      ),
      events_dropped: Nullable(
        Type.Integer({ minimum: 0, description: 'Total of events it dropped; an increase means lost data.' }),
      ),
      config: Nullable(AnyObject('Settings as the kegboard reports them; their names are its own.')),
      controller_id: Nullable({ ...Id, description: 'Id of its controller; null before its first report.' }),
      problems: Type.Array(ProblemJson, { description: 'What could not be used of its last report.' }),
      warnings: Type.Array(ProblemJson, { description: 'What staff should look at.' }),
      refused_pours: Type.Integer({
        minimum: 0,
        description: 'Number of its pours that were refused and stored for review.',
      }),
    },
    { description: 'A network kegboard, or its request for pairing.' },
  ),
);

export function kegboardJson({
  board,
  isOnline,
  warnings,
  refusedPours,
  request,
  otherAddresses,
}: KegboardView): Static<typeof KegboardJson> {
  return {
    device: board.device,
    state: board.state,
    request_id: request?.id ?? null,
    code: request?.code ?? null,
    other_ips: [...otherAddresses],
    online: isOnline,
    first_seen: isoSeconds(board.firstSeenMs),
    last_seen: board.lastSeenMs === null ? null : isoSeconds(board.lastSeenMs),
    ip: board.address,
    fw_version: board.fwVersion,
    uptime_ms: board.uptimeMs,
    wifi_rssi_dbm: board.rssiDbm,
    events_dropped: board.eventsDropped,
    config: board.config === null ? null : (JSON.parse(board.config) as object),
    controller_id: board.controllerId,
    problems: board.problems.map(problemJson),
    warnings: warnings.map(problemJson),
    refused_pours: refusedPours,
  };
}

export function requestJson({ request, otherAddresses }: PairingRequestView): Static<typeof KegboardJson> {
  return {
    device: request.device,
    state: request.state,
    request_id: request.id,
    code: request.code,
    other_ips: [...otherAddresses],
    online: request.state === 'pending',
    first_seen: isoSeconds(request.firstSeenMs),
    last_seen: isoSeconds(request.lastSeenMs),
    ip: request.address,
    fw_version: null,
    uptime_ms: null,
    wifi_rssi_dbm: null,
    events_dropped: null,
    config: null,
    controller_id: null,
    warnings: [],
    refused_pours: 0,
    problems: request.problem === null ? [] : [problemJson(request.problem)],
  };
}
