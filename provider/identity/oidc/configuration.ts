import type { ClientMetadata, Configuration, JWKS, KoaContextWithOIDC } from 'oidc-provider'
import { OAUTH_SCOPES } from '../../../contract/wire/constants.ts'
import type { Env } from '../../env.ts'
import { accountById } from '../../accounts/account-rows.ts'
import { cookieKeys } from '../../platform/crypto/rotating-keys.ts'
import { D1Adapter } from './d1-adapter.ts'
import { cookieNames, cookieSigner } from './cookies.ts'
import { renderError } from '../pages/error-page.ts'
import { signInPath } from '../sign-in/sign-in-path.ts'

const MINUTE = 60
const DAY = 24 * 60 * MINUTE
/** Idle timeout of a sign-in (OPEN-18), s. */
export const IDLE_TIMEOUT_S = 14 * DAY
const LIFE = 30 * DAY

/**
 * Returns the seconds left at `now`: the idle timeout, capped by the absolute lifetime from `since` (seconds UTC,
 * OPEN-18).
 */
function remainingLifetimeS(since: number, now: number): number {
  return Math.max(1, Math.min(IDLE_TIMEOUT_S, since + LIFE - now))
}
const epoch = () => Math.floor(Date.now() / 1000)

/**
 * OPEN-18: sliding expiry is limited by the absolute lifetime. A refresh token's lifetime starts with the first token
 * of its family, a grant ends with its newest refresh token (d1-adapter.ts), and the SSO session's lifetime starts with
 * the last password entry.
 */
const ttl = {
  AccessToken: 60 * MINUTE,
  AuthorizationCode: MINUTE,
  IdToken: 60 * MINUTE,
  Interaction: 30 * MINUTE,
  RefreshToken: (_ctx: unknown, token: { iiat?: number | undefined }) =>
    remainingLifetimeS(token.iiat ?? epoch(), epoch()),
  Grant: IDLE_TIMEOUT_S,
  Session: (_ctx: unknown, session: { loginTs?: number | undefined }) =>
    remainingLifetimeS(session.loginTs ?? epoch(), epoch()),
}

/**
 * Grants the first-party portal without consent. Each authorization has its own grant, so that ending one portal
 * session leaves the others alone.
 */
async function loadExistingGrant(ctx: KoaContextWithOIDC) {
  const { account, client, provider, params } = ctx.oidc
  if (!account || !client) return undefined
  const grant = new provider.Grant({ accountId: account.accountId, clientId: client.clientId })
  grant.addOIDCScope(String(params?.scope ?? 'openid'))
  await grant.save()
  return grant
}

async function findAccount(env: Env, userId: string) {
  const account = await accountById(env.DB, userId)
  if (account === null) return undefined
  return { accountId: account.userId, claims: () => ({ sub: account.userId, email: account.email }) }
}

function client(env: Env, keys: JWKS): ClientMetadata {
  const alg = keys.keys[0]?.alg
  return {
    client_id: env.OIDC_CLIENT_ID,
    client_secret: env.OIDC_CLIENT_SECRET,
    redirect_uris: [`${env.PORTAL_ORIGIN}/api/auth/callback`],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'client_secret_basic',
    ...(alg === 'ES256' || alg === 'RS256' ? { id_token_signed_response_alg: alg } : {}),
  }
}

/** oidc-provider configuration: one confidential client, code flow with PKCE, opaque tokens, custom sign-in page. */
export function configuration(env: Env): Configuration {
  const names = cookieNames(env.PROVIDER_ORIGIN)
  const jwks = JSON.parse(atob(env.PROVIDER_JWKS)) as JWKS
  return {
    adapter: (model: string) => new D1Adapter(env.DB, model),
    jwks,
    clients: [client(env, jwks)],
    clientAuthMethods: ['client_secret_basic'],
    responseTypes: ['code'],
    scopes: [...OAUTH_SCOPES],
    claims: { openid: ['sub'], email: ['email'] },
    // The ID token includes the email, so that a signed-in page needs no further request.
    conformIdTokenClaims: false,
    extraParams: ['kount_session_id'],
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: () => Promise.resolve(true),
    // Tokens end by sign-out or expiry; losing the provider's cookie must not end the portal's session.
    expiresWithSession: () => Promise.resolve(false),
    ttl,
    findAccount: (_ctx, userId) => findAccount(env, userId),
    loadExistingGrant,
    interactions: { url: (_ctx, interaction) => signInPath(interaction.uid) },
    renderError: (ctx, out) => renderError(ctx, out, env.PORTAL_ORIGIN),
    cookies: {
      keys: cookieSigner(cookieKeys(env)),
      names: { session: names.session, interaction: names.interaction, resume: names.resume },
    },
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      userinfo: '/oauth/userinfo',
      jwks: '/oauth/jwks',
      revocation: '/oauth/revocation',
      end_session: '/oauth/session/end',
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      revocation: { enabled: true },
    },
  }
}
