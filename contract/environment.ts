/** The environment's name where none is configured (OPEN-57). */
export const DEFAULT_ENVIRONMENT = 'beta'

/** One name of the environment: who is given it, and what follows from that in each list that is derived from this table. */
interface Row {
  readonly for: 'both' | 'portal' | 'provider'
  /** May be missing (docs/operations.md, Settings). All others are checked by each Worker that is given them. */
  readonly optional?: true
  /** Fewest characters that count as set; 32 characters hold 192 bits of base64url. Left out: 1. */
  readonly min?: number
  /** Uploaded as a secret, never in the open. */
  readonly secret?: true
  /** Made once by `npm start` or a deployment, and kept. */
  readonly made?: 'random' | 'jwks'
  /** Never made by itself, and kept beside what is made once somebody has (`npm run keys`). */
  readonly kept?: true
  /** Follows from the run, so that an environment file need not say it. */
  readonly derived?: true
}

const SIGNING = { for: 'both', secret: true, made: 'random', min: 16 } as const
const OPTION = { for: 'portal', optional: true } as const

/**
 * Every name of the environment of both Workers but the hosts of endpoint groups (`hostBinding`). Each Worker checks what
 * it needs once, at its first request, and answers 503 with the sentence when something is missing.
 */
export const ENVIRONMENT = {
  /** Origins have no trailing slash. */
  PORTAL_ORIGIN: { for: 'both' },
  PROVIDER_ORIGIN: { for: 'both' },
  /** Domain (and its subdomains) that redirects may go to, e.g. `portal.example`. */
  OWN_DOMAIN: { for: 'both' },
  PAYMENT_DOMAIN: { for: 'both' },
  /** Origin of the page on which cards are typed; no other page is served there. */
  PAYMENT_ORIGIN: { for: 'both', derived: true },
  /** `embedded` on loopback and in previews, `stripe` where real money is taken; '' sells nothing. */
  BILLING_GATEWAY: { for: 'provider', optional: true },
  /** Of `stripe`: who we are there. */
  STRIPE_SECRET_KEY: { for: 'provider', optional: true, secret: true },
  /** Signs what Stripe tells by itself; without it nothing is listened to, and charges are asked about. */
  STRIPE_WEBHOOK_SECRET: { for: 'provider', optional: true, secret: true },
  /** Where Stripe is; only tests say it. */
  STRIPE_API_ORIGIN: { for: 'provider', optional: true },
  /** Sales tax in hundredths of a percent; 825 by default. */
  TAX_BASIS_POINTS: { for: 'provider', optional: true },
  /** Who sells, as bills name it: `SELLER` of contract/brand.ts by default. Lines of the address are separated by `;`. */
  SELLER_NAME: { for: 'provider', optional: true },
  SELLER_ADDRESS: { for: 'provider', optional: true },
  SELLER_TAX_ID: { for: 'provider', optional: true },
  /** `DEFAULT_ENVIRONMENT` by default (OPEN-57). */
  ENVIRONMENT: { for: 'both' },
  BUILD_ID: { for: 'both', derived: true },
  /** "1" in local and preview runs: demo accounts exist and are shown on the sign-in page. */
  DEMO: { for: 'both', derived: true },
  OIDC_ISSUER: { for: 'both', derived: true },
  OIDC_CLIENT_ID: { for: 'both', derived: true },
  /** A foreign issuer's own, or made here. */
  OIDC_CLIENT_SECRET: { for: 'both', secret: true, made: 'random', min: 16 },
  /** Keys the addresses of pictures and clips. */
  MEDIA_KEY: { for: 'both', secret: true, made: 'random', min: 32 },
  /** The key before the last rotation: addresses that it made are still good until they are over. */
  MEDIA_KEY_OLD: { for: 'provider', optional: true, secret: true, min: 32, kept: true },
  /** Seals the transaction cookie and tags the session cookie. */
  COOKIE_KEY: { for: 'portal', secret: true, made: 'random', min: 32 },
  /** The key before the last rotation: its cookies are still read, and are written anew with `COOKIE_KEY`. */
  COOKIE_KEY_OLD: { for: 'portal', optional: true, secret: true, min: 32, kept: true },
  /** base64 of a private JWKS (RS256 or ES256) that signs ID tokens. */
  PROVIDER_JWKS: { for: 'provider', secret: true, made: 'jwks' },
  PROVIDER_COOKIE_KEY: { for: 'provider', secret: true, made: 'random' },
  /** The key before the last rotation: its cookies are still read. */
  PROVIDER_COOKIE_KEY_OLD: { for: 'provider', optional: true, secret: true, min: 32, kept: true },
  /** Seals single-use tickets and upload grants. */
  TICKET_KEY: { for: 'provider', secret: true, made: 'random' },
  /** Encrypts the keys of second factors where they rest. Without it nobody's second factor opens any more. */
  FACTOR_KEY: { for: 'provider', secret: true, made: 'random', min: 32 },
  /** Every key before, the newest first, separated by commas: what they encrypted is encrypted anew when it is used. */
  FACTOR_KEY_OLD: { for: 'provider', optional: true, secret: true, min: 32, kept: true },
  ADMIN_KEY: { for: 'provider', secret: true, made: 'random' },
  SIGN_NEW_DEVICE: SIGNING,
  SIGN_V4_EVENT: SIGNING,
  SIGN_PLATFORM: SIGNING,
  SIGN_MEMBERSHIP_V2: SIGNING,
  SIGN_AI_EVENT_FEEDBACK: SIGNING,
  SIGN_AI_SUBSCRIPTION: SIGNING,
  SIGN_EVENT_DA: SIGNING,
  /** STUN and TURN servers that viewers are given, a JSON array as in get-streams; none by default. It may hold passwords. */
  ICE_SERVERS: { for: 'provider', optional: true, secret: true },
  /** Bytes that all stored clips and pictures together may take; beyond that the oldest clips go. No limit by default. */
  MEDIA_CAP_BYTES: { for: 'provider', optional: true },
  /** Address of an HTTP mail API, which each mail is posted to; `MAIL_API_KEY` and `MAIL_FROM` go with it. */
  MAIL_API_URL: { for: 'provider', optional: true },
  MAIL_API_KEY: { for: 'provider', optional: true, secret: true },
  /** `smtp://` or `smtps://` of a mail server, with name and password where it wants them; one machine only. */
  SMTP_URL: { for: 'provider', optional: true, secret: true },
  /** The bare address that mails come from; `mail@` and `OWN_DOMAIN` by default. */
  MAIL_FROM: { for: 'provider', optional: true },
  /** "1" where something in front sets `CF-Connecting-IP` itself: Cloudflare, or a proxy (contract/wire/client-address.ts). */
  TRUST_PROXY: { for: 'both', optional: true },
  /** Address of an outside collector of error reports and durations; none by default. */
  SENTRY_DSN: { for: 'both', optional: true },
  /** How the device collector is asked: `porchlight` by default, and by a hostname or the name of one of its two hosts, `TEST` or `PROD`. */
  COLLECTOR_CLIENT_ID: { for: 'both', optional: true },
  COLLECTOR_HOSTNAME: OPTION,
  COLLECTOR_ENVIRONMENT: OPTION,
  /** The hosts of both names; the provider by default. */
  COLLECTOR_TEST_ORIGIN: OPTION,
  COLLECTOR_PROD_ORIGIN: OPTION,
  /** Key of the one experiment, of letters, digits and hyphens; '' has none. `npm start` and previews: the sample by default. */
  EXPERIMENT: { for: 'both', optional: true },
  /** How often pages ask for it anew, ms: five minutes by default, one at least. */
  EXPERIMENT_POLL_MS: { for: 'both', optional: true },
  /** `off`: pages are measured for longer than a browser's first hour. */
  TEST_TRACKING: { for: 'both', optional: true },
  /** Address that batches of events go to, instead of to the provider, in the form of Amplitude's HTTP v2; its key goes with it. */
  ANALYTICS_ENDPOINT: { for: 'both', optional: true },
  ANALYTICS_KEY: { for: 'portal', optional: true, secret: true },
  /** Address below which `/sdk/v2/flags` and `/sdk/v2/vardata` are asked for, instead of answered here; its key goes with it. */
  EXPERIMENT_ENDPOINT: OPTION,
  EXPERIMENT_KEY: { for: 'portal', optional: true, secret: true },
  /** Starts the tracking of subscription revenue: up to 64 letters, digits and hyphens; '' is off. On by default as above. */
  REVENUE_TOKEN: { for: 'both', optional: true },
  OIDC_SCOPE: OPTION,
  OIDC_REFRESH: OPTION,
  /** `prompt`, `resource` and `audience` of a sign-in, for issuers that want them; sent only where they are set. */
  OIDC_PROMPT: OPTION,
  OIDC_RESOURCE: OPTION,
  OIDC_AUDIENCE: OPTION,
  /** Claim of another issuer by which its people are shown; `email`, else `preferred_username` by default. */
  OIDC_EMAIL_CLAIM: OPTION,
  BRANDED_HEADER: OPTION,
  APP_ID: OPTION,
  SESSION_IDLE_MS: OPTION,
  SESSION_LIFE_MS: OPTION,
  UPSTREAM_TIMEOUT_MS: OPTION,
} as const satisfies Record<string, Row>

type Table = typeof ENVIRONMENT
export type EnvironmentName = keyof Table
export type WorkerName = 'portal' | 'provider'
type With<R extends Partial<Row>> = { [N in EnvironmentName]: Table[N] extends R ? N : never }[EnvironmentName]

export type OptionalName = With<{ optional: true }>
/** Names of what is made once and kept. */
export type MadeName = With<{ made: 'random' | 'jwks' }>
/** Names of what is kept where it is there. */
export type KeptName = With<{ kept: true }>
/** What one Worker is given. */
export type EnvironmentOf<W extends WorkerName> = {
  readonly [N in Exclude<With<{ for: 'both' | W }>, OptionalName>]: string
} & { readonly [N in With<{ for: 'both' | W }> & OptionalName]?: string }

/** Names whose row passes, in the order of the table. */
export const namesWhere = <N extends EnvironmentName = EnvironmentName>(passes: (row: Row) => boolean): N[] =>
  Object.entries<Row>(ENVIRONMENT).flatMap(([name, row]) => (passes(row) ? [name as N] : []))

export const isFor = (worker: WorkerName) => (row: Row) => row.for === 'both' || row.for === worker

/** What a Worker cannot do without. */
export const listRequiredNames = <W extends WorkerName>(worker: W) =>
  namesWhere<Exclude<With<{ for: 'both' | W }>, OptionalName>>((row) => isFor(worker)(row) && !row.optional)

/** Fewest characters of a name that count as set. */
export const minValueLength = (name: EnvironmentName): number => (ENVIRONMENT[name] as Row).min ?? 1

/** App info headers of every device and event call (OPEN-25). */
export const APP_INFO_HEADERS = ['app-id', 'app-version', 'platform', 'user-agent-code'] as const
/** The signature of a signed call (OPEN-21). */
export const SIGNATURE_HEADER = 'signature'
