import * as oidc from 'openid-client'
import * as v from 'valibot'
import { id } from '../../../contract/wire/envelope.ts'
import { explainIssuerFailure } from '../../../contract/auth/issuer-failure.ts'
import { toHex, encodeUtf8 } from '../byte-encoding.ts'
import { getCallbackUrl, getIssuerConfiguration, getTokenParameters } from './oidc-client.ts'
import type { Settings } from '../settings.ts'
import { createUserInfoConfiguration } from './issuer.ts'
import { revokeTokens, toTokens, type Tokens } from './tokens.ts'
import type { PendingAuthorization } from './pending-authorizations.ts'

export interface UserIdentity {
  readonly userId: string
  /**
   * Email address or name to display; the subject if the issuer sends neither. An unconfirmed address must not be used
   * for any other purpose (OPEN-181).
   */
  readonly email: string
  /**
   * True for accounts of the embedded provider. For other issuers, true if the issuer marks the address
   * `email_verified`.
   */
  readonly isEmailConfirmed: boolean
}

/** Sign-in that the provider has completed, but for which no session exists yet. */
export interface SignIn {
  readonly tokens: Tokens
  readonly identity: UserIdentity
}

const DISPLAY_NAME_CLAIMS = ['email', 'preferred_username']
const DISPLAY_NAME_MAX = 254

const identityClaims = v.looseObject({ iss: v.string(), sub: v.string() })

/**
 * Completes the sign-in: exchanges the code in the callback query `search` for tokens, resolves the identity and calls
 * `openSession`. If the sign-in fails, revokes the tokens. Throws errors of openid-client and `openSession`.
 */
export async function completeSignIn<T>(
  settings: Settings,
  search: string,
  pending: PendingAuthorization,
  now: () => number,
  openSession: (signIn: SignIn) => Promise<T>,
): Promise<T> {
  const configuration = await getIssuerConfiguration(settings, now())
  const url = new URL(getCallbackUrl(settings) + search)
  const checks: oidc.AuthorizationCodeGrantChecks = {
    pkceCodeVerifier: pending.verifier,
    expectedNonce: pending.nonce,
    expectedState: pending.state === '' ? oidc.skipStateCheck : pending.state,
    idTokenExpected: true,
  }
  const tokenResponse = await oidc.authorizationCodeGrant(configuration, url, checks, getTokenParameters(settings))
  const tokens = toTokens(tokenResponse, now())
  try {
    return await openSession({
      tokens,
      identity: await resolveIdentity(settings, configuration, tokens, tokenResponse.claims()),
    })
  } catch (error) {
    await revokeTokens(configuration, tokens).catch(() =>
      console.error('Couldn’t revoke the tokens of a failed login.'),
    )
    throw error
  }
}

async function resolveIdentity(
  settings: Settings,
  configuration: oidc.Configuration,
  tokens: Tokens,
  rawClaims: unknown,
): Promise<UserIdentity> {
  const idToken = v.parse(identityClaims, rawClaims)
  const { iss, sub } = idToken
  const userInfoClaims = await fetchUserInfoClaims(
    configuration,
    tokens.access,
    sub,
    findDisplayName(settings, [idToken]) !== null,
  )
  const sources = [userInfoClaims, idToken]
  const email = findDisplayName(settings, sources) ?? sub
  const isEmailConfirmed = settings.embedded || isVerified(sources, email)
  return { userId: await resolveUserId(settings, iss, sub), email, isEmailConfirmed }
}

type Claims = Readonly<Record<string, unknown>>

const isVerified = (sources: readonly Claims[], address: string): boolean =>
  sources.find(({ email }) => email === address)?.['email_verified'] === true

/**
 * Returns the most preferred claim that any source contains, from the first source that contains this claim; null if no
 * source contains a display name.
 */
function findDisplayName({ emailClaim }: Settings, sources: readonly Claims[]): string | null {
  const names = [emailClaim ?? [], DISPLAY_NAME_CLAIMS].flat()
  const values = names.flatMap((name) => sources.map((source) => source[name]))
  const displayName = values.find((value) => typeof value === 'string' && value.trim() !== '') as string | undefined
  return displayName?.trim().slice(0, DISPLAY_NAME_MAX) ?? null
}

/**
 * Returns the claims of the user info endpoint; {} if the issuer has no such endpoint. A failed request returns {} if
 * the ID token has a display name, and throws otherwise. Always throws if the response names another subject.
 */
async function fetchUserInfoClaims(
  configuration: oidc.Configuration,
  token: string,
  sub: string,
  hasDisplayName: boolean,
) {
  if (!configuration.serverMetadata().userinfo_endpoint) return {}
  try {
    return await oidc.fetchUserInfo(createUserInfoConfiguration(configuration), token, sub)
  } catch (error) {
    if (!hasDisplayName || isSubjectMismatch(error)) throw error
    console.error(`The user info request failed, so only the ID token is used: ${explainIssuerFailure(error)}`)
    return {}
  }
}

const isSubjectMismatch = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED'

/**
 * Returns the account id of an issuer's subject. For the embedded provider, it is the subject. For other issuers, it is
 * a hash of issuer and subject, so that it cannot equal the id of another account.
 */
async function resolveUserId({ embedded }: Settings, iss: string, sub: string): Promise<string> {
  if (embedded && v.is(id, sub)) return sub
  const hash = await crypto.subtle.digest('SHA-256', encodeUtf8(JSON.stringify([iss, sub])))
  return `acct_${toHex(new Uint8Array(hash)).slice(0, 40)}`
}
