import * as oidc from 'openid-client'
import * as v from 'valibot'
import { id } from '../../../contract/wire/envelope.ts'
import { explainFailure } from '../../../contract/auth/issuer-failure.ts'
import { toHex, utf8 } from '../byte-encoding.ts'
import { callbackUrl, provider, tokenExtras } from './oidc-client.ts'
import type { Settings } from '../settings.ts'
import { forUserInfo } from './issuer.ts'
import { revoke, toTokens, type Tokens } from './tokens.ts'
import type { Transaction } from './pending-authorizations.ts'

export interface UserIdentity {
  readonly userId: string
  /** Email address or name to display. Unless it is confirmed, it must serve no other purpose (OPEN-181). */
  readonly email: string
  /** True for accounts of the embedded provider, and if the issuer marks the address `email_verified`. */
  readonly isEmailConfirmed: boolean
}

/** Sign-in that the provider has completed, but for which no session exists yet. */
export interface SignIn {
  readonly tokens: Tokens
  readonly identity: UserIdentity
}

/** Claims used as display name, best first; an issuer may have none of them. */
const SHOWN_CLAIMS = ['email', 'preferred_username']
/** Maximum length of the display name, in characters. */
const SHOWN_MAX = 254

const claims = v.looseObject({ iss: v.string(), sub: v.string() })

/**
 * Exchanges the code in the callback's query `search` for tokens, resolves the identity and passes both to `open`.
 * Throws errors of openid-client and `open`; revokes the tokens if the sign-in fails.
 */
export async function exchange<T>(
  settings: Settings,
  search: string,
  pending: Transaction,
  now: () => number,
  open: (signIn: SignIn) => Promise<T>,
): Promise<T> {
  const found = await provider(settings, now())
  const url = new URL(callbackUrl(settings) + search)
  const checks: oidc.AuthorizationCodeGrantChecks = {
    pkceCodeVerifier: pending.verifier,
    expectedNonce: pending.nonce,
    expectedState: pending.state === '' ? oidc.skipStateCheck : pending.state,
    idTokenExpected: true,
  }
  const answer = await oidc.authorizationCodeGrant(found, url, checks, tokenExtras(settings))
  const tokens = toTokens(answer, now())
  try {
    return await open({ tokens, identity: await resolveIdentity(settings, found, tokens, answer.claims()) })
  } catch (error) {
    await revoke(found, tokens).catch(() => console.error('The tokens of a failed sign-in could not be revoked.'))
    throw error
  }
}

async function resolveIdentity(
  settings: Settings,
  found: oidc.Configuration,
  tokens: Tokens,
  rawClaims: unknown,
): Promise<UserIdentity> {
  const idToken = v.parse(claims, rawClaims)
  const { iss, sub } = idToken
  const userInfoClaims = await userInfo(found, tokens.access, sub, findDisplayName(settings, [idToken]) !== null)
  const sources = [userInfoClaims, idToken]
  const email = findDisplayName(settings, sources) ?? sub
  const isEmailConfirmed = settings.embedded || isVerified(sources, email)
  return { userId: await resolveUserId(settings, iss, sub), email, isEmailConfirmed }
}

type Claims = Readonly<Record<string, unknown>>

/** Returns true if the first source with this email address marks it as verified by the issuer. */
const isVerified = (sources: readonly Claims[], address: string): boolean =>
  sources.find(({ email }) => email === address)?.['email_verified'] === true

/** Returns the display name: the best claim, from the first source that has it; null if there is none. */
function findDisplayName({ emailClaim }: Settings, sources: readonly Claims[]): string | null {
  const names = [emailClaim ?? [], SHOWN_CLAIMS].flat()
  const values = names.flatMap((name) => sources.map((source) => source[name]))
  const displayName = values.find((value) => typeof value === 'string' && value.trim() !== '') as string | undefined
  return displayName?.trim().slice(0, SHOWN_MAX) ?? null
}

/**
 * Reads the user info endpoint. Returns {} if the provider has no such endpoint (it is optional in OpenID Connect), or
 * if the request fails and the ID token contains `enough`. Throws if the response is about another subject.
 */
async function userInfo(found: oidc.Configuration, token: string, sub: string, enough: boolean) {
  if (!found.serverMetadata().userinfo_endpoint) return {}
  try {
    return await oidc.fetchUserInfo(forUserInfo(found), token, sub)
  } catch (error) {
    if (!enough || isMismatch(error)) throw error
    console.error(`The ID token is used without user info: ${explainFailure(error)}`)
    return {}
  }
}

const isMismatch = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED'

/**
 * Returns the account id for an issuer and a subject. Subjects of the embedded provider are account ids. For other
 * issuers the id is a hash of both, so that none of their subjects or claims can equal an account id here.
 */
async function resolveUserId({ embedded }: Settings, iss: string, sub: string): Promise<string> {
  if (embedded && v.is(id, sub)) return sub
  const hash = await crypto.subtle.digest('SHA-256', utf8(JSON.stringify([iss, sub])))
  return `acct_${toHex(new Uint8Array(hash)).slice(0, 40)}`
}
