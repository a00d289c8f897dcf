import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { BRAND_DOMAIN } from '../../contract/brand.ts'
import { ENDPOINT_GROUPS, hostBinding, type GroupName } from '../../contract/endpoint-groups.ts'
import {
  DEFAULT_ENVIRONMENT,
  type EdgeSecrets,
  type ProviderSecrets,
  type SharedEnvironment,
} from '../../contract/environment.ts'

/** Everything both Workers read from `DATA/secrets.env`: secrets, and the origins of this run. */
export type RunEnvironment = SharedEnvironment & EdgeSecrets & ProviderSecrets

/** What is made once and kept; the rest of the environment follows from the origins and the build of each run. */
export type Secrets = Pick<
  RunEnvironment,
  | 'OIDC_CLIENT_SECRET'
  | 'MEDIA_KEY'
  | 'COOKIE_KEY'
  | 'PROVIDER_JWKS'
  | 'PROVIDER_COOKIE_KEY'
  | 'TICKET_KEY'
  | 'ADMIN_KEY'
  | Extract<keyof RunEnvironment, `SIGN_${string}`>
>

const random = () => randomBytes(32).toString('base64url')

/** A private JWKS with one ES256 key, base64 of its JSON. */
function newJwks(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256', kid: randomBytes(8).toString('hex') }
  return Buffer.from(JSON.stringify({ keys: [key] })).toString('base64')
}

/** A fresh set; `have` wins, so that a set made by an older version is completed rather than replaced. */
export function makeSecrets(have: Partial<Record<keyof Secrets, string>> = {}): Secrets {
  return {
    OIDC_CLIENT_SECRET: have.OIDC_CLIENT_SECRET ?? random(),
    MEDIA_KEY: have.MEDIA_KEY ?? random(),
    COOKIE_KEY: have.COOKIE_KEY ?? random(),
    PROVIDER_JWKS: have.PROVIDER_JWKS ?? newJwks(),
    PROVIDER_COOKIE_KEY: have.PROVIDER_COOKIE_KEY ?? random(),
    TICKET_KEY: have.TICKET_KEY ?? random(),
    ADMIN_KEY: have.ADMIN_KEY ?? random(),
    SIGN_NEW_DEVICE: have.SIGN_NEW_DEVICE ?? random(),
    SIGN_V4_EVENT: have.SIGN_V4_EVENT ?? random(),
    SIGN_PLATFORM: have.SIGN_PLATFORM ?? random(),
    SIGN_MEMBERSHIP_V2: have.SIGN_MEMBERSHIP_V2 ?? random(),
    SIGN_AI_EVENT_FEEDBACK: have.SIGN_AI_EVENT_FEEDBACK ?? random(),
    SIGN_AI_SUBSCRIPTION: have.SIGN_AI_SUBSCRIPTION ?? random(),
    SIGN_EVENT_DA: have.SIGN_EVENT_DA ?? random(),
  }
}

/**
 * The whole environment of a run. Demo accounts, and the domains of the beta environment, only where both origins are on
 * this machine; elsewhere redirects go to the origins' own names.
 */
export function makeEnvironment(
  secrets: Secrets,
  run: { portalOrigin: string; providerOrigin: string; buildId: string; overrides?: NodeJS.ProcessEnv },
): RunEnvironment {
  const { portalOrigin, providerOrigin, buildId, overrides = {} } = run
  const loopback = [portalOrigin, providerOrigin].every((o) =>
    /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(o),
  )
  return {
    ...secrets,
    PORTAL_ORIGIN: portalOrigin,
    PROVIDER_ORIGIN: providerOrigin,
    OWN_DOMAIN: overrides['OWN_DOMAIN'] ?? (loopback ? BRAND_DOMAIN : new URL(portalOrigin).hostname),
    PAYMENT_DOMAIN: overrides['PAYMENT_DOMAIN'] ?? (loopback ? 'pay.example' : new URL(providerOrigin).hostname),
    ENVIRONMENT: overrides['ENVIRONMENT'] ?? DEFAULT_ENVIRONMENT,
    BUILD_ID: buildId,
    DEMO: loopback ? '1' : '0',
    OIDC_ISSUER: overrides['OIDC_ISSUER'] ?? providerOrigin,
    OIDC_CLIENT_ID: overrides['OIDC_CLIENT_ID'] ?? 'porchlight-portal',
    ...(loopback ? { MEDIA_CAP_BYTES: LOCAL_CAP_BYTES } : {}),
    ...optionsOf(overrides),
  }
}

/** What clips and pictures may take on one machine: the oldest clips go first. */
const LOCAL_CAP_BYTES = '2000000000'

/** What a run may be told besides (docs/operations.md, Settings). */
const OPTIONS: readonly string[] = [
  'OIDC_CLIENT_SECRET',
  'OIDC_SCOPE',
  'OIDC_REFRESH',
  'ICE_SERVERS',
  'MEDIA_CAP_BYTES',
  'BRANDED_HEADER',
  'APP_ID',
  'SESSION_IDLE_MS',
  'UPSTREAM_TIMEOUT_MS',
  'SENTRY_DSN',
  ...(Object.keys(ENDPOINT_GROUPS) as GroupName[]).map(hostBinding),
]

function optionsOf(given: NodeJS.ProcessEnv): Record<string, string> {
  const pairs = Object.entries(given).filter(([name, value]) => OPTIONS.includes(name) && value)
  return Object.fromEntries(pairs) as Record<string, string>
}
