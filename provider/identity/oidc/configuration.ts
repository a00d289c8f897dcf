import {
  interactionPolicy,
  type ClientMetadata,
  type Configuration,
  type JWKS,
  type KoaContextWithOIDC,
} from 'oidc-provider'
import { OAUTH_SCOPES } from '../../../contract/wire/constants.ts'
import type { Env } from '../../env.ts'
import { findAccountById, maySignIn } from '../../accounts/account-rows.ts'
import { cookieKeys } from '../../platform/crypto/rotating-keys.ts'
import { D1Adapter } from './d1-adapter.ts'
import { cookieNames, cookieSigner } from './cookies.ts'
import { renderError } from '../pages/error-page.ts'
import { signInPath } from '../sign-in/sign-in-path.ts'
import { createSignUpUrl } from '../sign-up/sign-up-path.ts'
import { isSignUpOpen } from '../../accounts/invitations/sign-up-policy.ts'

const MINUTE_S = 60
const DAY_S = 24 * 60 * MINUTE_S
/** Idle timeout of a sign-in in seconds (OPEN-18). */
export const IDLE_TIMEOUT_S = 14 * DAY_S
const ABSOLUTE_LIFETIME_S = 30 * DAY_S

/**
 * Returns the remaining lifetime of a sign-in in seconds: the idle timeout, limited by the absolute lifetime (OPEN-18).
 * Parameters in seconds UTC.
 */
function remainingLifetimeS(startedAt: number, now: number): number {
  return Math.max(1, Math.min(IDLE_TIMEOUT_S, startedAt + ABSOLUTE_LIFETIME_S - now))
}
const nowSeconds = () => Math.floor(Date.now() / 1000)

/**
 * Lifetimes in seconds (OPEN-18). The absolute lifetime of a refresh token starts with the first token of its family,
 * and the absolute lifetime of an SSO session starts with the last sign-in. A grant ends with its newest refresh token
 * (d1-adapter.ts).
 */
const ttl = {
  AccessToken: 60 * MINUTE_S,
  AuthorizationCode: MINUTE_S,
  IdToken: 60 * MINUTE_S,
  Interaction: 30 * MINUTE_S,
  RefreshToken: (_ctx: unknown, token: { iiat?: number | undefined }) =>
    remainingLifetimeS(token.iiat ?? nowSeconds(), nowSeconds()),
  Grant: IDLE_TIMEOUT_S,
  Session: (_ctx: unknown, session: { loginTs?: number | undefined }) =>
    remainingLifetimeS(session.loginTs ?? nowSeconds(), nowSeconds()),
}

/**
 * Grants the portal access without consent, because the same operator runs the portal and the provider. Each
 * authorization gets its own grant, so that ending one portal session does not affect others.
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
  const account = await findAccountById(env.DB, userId)
  if (account === null || !maySignIn(account, env)) return undefined
  return { accountId: account.userId, claims: () => ({ sub: account.userId, email: account.email }) }
}

function clientMetadata(env: Env, keys: JWKS): ClientMetadata {
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

/** Prompt of an authorization request with which the portal opens the form for a new account. */
const SIGN_UP_PROMPT = 'create'

function createInteractionPolicy() {
  const policy = interactionPolicy.base()
  policy.get('login')?.checks.add(
    // The account of the session was deleted or may not sign in.
    new interactionPolicy.Check('no_account', 'End-User authentication is required', ({ oidc }) =>
      oidc.session?.accountId !== undefined && oidc.account === undefined
        ? interactionPolicy.Check.REQUEST_PROMPT
        : interactionPolicy.Check.NO_NEED_TO_PROMPT,
    ),
  )
  policy.add(new interactionPolicy.Prompt({ name: SIGN_UP_PROMPT, requestable: true }), 0)
  return policy
}

/**
 * Returns the oidc-provider configuration: one confidential client, code flow with PKCE, opaque tokens, custom sign-in
 * page.
 */
export function createOidcConfiguration(env: Env): Configuration {
  const names = cookieNames(env.PROVIDER_ORIGIN)
  const jwks = JSON.parse(atob(env.PROVIDER_JWKS)) as JWKS
  return {
    adapter: (model: string) => new D1Adapter(env, model),
    jwks,
    clients: [clientMetadata(env, jwks)],
    clientAuthMethods: ['client_secret_basic'],
    responseTypes: ['code'],
    scopes: [...OAUTH_SCOPES],
    claims: { openid: ['sub'], email: ['email'] },
    // Puts the email into the ID token, so that a signed-in page needs no further request.
    conformIdTokenClaims: false,
    extraParams: ['kount_session_id'],
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: () => Promise.resolve(true),
    // Keeps tokens valid until sign-out or expiry. The portal session must not end if the browser loses the provider's
    // cookie.
    expiresWithSession: () => Promise.resolve(false),
    ttl,
    findAccount: (_ctx, userId) => findAccount(env, userId),
    loadExistingGrant,
    interactions: {
      policy: createInteractionPolicy(),
      // The portal sends the requested page as `state`.
      url: (_ctx, { uid, prompt, params }) =>
        prompt.name === SIGN_UP_PROMPT ? createSignUpUrl(String(params['state'] ?? '')) : signInPath(uid),
    },
    discovery: { prompt_values_supported: ['none', 'login', ...(isSignUpOpen(env) ? [SIGN_UP_PROMPT] : [])] },
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
