import { Bool, Int, Text } from '../../../config/schema-builders.ts';
import { defineSettings, type RawSettings, type SettingsOf } from '../../../config/settings-group.ts';

/** The server that pours are reported to. */
export const upstreamGroup = defineSettings({
  name: 'upstream',
  properties: {
    url: Text({
      minLength: 0,
      maxLength: 2_000,
      default: '',
      description:
        'URL of another server to report pours to, such as `https://bar.example/api/device-event`; empty: none.',
    }),
    device: Text({
      minLength: 0,
      maxLength: 64,
      pattern: '^[A-Za-z0-9_-]*$',
      default: '',
      description: 'Unique name of this Pi on that server; required with `upstream.url`.',
    }),
    heartbeat_s: Int({
      minimum: 10,
      maximum: 3_600,
      default: 60,
      unit: 's',
      description: 'Time between two heartbeat reports.',
    }),
    allow_plain_http: Bool({
      default: false,
      description:
        'Allow a URL with `http:`. Anyone who can read the network traffic then sees pours and token.',
    }),
  },
  findFaults,
});

export type UpstreamSettings = SettingsOf<typeof upstreamGroup>;

/** The URL must be one that reports can be sent to, with the name that they carry. */
function findFaults({ url, device, allow_plain_http: allowsPlain }: RawSettings): string[] {
  if (typeof url !== 'string' || url === '') return [];
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    return ['upstream.url must be a complete URL such as https://bar.example/api/device-event.'];
  }
  return [
    ...(parsed.username !== '' || parsed.password !== ''
      ? ['upstream.url must not contain a name or password: the server gives a token instead.']
      : []),
    ...(parsed.protocol === 'http:' && allowsPlain !== true
      ? ['upstream.url is not encrypted; upstream.allow_plain_http true permits it in a network you trust.']
      : []),
    ...(device === undefined || device === ''
      ? ['upstream.device is missing: set a unique name for this Pi on that server.']
      : []),
  ];
}
