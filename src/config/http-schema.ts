import { httpsRequirements, httpsRequirementText } from '../core/network/https-requirement.ts';
import { Bool, Enum, Group, Int, List, Optional, Text } from './schema-builders.ts';

/** The HTTP server: address, proxy, origins and rate limits. */
export const HttpSchema = Group(
  {
    host: Text({
      minLength: 1,
      maxLength: 253,
      default: '0.0.0.0',
      description: 'Address to listen on. `$TAPSTER_HOST` overrides.',
    }),
    port: Int({
      minimum: 0,
      maximum: 65_535,
      default: 8080,
      description: 'Port of page and API; 0 takes any free one. `$TAPSTER_PORT` overrides.',
    }),
    trust_proxy: Bool({
      default: false,
      description: 'Believe `X-Forwarded-For`, `-Host` and `-Proto` of one proxy in front.',
    }),
    cors_origins: List(
      Text({
        minLength: 1,
        maxLength: 300,
        description: 'Scheme, host and port of a page, such as `https://dashboard.example`.',
      }),
      {
        maxItems: 16,
        default: [],
        description:
          'Origins such as `https://dashboard.example` whose pages may use `/api/` from a browser, with an API key. Logins never work from another origin.',
      },
    ),
    require_https: Optional(
      Enum([...httpsRequirements], {
        pageDefault: 'auto',
        description: `${httpsRequirementText} Set here, it wins over the page.`,
      }),
    ),
    rate_limits: Bool({
      default: true,
      description: 'Limits per address. `$TAPSTER_RATE_LIMITS=off` overrides, for tests.',
    }),
  },
  { default: {} },
);

/** The server over TLS, beside the one above. It listens on the same address. */
export const HttpsSchema = Group(
  {
    enabled: Bool({
      default: true,
      description: 'Serve page and API over TLS, too; never in the demo. `$TAPSTER_HTTPS=off` overrides.',
    }),
    port: Int({
      minimum: 0,
      maximum: 65_535,
      default: 8443,
      description: 'Port of page and API over TLS; 0 takes any free one. `$TAPSTER_HTTPS_PORT` overrides.',
    }),
    alias: Bool({
      default: false,
      description:
        'True if `tapster.local` leads to this machine, too: the certificate then has this name. It does not announce the name.',
    }),
    certificate_file: Text({
      minLength: 0,
      maxLength: 4_096,
      default: '',
      description:
        'File with a certificate of your own and those that lead to its authority, PEM; read again when it changes. Empty: one that Tapster makes and renews.',
    }),
    key_file: Text({
      minLength: 0,
      maxLength: 4_096,
      default: '',
      description: 'File with the private key of that certificate, PEM, without a passphrase.',
    }),
  },
  { default: {} },
);
