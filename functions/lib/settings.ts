import { SESSION_IDLE_S, SESSION_LIFE_S } from '../../contract/auth/user-calls.ts'
import { OAUTH_SCOPES } from '../../contract/wire/constants.ts'
import { ENDPOINT_GROUPS, BRANDED_HEADER, hostBinding, type GroupName } from '../../contract/wire/endpoint-groups.ts'
import { minValueLength, listRequiredNames, type EnvironmentOf, type OptionalName } from '../../contract/environment.ts'
import { REVENUE_TOKEN } from '../../contract/telemetry/visits.ts'

/** Bindings of wrangler.toml, as the runtime passes them: `readSettings` checks the values. */
export type Bindings = Partial<Record<string, unknown>> & Pick<PortalBindings, 'SESSIONS' | 'SESSION_LISTS'>

/** The checked environment. Origins have no trailing slash; times in ms. */
export interface Settings extends EnvironmentOf<'portal'> {
  /** Where each endpoint group lives. */
  readonly hosts: Readonly<Record<GroupName, string>>
  readonly brandedHeader: string
  readonly appId: string
  readonly upstreamTimeoutMs: number
  /** A session that nobody uses for this long ends (OPEN-18: 14 days). */
  readonly sessionIdleMs: number
  /** A session ends this long after its sign-in, however much it is used (OPEN-18: 30 days). */
  readonly sessionLifeMs: number
  /** Keys of the cookies: the newest, which writes, and the one before it where there is one. */
  readonly cookieKeys: readonly string[]
  /** Whether the provider that signs people in is the one that serves the calls. */
  readonly embedded: boolean
  /** Whether the calls about the signed-in user are answered for its tokens: by the embedded provider, or at a host of its own. */
  readonly servesUserCalls: boolean
  /** Whether tokens are renewed by the provider's own call, because it has no standard grant for that (OPEN-10). */
  readonly renewsByCall: boolean
  /** What a sign-in asks for (AUTH-19); other issuers may want other words, such as `openid email offline_access`. */
  readonly scope: string
  /** Claim by which people are shown, before `email`; null: none. */
  readonly emailClaim: string | null
  /** What else a sign-in says where the issuer wants it, by the parameter's name: `prompt`, `resource`, `audience`. */
  readonly authorizeExtras: Readonly<Record<string, string>>
  /** The resource that access tokens are for (RFC 8707); null: the issuer's usual one. */
  readonly resource: string | null
  /** Address of an outside collector of error reports; null: they go to the provider's own sink. */
  readonly errorDsn: string | null
  /** Key of the one experiment, '' without one. */
  readonly experimentKey: string
  /** A service that events go to; null: they go to the provider. */
  readonly analytics: Service | null
  /** A service that is asked about experiments; null: the edge answers. */
  readonly experiment: Service | null
  /** What a page says when it tells of a signed-in person; null: nothing is told. */
  readonly revenueToken: string | null
}

/** A configured service: its address without a slash at its end, and the key that it knows the portal by. */
export interface Service {
  readonly endpoint: string
  readonly key: string
}

const ORIGINS = ['PORTAL_ORIGIN', 'PROVIDER_ORIGIN'] as const
const UPSTREAM_TIMEOUT_MS = 30_000

export type SettingsResult = { ok: true; settings: Settings } | { ok: false; problem: string }

const checked = new WeakMap<object, SettingsResult>()

/** The settings of this deployment, checked once per isolate; or the sentence that says what is missing. */
export function readSettings(bindings: Bindings): SettingsResult {
  const cached = checked.get(bindings)
  if (cached) return cached
  const result = check(bindings)
  checked.set(bindings, result)
  return result
}

function check(bindings: Bindings): SettingsResult {
  const problem = findProblem(bindings)
  if (problem) return { ok: false, problem }
  const texts = bindings as unknown as EnvironmentOf<'portal'>
  const embedded = new URL(texts.OIDC_ISSUER).origin === texts.PROVIDER_ORIGIN
  return {
    ok: true,
    settings: {
      ...texts,
      hosts: readHosts(bindings, texts.PROVIDER_ORIGIN),
      brandedHeader: optional(bindings, 'BRANDED_HEADER') ?? BRANDED_HEADER,
      appId: optional(bindings, 'APP_ID') ?? 'porchlight-web',
      upstreamTimeoutMs: milliseconds(bindings, 'UPSTREAM_TIMEOUT_MS', UPSTREAM_TIMEOUT_MS),
      sessionIdleMs: milliseconds(bindings, 'SESSION_IDLE_MS', SESSION_IDLE_S * 1000),
      sessionLifeMs: milliseconds(bindings, 'SESSION_LIFE_MS', SESSION_LIFE_S * 1000),
      cookieKeys: [texts.COOKIE_KEY, optional(bindings, 'COOKIE_KEY_OLD') ?? []].flat(),
      embedded,
      servesUserCalls: embedded || optional(bindings, hostBinding('web-backend')) !== undefined,
      renewsByCall: optional(bindings, 'OIDC_REFRESH') === 'santa',
      scope: optional(bindings, 'OIDC_SCOPE') ?? OAUTH_SCOPES.join(' '),
      emailClaim: optional(bindings, 'OIDC_EMAIL_CLAIM') ?? null,
      authorizeExtras: readAuthorizationExtras(bindings),
      resource: optional(bindings, 'OIDC_RESOURCE') ?? null,
      errorDsn: optional(bindings, 'SENTRY_DSN') ?? null,
      experimentKey: optional(bindings, 'EXPERIMENT') ?? '',
      analytics: readService(bindings, 'ANALYTICS'),
      experiment: readService(bindings, 'EXPERIMENT'),
      revenueToken: optional(bindings, 'REVENUE_TOKEN') ?? null,
    },
  }
}

function findProblem(bindings: Bindings): string | null {
  for (const name of listRequiredNames('portal')) {
    const length = minValueLength(name)
    const value = bindings[name]
    const advice =
      'Start with `npm start`, which writes it to secrets.env, or give the Worker that file with --env-file.'
    if (typeof value !== 'string' || value === '') return `The binding ${name} is missing. ${advice}`
    if (value.length < length) return `The binding ${name} is shorter than ${length} characters. ${advice}`
  }
  for (const name of ORIGINS) {
    const value = String(bindings[name])
    if (!URL.canParse(value) || new URL(value).origin !== value)
      return `The binding ${name} is not an origin such as https://portal.example, without a slash at its end. Correct it in secrets.env.`
  }
  const old = optional(bindings, 'COOKIE_KEY_OLD')
  if (old !== undefined && old.length < minValueLength('COOKIE_KEY_OLD'))
    return 'The binding COOKIE_KEY_OLD is cut short. Restore it, or leave it out: then whoever has not come since the last rotation signs in again.'
  if (!/^([a-z\d]+(-[a-z\d]+)*)?$/.test(optional(bindings, 'EXPERIMENT') ?? ''))
    return 'The binding EXPERIMENT is no key: lower-case letters and digits with single hyphens between them.'
  if (!REVENUE_TOKEN.test(optional(bindings, 'REVENUE_TOKEN') ?? 'none'))
    return 'The binding REVENUE_TOKEN is no token: up to 64 letters, digits and hyphens.'
  for (const name of ['ANALYTICS_ENDPOINT', 'EXPERIMENT_ENDPOINT'] as const)
    if (
      !/^https?:/.test(optional(bindings, name) ?? 'https:') ||
      !URL.canParse(optional(bindings, name) ?? 'https://a')
    )
      return `The binding ${name} is not an address such as https://service.example/path.`
  if (!URL.canParse(String(bindings['OIDC_ISSUER'])))
    return 'The binding OIDC_ISSUER is not a URL. Give the issuer of the provider exactly as its discovery document spells it.'
  return null
}

function readHosts(bindings: Bindings, providerOrigin: string): Record<GroupName, string> {
  const names = Object.keys(ENDPOINT_GROUPS) as GroupName[]
  const hosts = names.map((name) => [name, optional(bindings, hostBinding(name)) ?? providerOrigin] as const)
  return Object.fromEntries(hosts) as Record<GroupName, string>
}

function readAuthorizationExtras(bindings: Bindings): Record<string, string> {
  const names = { prompt: 'OIDC_PROMPT', resource: 'OIDC_RESOURCE', audience: 'OIDC_AUDIENCE' } as const
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, binding]) => {
      const value = optional(bindings, binding)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

function readService(bindings: Bindings, name: 'ANALYTICS' | 'EXPERIMENT'): Service | null {
  const endpoint = optional(bindings, `${name}_ENDPOINT`)?.replace(/\/$/, '')
  return endpoint === undefined ? null : { endpoint, key: optional(bindings, `${name}_KEY`) ?? '' }
}

function milliseconds(bindings: Bindings, name: OptionalName, usual: number): number {
  const value = Number(bindings[name] ?? usual)
  return value > 0 ? value : usual
}

function optional(bindings: Bindings, name: OptionalName | `HOST_${string}`): string | undefined {
  const value = bindings[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
