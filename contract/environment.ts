/** Default environment name (OPEN-57). */
export const DEFAULT_ENVIRONMENT = 'beta'

interface EnvironmentVariable {
  readonly for: 'both' | 'portal' | 'provider'
  /**
   * True if the variable may be missing (docs/operations.md, Settings). Each Worker checks that its other variables are
   * set.
   */
  readonly optional?: true
  /** Minimum length of a valid value; default: 1. 32 characters of base64url hold 192 bits. */
  readonly min?: number
  /** Uploaded as a secret, never as plain text. */
  readonly secret?: true
  /** Generated once by `npm start` or by a deployment. Only `npm run keys` changes the value later. */
  readonly made?: 'random' | 'jwks'
  /** Created only by `npm run keys`, which stores the value with the generated values. */
  readonly kept?: true
  /** `npm start` or the deployment derives the value, so an environment file may omit it. */
  readonly derived?: true
}

const SIGNING_KEY = { for: 'both', secret: true, made: 'random', min: 16 } as const
const PORTAL_OPTION = { for: 'portal', optional: true } as const

/**
 * Environment variables of both Workers, except endpoint hosts (`getHostBinding`). Each Worker checks its variables
 * before it serves a request. If it finds a problem, such as a missing variable, it responds with 503 and names the
 * problem.
 */
export const ENVIRONMENT = {
  /** Origins have no trailing slash. */
  PORTAL_ORIGIN: { for: 'both' },
  PROVIDER_ORIGIN: { for: 'both' },
  /** Domain such as `portal.example`. Redirects to this domain and its subdomains are allowed. */
  OWN_DOMAIN: { for: 'both' },
  PAYMENT_DOMAIN: { for: 'both' },
  /** Origin of the card page; it serves no other page. */
  PAYMENT_ORIGIN: { for: 'both', derived: true },
  /** `embedded`: test payment gateway, only with demo accounts. `stripe`: real money. If unset, no plan is sold. */
  BILLING_GATEWAY: { for: 'provider', optional: true },
  /**
   * Plan whose benefits all cameras have without a purchase, such as `unlimited`; '' for none. Default: `unlimited` with
   * `--lan` and on this machine without demo accounts, otherwise none.
   */
  HOME_PLAN: { for: 'provider', optional: true },
  STRIPE_SECRET_KEY: { for: 'provider', optional: true, secret: true },
  /** Verifies Stripe webhooks. Without this secret, webhooks are ignored and the ledger polls charges. */
  STRIPE_WEBHOOK_SECRET: { for: 'provider', optional: true, secret: true },
  /** Stripe API origin; only tests set it. */
  STRIPE_API_ORIGIN: { for: 'provider', optional: true },
  /** Sales tax in hundredths of a percent; 825 by default. */
  TAX_BASIS_POINTS: { for: 'provider', optional: true },
  /** Seller on invoices; default: `SELLER` of contract/brand.ts. `;` separates address lines. */
  SELLER_NAME: { for: 'provider', optional: true },
  SELLER_ADDRESS: { for: 'provider', optional: true },
  SELLER_TAX_ID: { for: 'provider', optional: true },
  /** Default: `DEFAULT_ENVIRONMENT` (OPEN-57). */
  ENVIRONMENT: { for: 'both' },
  BUILD_ID: { for: 'both', derived: true },
  /** "1": demo accounts exist and are shown on the sign-in page. Default in local and preview runs. */
  DEMO: { for: 'both', derived: true },
  /**
   * Who may create an account: `open`, `invite` or `off`. Default: `open` on this machine, `invite` on the local
   * network, `off` elsewhere.
   */
  SIGN_UP: { for: 'provider', optional: true },
  /**
   * Origin at which programs on this machine reach the provider, with `npm start`. Requests between these programs then
   * need no network, name or certificate. Default: `PROVIDER_ORIGIN`.
   */
  PROVIDER_INTERNAL_ORIGIN: { for: 'portal', optional: true, derived: true },
  OIDC_ISSUER: { for: 'both', derived: true },
  OIDC_CLIENT_ID: { for: 'both', derived: true },
  /** Issued by an external OIDC issuer, or generated for the embedded provider. */
  OIDC_CLIENT_SECRET: { for: 'both', secret: true, made: 'random', min: 16 },
  /** Signs the URLs of images, clips and archives, and the telemetry that the edge sends to the provider. */
  MEDIA_KEY: { for: 'both', secret: true, made: 'random', min: 32 },
  /** Previous `MEDIA_KEY`. URLs signed with this key stay valid until they expire. */
  MEDIA_KEY_OLD: { for: 'provider', optional: true, secret: true, min: 32, kept: true },
  /** Encrypts the cookies of pending authorizations and card pages, and authenticates the session cookie. */
  COOKIE_KEY: { for: 'portal', secret: true, made: 'random', min: 32 },
  /**
   * Previous `COOKIE_KEY`. Cookies from this key are still valid; the session cookie is rewritten with `COOKIE_KEY`.
   */
  COOKIE_KEY_OLD: { for: 'portal', optional: true, secret: true, min: 32, kept: true },
  /** base64 of a private JWKS (RS256 or ES256) that signs ID tokens. */
  PROVIDER_JWKS: { for: 'provider', secret: true, made: 'jwks' },
  PROVIDER_COOKIE_KEY: { for: 'provider', secret: true, made: 'random' },
  /** Previous `PROVIDER_COOKIE_KEY`. Cookies from this key are still read. */
  PROVIDER_COOKIE_KEY_OLD: { for: 'provider', optional: true, secret: true, min: 32, kept: true },
  /**
   * Signs tickets, upload grants, quotes, email links and first-party values, encrypts media tokens, and hashes
   * enrollment codes.
   */
  TICKET_KEY: { for: 'provider', secret: true, made: 'random' },
  /**
   * Encrypts stored second-factor secrets and temporary sign-in data. If this key is lost, no existing second factor
   * works.
   */
  FACTOR_KEY: { for: 'provider', secret: true, made: 'random', min: 32 },
  /**
   * Previous values of `FACTOR_KEY`, newest first, separated by commas. A secret encrypted with one of them is
   * re-encrypted on use.
   */
  FACTOR_KEY_OLD: { for: 'provider', optional: true, secret: true, min: 32, kept: true },
  ADMIN_KEY: { for: 'provider', secret: true, made: 'random' },
  SIGN_NEW_DEVICE: SIGNING_KEY,
  SIGN_V4_EVENT: SIGNING_KEY,
  SIGN_PLATFORM: SIGNING_KEY,
  SIGN_MEMBERSHIP_V2: SIGNING_KEY,
  SIGN_AI_EVENT_FEEDBACK: SIGNING_KEY,
  SIGN_AI_SUBSCRIPTION: SIGNING_KEY,
  SIGN_EVENT_DA: SIGNING_KEY,
  /**
   * STUN and TURN servers for bridges and viewers: a JSON array (contract/live/ice-servers.ts). The value may contain
   * passwords. Default: none.
   */
  ICE_SERVERS: { for: 'provider', optional: true, secret: true },
  /**
   * Storage limit for all clips and images together, bytes. Above the limit, hidden clips and then the oldest visible
   * clips are deleted. 0: no limit. Default: with `npm start`, the disk except its reserve
   * (provider/events/storage/storage-limit.ts); on Cloudflare, no limit.
   */
  MEDIA_CAP_BYTES: { for: 'provider', optional: true },
  /** URL of an HTTP mail API that receives each email; needs `MAIL_API_KEY` and `MAIL_FROM`. */
  MAIL_API_URL: { for: 'provider', optional: true },
  MAIL_API_KEY: { for: 'provider', optional: true, secret: true },
  /**
   * `smtp://` or `smtps://` URL of a mail server, with user and password if required; single-machine deployments only.
   */
  SMTP_URL: { for: 'provider', optional: true, secret: true },
  /** Sender address of emails, without a name. Default: `mail@` followed by `OWN_DOMAIN`. */
  MAIL_FROM: { for: 'provider', optional: true },
  /** "1" if Cloudflare or a proxy in front sets `CF-Connecting-IP` (contract/wire/client-address.ts). */
  TRUST_PROXY: { for: 'both', optional: true },
  /** URL of an external collector of error reports and durations. Default: none. */
  SENTRY_DSN: { for: 'both', optional: true },
  /**
   * Device collector: `COLLECTOR_CLIENT_ID` is its client id (default: `porchlight`). `COLLECTOR_HOSTNAME` is its host.
   * Without a hostname, `COLLECTOR_ENVIRONMENT` selects one of the origins below: `TEST` (default of a local portal) or
   * `PROD` (default otherwise). Any other value of `COLLECTOR_ENVIRONMENT` turns the device collector off.
   */
  COLLECTOR_CLIENT_ID: { for: 'both', optional: true },
  COLLECTOR_HOSTNAME: PORTAL_OPTION,
  COLLECTOR_ENVIRONMENT: PORTAL_OPTION,
  /** Origins of the device collector for `TEST` and `PROD`. Default: the origin of the provider. */
  COLLECTOR_TEST_ORIGIN: PORTAL_OPTION,
  COLLECTOR_PROD_ORIGIN: PORTAL_OPTION,
  /**
   * Key of the portal's only experiment: lowercase letters, digits and single hyphens; '' means no experiment. Default:
   * `SAMPLE_EXPERIMENT` with demo accounts, otherwise ''.
   */
  EXPERIMENT: { for: 'both', optional: true },
  /** Polling interval of the experiment in pages, ms. Default: five minutes; minimum: one minute. */
  EXPERIMENT_POLL_MS: { for: 'both', optional: true },
  /** Unless the value is `off`, a browser sends analytics for only one hour (ANALYTICS-06). */
  TEST_TRACKING: { for: 'both', optional: true },
  /** `amplitude`: pages use the libraries of Amplitude. Default: the portal's own analytics and experiment client. */
  ANALYTICS_LIBRARY: PORTAL_OPTION,
  /**
   * Number n from 1 to `SAMPLE_RATE_MAX`: page views, visits, clicks and Web Vitals of 1 in n browsers are stored.
   * Default: 1, all browsers.
   */
  ANALYTICS_SAMPLE: PORTAL_OPTION,
  /** Cloudflare keeps all data there: `eu`. Set it before the first deployment. Default: none. */
  JURISDICTION: { for: 'both', optional: true },
  /** Number of objects that share the events of a UTC day: 1, 2, 4 or 8. Default: 1. */
  ANALYTICS_SHARDS: { for: 'provider', optional: true },
  /**
   * URL that receives analytics batches instead of the provider, in the format of Amplitude's HTTP v2. Requires
   * `ANALYTICS_KEY`.
   */
  ANALYTICS_ENDPOINT: { for: 'both', optional: true },
  ANALYTICS_KEY: { for: 'portal', optional: true, secret: true },
  /**
   * Base URL of an external service that answers `/sdk/v2/flags` and `/sdk/v2/vardata` instead of the portal. Requires
   * `EXPERIMENT_KEY`.
   */
  EXPERIMENT_ENDPOINT: PORTAL_OPTION,
  EXPERIMENT_KEY: { for: 'portal', optional: true, secret: true },
  /**
   * Token of up to 64 letters, digits and hyphens that enables tracking of subscription revenue; '' disables tracking.
   * Default: `LOCAL_REVENUE_TOKEN` with demo accounts, otherwise ''.
   */
  REVENUE_TOKEN: { for: 'both', optional: true },
  OIDC_SCOPE: PORTAL_OPTION,
  OIDC_REFRESH: PORTAL_OPTION,
  /**
   * Sign-in parameters `prompt`, `resource` and `audience` for issuers that require them. An unset parameter is not
   * sent.
   */
  OIDC_PROMPT: PORTAL_OPTION,
  OIDC_RESOURCE: PORTAL_OPTION,
  OIDC_AUDIENCE: PORTAL_OPTION,
  /**
   * Claim of an external issuer that is displayed as the user's name. Without this claim: `email`, else
   * `preferred_username`.
   */
  OIDC_EMAIL_CLAIM: PORTAL_OPTION,
  BRANDED_HEADER: PORTAL_OPTION,
  APP_ID: PORTAL_OPTION,
  SESSION_IDLE_MS: PORTAL_OPTION,
  SESSION_LIFE_MS: PORTAL_OPTION,
  UPSTREAM_TIMEOUT_MS: PORTAL_OPTION,
} as const satisfies Record<string, EnvironmentVariable>

type EnvironmentTable = typeof ENVIRONMENT
export type EnvironmentName = keyof EnvironmentTable
export type WorkerName = 'portal' | 'provider'
type VariableNamesWith<R extends Partial<EnvironmentVariable>> = {
  [N in EnvironmentName]: EnvironmentTable[N] extends R ? N : never
}[EnvironmentName]

export type OptionalName = VariableNamesWith<{ optional: true }>
export type GeneratedName = VariableNamesWith<{ made: 'random' | 'jwks' }>
export type PreviousKeyName = VariableNamesWith<{ kept: true }>
export type EnvironmentOf<W extends WorkerName> = {
  readonly [N in Exclude<VariableNamesWith<{ for: 'both' | W }>, OptionalName>]: string
} & { readonly [N in VariableNamesWith<{ for: 'both' | W }> & OptionalName]?: string }

/** Returns the names of the variables for whose row `matches` returns true, in table order. */
export const filterVariableNames = <N extends EnvironmentName = EnvironmentName>(
  matches: (row: EnvironmentVariable) => boolean,
): N[] => Object.entries<EnvironmentVariable>(ENVIRONMENT).flatMap(([name, row]) => (matches(row) ? [name as N] : []))

export const isForWorker = (worker: WorkerName) => (row: EnvironmentVariable) =>
  row.for === 'both' || row.for === worker

export const listRequiredNames = <W extends WorkerName>(worker: W) =>
  filterVariableNames<Exclude<VariableNamesWith<{ for: 'both' | W }>, OptionalName>>(
    (row) => isForWorker(worker)(row) && !row.optional,
  )

export const getMinValueLength = (name: EnvironmentName): number => (ENVIRONMENT[name] as EnvironmentVariable).min ?? 1

/** App info headers of every device and event call (OPEN-25). */
export const APP_INFO_HEADERS = ['app-id', 'app-version', 'platform', 'user-agent-code'] as const
/** Header of a signed call's signature (OPEN-21). */
export const SIGNATURE_HEADER = 'signature'
