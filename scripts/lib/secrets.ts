import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { BRAND_DOMAIN } from '../../contract/brand.ts'
import { ENDPOINT_GROUPS, hostBinding, type GroupName } from '../../contract/wire/endpoint-groups.ts'
import {
  DEFAULT_ENVIRONMENT,
  ENVIRONMENT,
  namesWhere,
  type EnvironmentOf,
  type KeptName,
  type MadeName,
  type WorkerName,
} from '../../contract/environment.ts'
import { LOCAL_REVENUE_TOKEN } from '../../contract/telemetry/visits.ts'
import { SAMPLE_EXPERIMENT } from '../../contract/telemetry/telemetry-calls.ts'

export type RunEnvironment = EnvironmentOf<WorkerName>

/**
 * Secrets that are created once and stored in `DATA/secrets.env`; the rest of the environment derives from the origins
 * and build of each run.
 */
export type Secrets = Pick<RunEnvironment, MadeName | KeptName>

const random = () => randomBytes(32).toString('base64url')

function newKey(): object {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256', kid: randomBytes(8).toString('hex') }
}

/**
 * Encodes a private JWKS in the format of the environment variable: base64 of its JSON. The first key of each algorithm
 * signs; all keys are published.
 */
const toText = (keys: readonly object[]): string => Buffer.from(JSON.stringify({ keys })).toString('base64')
const parseJwks = (jwks: string): object[] =>
  (JSON.parse(Buffer.from(jwks, 'base64').toString('utf8')) as { keys: object[] }).keys

/**
 * Creates the secrets that `have` lacks and keeps the values of `have`, so that an upgrade adds new secrets without
 * replacing existing ones.
 */
export function makeSecrets(have: Partial<Record<string, string>> = {}): Secrets {
  const make = (name: MadeName) => (ENVIRONMENT[name].made === 'jwks' ? toText([newKey()]) : random())
  const names = namesWhere<MadeName>((row) => row.made !== undefined)
  const retainedNames = namesWhere<KeptName>((row) => row.kept === true).filter((name) => have[name] !== undefined)
  return Object.fromEntries([
    ...names.map((name) => [name, have[name] ?? make(name)]),
    ...retainedNames.map((name) => [name, have[name]]),
  ]) as Secrets
}

const ROTATED = ['COOKIE_KEY', 'MEDIA_KEY', 'PROVIDER_COOKIE_KEY', 'FACTOR_KEY'] as const
type RotatedName = (typeof ROTATED)[number]

/**
 * Rotates keys without signing out or locking out any account (docs/decisions/0050): each previous key stays valid, and
 * the new ID token key of the provider becomes the first in its JWKS. Drops older keys except those of FACTOR_KEY,
 * because a second factor can stay unused for years. Throws if `have` lacks a key or its JWKS is unreadable.
 */
export function rotateKeys(
  have: Partial<Record<string, string>>,
): Record<RotatedName | KeptName | 'PROVIDER_JWKS', string> {
  const missing = [...ROTATED, 'PROVIDER_JWKS' as const].filter((name) => !have[name])
  if (missing.length > 0) throw new Error(`${missing.join(', ')} missing.`)
  const old = (name: RotatedName) => have[name] ?? ''
  return {
    ...(Object.fromEntries(ROTATED.map((name) => [name, random()])) as Record<RotatedName, string>),
    COOKIE_KEY_OLD: old('COOKIE_KEY'),
    MEDIA_KEY_OLD: old('MEDIA_KEY'),
    PROVIDER_COOKIE_KEY_OLD: old('PROVIDER_COOKIE_KEY'),
    FACTOR_KEY_OLD: [old('FACTOR_KEY'), have['FACTOR_KEY_OLD'] ?? []].flat().join(','),
    PROVIDER_JWKS: toText([newKey(), ...parseJwks(have['PROVIDER_JWKS'] ?? '').slice(0, 1)]),
  }
}

/**
 * Returns the environment of a run. Demo accounts and the beta domains exist only if both origins are loopback; other
 * runs allow redirects to the hosts of their origins. `isDemo` (a preview) adds demo accounts on any origin.
 */
export function makeEnvironment(
  secrets: Secrets,
  run: {
    portalOrigin: string
    providerOrigin: string
    /** Default: the port after the provider's on loopback, else the provider's host name with `pay.` in front. */
    paymentOrigin?: string
    buildId: string
    isDemo?: boolean
    overrides?: NodeJS.ProcessEnv
  },
): RunEnvironment {
  const { portalOrigin, providerOrigin, buildId, overrides = {} } = run
  const paymentOrigin = run.paymentOrigin ?? overrides['PAYMENT_ORIGIN'] ?? besides(providerOrigin)
  const loopback = [portalOrigin, providerOrigin].every(isLoopback)
  const isDemo = run.isDemo ?? loopback
  return {
    ...secrets,
    PORTAL_ORIGIN: portalOrigin,
    PROVIDER_ORIGIN: providerOrigin,
    PAYMENT_ORIGIN: paymentOrigin,
    OWN_DOMAIN: overrides['OWN_DOMAIN'] ?? (loopback ? BRAND_DOMAIN : new URL(portalOrigin).hostname),
    PAYMENT_DOMAIN: overrides['PAYMENT_DOMAIN'] ?? paymentDomain(overrides, loopback ? null : paymentOrigin),
    ENVIRONMENT: overrides['ENVIRONMENT'] ?? DEFAULT_ENVIRONMENT,
    BUILD_ID: buildId,
    DEMO: isDemo ? '1' : '0',
    OIDC_ISSUER: overrides['OIDC_ISSUER'] ?? providerOrigin,
    OIDC_CLIENT_ID: overrides['OIDC_CLIENT_ID'] ?? 'porchlight-portal',
    ...(loopback ? { MEDIA_CAP_BYTES: LOCAL_CAP_BYTES, BILLING_GATEWAY: 'embedded' } : {}),
    ...(isDemo ? selectUnset(DEMO_MEASURING, overrides) : {}),
    ...selectOptions(overrides),
  }
}

/** Analytics settings of local runs and previews, which send to their own sinks (OPEN-165). */
const DEMO_MEASURING = { REVENUE_TOKEN: LOCAL_REVENUE_TOKEN, EXPERIMENT: SAMPLE_EXPERIMENT }

/**
 * Returns the defaults of all settings that `environment` does not contain. An empty value there turns a setting off.
 */
const selectUnset = (defaults: Record<string, string>, environment: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(Object.entries(defaults).filter(([name]) => environment[name] === undefined))

export const STRIPE_DOMAIN = 'checkout.stripe.com'

/**
 * Returns the domain that redirects to the card page may use. `own`: origin of the portal's own card page; null on
 * loopback, where redirects are checked by origin instead.
 */
function paymentDomain(overrides: NodeJS.ProcessEnv, own: string | null): string {
  if (overrides['BILLING_GATEWAY'] === 'stripe') return STRIPE_DOMAIN
  return own === null ? 'pay.example' : new URL(own).hostname
}

export const isLoopback = (origin: string): boolean => /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(origin)

/** Returns the card page's default origin: a separate host name, or a port on loopback. */
function besides(providerOrigin: string): string {
  const url = new URL(providerOrigin)
  if (isLoopback(providerOrigin)) url.port = String(Number(url.port || (url.protocol === 'https:' ? 443 : 80)) + 1)
  else url.hostname = `pay.${url.hostname}`
  return url.origin
}

/** Storage limit for clips and images on one machine; the oldest clips are deleted first. */
const LOCAL_CAP_BYTES = '2000000000'

/** Optional settings of a run (docs/operations.md, Settings). */
const OPTIONS: readonly string[] = [
  'OIDC_CLIENT_SECRET' satisfies MadeName,
  ...namesWhere((row) => row.optional === true),
  ...(Object.keys(ENDPOINT_GROUPS) as GroupName[]).map(hostBinding),
]

function selectOptions(environment: NodeJS.ProcessEnv): Record<string, string> {
  const pairs = Object.entries(environment).filter(([name, value]) => OPTIONS.includes(name) && value)
  return Object.fromEntries(pairs) as Record<string, string>
}
