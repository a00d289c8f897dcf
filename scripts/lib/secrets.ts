import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { BRAND_DOMAIN } from '../../contract/brand.ts'
import { ENDPOINT_GROUPS, getHostBinding, type GroupName } from '../../contract/wire/endpoint-groups.ts'
import {
  DEFAULT_ENVIRONMENT,
  ENVIRONMENT,
  filterVariableNames,
  type EnvironmentOf,
  type PreviousKeyName,
  type GeneratedName,
  type WorkerName,
} from '../../contract/environment.ts'
import { SKUS } from '../../contract/billing/skus.ts'
import { LOCAL_REVENUE_TOKEN } from '../../contract/telemetry/visits.ts'
import { SAMPLE_EXPERIMENT } from '../../contract/telemetry/telemetry-calls.ts'
import { StopError } from './stop.ts'

export type RunEnvironment = EnvironmentOf<WorkerName>

/**
 * Secrets that are created once and stored in `DATA/secrets.env`. All other settings come from the origins, the build
 * and the environment variables of each run.
 */
export type Secrets = Pick<RunEnvironment, GeneratedName | PreviousKeyName>

const createRandomKey = () => randomBytes(32).toString('base64url')

function createSigningKey(): object {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256', kid: randomBytes(8).toString('hex') }
}

/**
 * Encodes a private JWKS in the format of the environment variable: base64 of its JSON. The first key of each algorithm
 * signs; all keys are published.
 */
const encodeJwks = (keys: readonly object[]): string => Buffer.from(JSON.stringify({ keys })).toString('base64')
const parseJwks = (jwks: string): object[] =>
  (JSON.parse(Buffer.from(jwks, 'base64').toString('utf8')) as { keys: object[] }).keys

/**
 * Returns the secrets of `existing` and newly created values for missing secrets. An upgrade thus adds secrets without
 * replacing existing ones.
 */
export function makeSecrets(existing: Partial<Record<string, string>> = {}): Secrets {
  const createSecret = (name: GeneratedName) =>
    ENVIRONMENT[name].made === 'jwks' ? encodeJwks([createSigningKey()]) : createRandomKey()
  const names = filterVariableNames<GeneratedName>((row) => row.made !== undefined)
  const retainedNames = filterVariableNames<PreviousKeyName>((row) => row.kept === true).filter(
    (name) => existing[name] !== undefined,
  )
  return Object.fromEntries([
    ...names.map((name) => [name, existing[name] ?? createSecret(name)]),
    ...retainedNames.map((name) => [name, existing[name]]),
  ]) as Secrets
}

const ROTATED_KEY_NAMES = ['COOKIE_KEY', 'MEDIA_KEY', 'PROVIDER_COOKIE_KEY', 'FACTOR_KEY'] as const
type RotatedKeyName = (typeof ROTATED_KEY_NAMES)[number]

/**
 * Rotates keys without signing out any account (docs/decisions/0050): the previous keys stay valid. Discards older
 * keys, but not those of FACTOR_KEY, because a second factor may stay unused for years. Throws if a key is missing.
 */
export function rotateKeys(
  existing: Partial<Record<string, string>>,
): Record<RotatedKeyName | PreviousKeyName | 'PROVIDER_JWKS', string> {
  const missing = [...ROTATED_KEY_NAMES, 'PROVIDER_JWKS' as const].filter((name) => !existing[name])
  if (missing.length > 0) throw new Error(`${missing.join(', ')} missing.`)
  const getCurrentKey = (name: RotatedKeyName) => existing[name] ?? ''
  return {
    ...(Object.fromEntries(ROTATED_KEY_NAMES.map((name) => [name, createRandomKey()])) as Record<
      RotatedKeyName,
      string
    >),
    COOKIE_KEY_OLD: getCurrentKey('COOKIE_KEY'),
    MEDIA_KEY_OLD: getCurrentKey('MEDIA_KEY'),
    PROVIDER_COOKIE_KEY_OLD: getCurrentKey('PROVIDER_COOKIE_KEY'),
    FACTOR_KEY_OLD: [getCurrentKey('FACTOR_KEY'), existing['FACTOR_KEY_OLD'] ?? []].flat().join(','),
    PROVIDER_JWKS: encodeJwks([createSigningKey(), ...parseJwks(existing['PROVIDER_JWKS'] ?? '').slice(0, 1)]),
  }
}

/**
 * Returns the environment of a run. If both origins are loopback, the defaults include demo accounts, the embedded
 * payment gateway, and `BRAND_DOMAIN` as `OWN_DOMAIN`. Otherwise, `OWN_DOMAIN` is the portal's host by default.
 * `isDemo` overrides the default for demo accounts. `isLan`: the origins are for the local network, and only invited
 * people create accounts. An owner at home gets a plan without a purchase. Throws a `StopError` if `HOME_PLAN` is not a
 * plan.
 */
export function makeEnvironment(
  secrets: Secrets,
  run: {
    portalOrigin: string
    providerOrigin: string
    /** Default: `PAYMENT_ORIGIN` of `overrides`, else the result of `derivePaymentOrigin`. */
    paymentOrigin?: string
    buildId: string
    isDemo?: boolean
    isLan?: boolean
    /** Loopback origin of the provider. */
    internalProviderOrigin?: string
    overrides?: NodeJS.ProcessEnv
  },
): RunEnvironment {
  const { portalOrigin, providerOrigin, buildId, overrides = {} } = run
  checkHomePlan(overrides)
  const { isLan = false, internalProviderOrigin } = run
  const paymentOrigin = run.paymentOrigin ?? overrides['PAYMENT_ORIGIN'] ?? derivePaymentOrigin(providerOrigin, isLan)
  const isLocal = !isLan && [portalOrigin, providerOrigin].every(isLoopback)
  const isDemo = run.isDemo ?? isLocal
  return {
    ...secrets,
    PORTAL_ORIGIN: portalOrigin,
    PROVIDER_ORIGIN: providerOrigin,
    PAYMENT_ORIGIN: paymentOrigin,
    OWN_DOMAIN: overrides['OWN_DOMAIN'] ?? (isLocal ? BRAND_DOMAIN : new URL(portalOrigin).hostname),
    PAYMENT_DOMAIN: overrides['PAYMENT_DOMAIN'] ?? getPaymentDomain(overrides, isLocal ? null : paymentOrigin),
    ENVIRONMENT: overrides['ENVIRONMENT'] ?? DEFAULT_ENVIRONMENT,
    BUILD_ID: buildId,
    DEMO: isDemo ? '1' : '0',
    OIDC_ISSUER: overrides['OIDC_ISSUER'] ?? providerOrigin,
    OIDC_CLIENT_ID: overrides['OIDC_CLIENT_ID'] ?? 'porchlight-portal',
    ...(isLocal ? { BILLING_GATEWAY: 'embedded' } : {}),
    ...(isLan ? { SIGN_UP: 'invite' } : {}),
    ...((isLan || isLocal) && !isDemo ? selectUnset({ HOME_PLAN: 'unlimited' }, overrides) : {}),
    ...(internalProviderOrigin !== undefined && internalProviderOrigin !== providerOrigin
      ? { PROVIDER_INTERNAL_ORIGIN: internalProviderOrigin }
      : {}),
    ...(isDemo ? selectUnset(DEMO_ANALYTICS, overrides) : {}),
    ...selectOptions(overrides),
  }
}

function checkHomePlan({ HOME_PLAN: plan = '' }: NodeJS.ProcessEnv): void {
  if (plan !== '' && !(SKUS as readonly string[]).includes(plan))
    throw new StopError(`HOME_PLAN=${plan} isn't a plan. Use one of ${SKUS.join(', ')}, or leave it empty for none.`)
}

/**
 * Default analytics settings of runs with demo accounts: a local revenue token and the sample experiment (OPEN-165).
 */
const DEMO_ANALYTICS = { REVENUE_TOKEN: LOCAL_REVENUE_TOKEN, EXPERIMENT: SAMPLE_EXPERIMENT }

/**
 * Returns the defaults of settings that `environment` does not define. An empty value in `environment` turns a setting
 * off.
 */
const selectUnset = (defaults: Record<string, string>, environment: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(Object.entries(defaults).filter(([name]) => environment[name] === undefined))

export const STRIPE_DOMAIN = 'checkout.stripe.com'

/**
 * Returns the domain to which the portal may redirect for payment. `cardPageOrigin`: origin of our own card page; null
 * on loopback, where the portal checks redirects by origin instead.
 */
function getPaymentDomain(overrides: NodeJS.ProcessEnv, cardPageOrigin: string | null): string {
  if (overrides['BILLING_GATEWAY'] === 'stripe') return STRIPE_DOMAIN
  return cardPageOrigin === null ? 'pay.example' : new URL(cardPageOrigin).hostname
}

export const isLoopback = (origin: string): boolean => /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(origin)

/**
 * Returns the default origin of the card page: host `pay.` plus the provider's host. On loopback and in a local
 * network, returns the provider's host with the next port.
 */
function derivePaymentOrigin(providerOrigin: string, isLan: boolean): string {
  const url = new URL(providerOrigin)
  if (isLan || isLoopback(providerOrigin))
    url.port = String(Number(url.port || (url.protocol === 'https:' ? 443 : 80)) + 1)
  else url.hostname = `pay.${url.hostname}`
  return url.origin
}

/** Optional settings of a run (docs/operations.md, Settings). */
const OPTIONAL_NAMES: readonly string[] = [
  'OIDC_CLIENT_SECRET' satisfies GeneratedName,
  ...filterVariableNames((row) => row.optional === true && !row.derived),
  ...(Object.keys(ENDPOINT_GROUPS) as GroupName[]).map(getHostBinding),
]

function selectOptions(environment: NodeJS.ProcessEnv): Record<string, string> {
  const pairs = Object.entries(environment).filter(([name, value]) => OPTIONAL_NAMES.includes(name) && value)
  return Object.fromEntries(pairs) as Record<string, string>
}
