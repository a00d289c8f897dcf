import { isJurisdictionSetting } from '../../contract/jurisdiction.ts'
import { SESSION_IDLE_TIMEOUT_S, SESSION_LIFETIME_S } from '../../contract/auth/user-calls.ts'
import { OAUTH_SCOPES } from '../../contract/wire/constants.ts'
import { ENDPOINT_GROUPS, BRANDED_HEADER, getHostBinding, type GroupName } from '../../contract/wire/endpoint-groups.ts'
import {
  getMinValueLength,
  listRequiredNames,
  type EnvironmentOf,
  type OptionalName,
} from '../../contract/environment.ts'
import { SAMPLE_RATE_MAX } from '../../contract/telemetry/browser-hash.ts'
import { REVENUE_TOKEN_FORMAT } from '../../contract/telemetry/visits.ts'

/** Bindings of wrangler.toml as the runtime passes them; `readSettings` validates the values. */
export type Bindings = Partial<Record<string, unknown>> & Pick<PortalBindings, 'SESSIONS' | 'SESSION_LISTS'>

/** Validated environment. Origins have no trailing slash; times in ms. */
export interface Settings extends EnvironmentOf<'portal'> {
  readonly hosts: Readonly<Record<GroupName, string>>
  readonly brandedHeader: string
  readonly appId: string
  readonly upstreamTimeoutMs: number
  /** Idle timeout of a session (OPEN-18: 14 days). */
  readonly sessionIdleMs: number
  /** Absolute lifetime of a session (OPEN-18: 30 days). */
  readonly sessionLifeMs: number
  /** Cookie keys: the current key, which encrypts new cookies, then the previous key if there is one. */
  readonly cookieKeys: readonly string[]
  /** True if the same provider signs people in and serves the calls. */
  readonly embedded: boolean
  /**
   * True if the host of user calls accepts the issuer's tokens: with the embedded provider, or if user calls have their
   * own host.
   */
  readonly servesUserCalls: boolean
  /**
   * True if the call `callSantaRefresh` refreshes the tokens, because the issuer has no standard refresh grant
   * (OPEN-10).
   */
  readonly renewsByCall: boolean
  /** OAuth scope (AUTH-19). An external issuer may need another scope, such as `openid email offline_access`. */
  readonly scope: string
  /** Claim that takes precedence over `email` as the display name; null: none. */
  readonly emailClaim: string | null
  /** Extra authorization parameters that the issuer needs: `prompt`, `resource`, `audience`. */
  readonly authorizeExtras: Readonly<Record<string, string>>
  /** Resource of the access tokens (RFC 8707); null: the issuer's default. */
  readonly resource: string | null
  /** DSN of an external collector of error reports; null: the provider stores the reports. */
  readonly errorDsn: string | null
  /** Key of the only experiment; '' without one. */
  readonly experimentKey: string
  /** 1 in `analyticsSampleRate` browsers sends frequent events to the sink; 1: all browsers. */
  readonly analyticsSampleRate: number
  /** External analytics service; null: events go to the provider. */
  readonly analytics: ExternalService | null
  /** External experiment service; null: the edge assigns the variants. */
  readonly experiment: ExternalService | null
  /** Token with which a page reports the visit of a signed-in account; null: visits are not reported. */
  readonly revenueToken: string | null
}

/** External service: URL without a trailing slash, and the portal's API key. */
export interface ExternalService {
  readonly endpoint: string
  readonly key: string
}

/** Returns the URL at which this Worker reaches `url`, which may be a public URL of the provider. */
export function toReachableUrl(settings: Settings, url: string): string {
  const { PROVIDER_ORIGIN: origin, PROVIDER_INTERNAL_ORIGIN: internalOrigin } = settings
  return internalOrigin && url.startsWith(`${origin}/`) ? internalOrigin + url.slice(origin.length) : url
}

const ORIGIN_NAMES = ['PORTAL_ORIGIN', 'PROVIDER_ORIGIN'] as const
const UPSTREAM_TIMEOUT_MS = 30_000

export type SettingsResult = { ok: true; settings: Settings } | { ok: false; problem: string }

const resultCache = new WeakMap<object, SettingsResult>()

/**
 * Returns the settings of this deployment, or a sentence that explains why they are invalid. Validates them once per
 * isolate.
 */
export function readSettings(bindings: Bindings): SettingsResult {
  const cached = resultCache.get(bindings)
  if (cached) return cached
  const result = buildSettings(bindings)
  resultCache.set(bindings, result)
  return result
}

function buildSettings(bindings: Bindings): SettingsResult {
  const problem = findProblem(bindings)
  if (problem) return { ok: false, problem }
  const variables = bindings as unknown as EnvironmentOf<'portal'>
  const isProviderEmbedded = new URL(variables.OIDC_ISSUER).origin === variables.PROVIDER_ORIGIN
  return {
    ok: true,
    settings: {
      ...variables,
      hosts: readHosts(bindings, variables.PROVIDER_ORIGIN),
      brandedHeader: readOptional(bindings, 'BRANDED_HEADER') ?? BRANDED_HEADER,
      appId: readOptional(bindings, 'APP_ID') ?? 'porchlight-web',
      upstreamTimeoutMs: readMilliseconds(bindings, 'UPSTREAM_TIMEOUT_MS', UPSTREAM_TIMEOUT_MS),
      sessionIdleMs: readMilliseconds(bindings, 'SESSION_IDLE_MS', SESSION_IDLE_TIMEOUT_S * 1000),
      sessionLifeMs: readMilliseconds(bindings, 'SESSION_LIFE_MS', SESSION_LIFETIME_S * 1000),
      cookieKeys: [variables.COOKIE_KEY, readOptional(bindings, 'COOKIE_KEY_OLD') ?? []].flat(),
      embedded: isProviderEmbedded,
      servesUserCalls: isProviderEmbedded || readOptional(bindings, getHostBinding('web-backend')) !== undefined,
      renewsByCall: readOptional(bindings, 'OIDC_REFRESH') === 'santa',
      scope: readOptional(bindings, 'OIDC_SCOPE') ?? OAUTH_SCOPES.join(' '),
      emailClaim: readOptional(bindings, 'OIDC_EMAIL_CLAIM') ?? null,
      authorizeExtras: readAuthorizationExtras(bindings),
      resource: readOptional(bindings, 'OIDC_RESOURCE') ?? null,
      errorDsn: readOptional(bindings, 'SENTRY_DSN') ?? null,
      experimentKey: readOptional(bindings, 'EXPERIMENT') ?? '',
      analyticsSampleRate: Number(readOptional(bindings, 'ANALYTICS_SAMPLE') ?? 1),
      analytics: readService(bindings, 'ANALYTICS'),
      experiment: readService(bindings, 'EXPERIMENT'),
      revenueToken: readOptional(bindings, 'REVENUE_TOKEN') ?? null,
    },
  }
}

function findProblem(bindings: Bindings): string | null {
  for (const name of listRequiredNames('portal')) {
    const length = getMinValueLength(name)
    const value = bindings[name]
    if (typeof value !== 'string' || value === '')
      return `The binding ${name} is missing. Run \`npm start\` to add it to secrets.env, or pass that file to the Worker with --env-file.`
    if (value.length < length)
      return `The binding ${name} is shorter than ${length} characters. Use a longer random value in secrets.env.`
  }
  for (const name of ORIGIN_NAMES) {
    const value = String(bindings[name])
    if (!URL.canParse(value) || new URL(value).origin !== value)
      return `The binding ${name} must be an origin such as https://portal.example, without a trailing slash. Correct the value in secrets.env.`
  }
  const previousCookieKey = readOptional(bindings, 'COOKIE_KEY_OLD')
  if (previousCookieKey !== undefined && previousCookieKey.length < getMinValueLength('COOKIE_KEY_OLD'))
    return 'The binding COOKIE_KEY_OLD is incomplete. Restore or remove it. If you remove it, people who haven’t visited since the last rotation must log in again.'
  if (!/^([a-z\d]+(-[a-z\d]+)*)?$/.test(readOptional(bindings, 'EXPERIMENT') ?? ''))
    return 'The binding EXPERIMENT isn’t a valid key. Use lowercase letters and digits with single hyphens between them.'
  if (!REVENUE_TOKEN_FORMAT.test(readOptional(bindings, 'REVENUE_TOKEN') ?? 'none'))
    return 'The binding REVENUE_TOKEN isn’t a valid token. Use up to 64 letters, digits, and hyphens.'
  if (!['', 'amplitude'].includes(readOptional(bindings, 'ANALYTICS_LIBRARY') ?? ''))
    return 'The binding ANALYTICS_LIBRARY isn’t valid. Set it to amplitude, or remove it.'
  if (!isJurisdictionSetting(readOptional(bindings, 'JURISDICTION')))
    return 'The binding JURISDICTION isn’t valid. Set it to eu, or remove it.'
  if (!isSampleRate(readOptional(bindings, 'ANALYTICS_SAMPLE') ?? '1'))
    return `The binding ANALYTICS_SAMPLE isn’t valid. Set it to a whole number from 1 to ${SAMPLE_RATE_MAX}.`
  for (const name of ['ANALYTICS_ENDPOINT', 'EXPERIMENT_ENDPOINT'] as const)
    if (
      !/^https?:/.test(readOptional(bindings, name) ?? 'https:') ||
      !URL.canParse(readOptional(bindings, name) ?? 'https://a')
    )
      return `The binding ${name} isn’t a URL such as https://service.example/path.`
  if (!URL.canParse(String(bindings['OIDC_ISSUER'])))
    return 'The binding OIDC_ISSUER isn’t a URL. Use the issuer exactly as it appears in the provider’s discovery document.'
  return null
}

function readHosts(bindings: Bindings, providerOrigin: string): Record<GroupName, string> {
  const names = Object.keys(ENDPOINT_GROUPS) as GroupName[]
  const hosts = names.map((name) => [name, readOptional(bindings, getHostBinding(name)) ?? providerOrigin] as const)
  return Object.fromEntries(hosts) as Record<GroupName, string>
}

function readAuthorizationExtras(bindings: Bindings): Record<string, string> {
  const names = { prompt: 'OIDC_PROMPT', resource: 'OIDC_RESOURCE', audience: 'OIDC_AUDIENCE' } as const
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, binding]) => {
      const value = readOptional(bindings, binding)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

function readService(bindings: Bindings, name: 'ANALYTICS' | 'EXPERIMENT'): ExternalService | null {
  const endpoint = readOptional(bindings, `${name}_ENDPOINT`)?.replace(/\/$/, '')
  return endpoint === undefined ? null : { endpoint, key: readOptional(bindings, `${name}_KEY`) ?? '' }
}

const isSampleRate = (text: string) => /^[1-9]\d*$/.test(text) && Number(text) <= SAMPLE_RATE_MAX

function readMilliseconds(bindings: Bindings, name: OptionalName, defaultMs: number): number {
  const value = Number(bindings[name] ?? defaultMs)
  return value > 0 ? value : defaultMs
}

function readOptional(bindings: Bindings, name: OptionalName | `HOST_${string}`): string | undefined {
  const value = bindings[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
