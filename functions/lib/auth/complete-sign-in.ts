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

/** Who signed in. */
export interface Identity {
  readonly userId: string
  /** An address or a name to show. Unless it is confirmed it may serve nothing else (OPEN-181). */
  readonly email: string
  /** True for the address of one of our own accounts, and for one that the issuer marks `email_verified`. */
  readonly isEmailConfirmed: boolean
}

/** A sign-in that the provider has answered, before there is a session of it. */
export interface SignIn {
  readonly tokens: Tokens
  readonly identity: Identity
}

/** Claims by which people are shown, the best first; the issuer need not have any. */
const SHOWN_CLAIMS = ['email', 'preferred_username']
/** Longest address or name that is shown, in characters. */
const SHOWN_MAX = 254

const claims = v.looseObject({ iss: v.string(), sub: v.string() })

/**
 * Exchanges the code of the callback's query `search` for tokens, asks who it is, and hands both to `open`. Throws what
 * openid-client and `open` throw; the tokens of a sign-in that comes to nothing are revoked.
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
): Promise<Identity> {
  const idToken = v.parse(claims, rawClaims)
  const { iss, sub } = idToken
  const userInfoClaims = await userInfo(found, tokens.access, sub, findDisplayName(settings, [idToken]) !== null)
  const sources = [userInfoClaims, idToken]
  const email = findDisplayName(settings, sources) ?? sub
  const isEmailConfirmed = settings.embedded || isVerified(sources, email)
  return { userId: await resolveUserId(settings, iss, sub), email, isEmailConfirmed }
}

type Claims = Readonly<Record<string, unknown>>

/** Returns whether the first source that states this address says that the issuer has verified it. */
const isVerified = (sources: readonly Claims[], address: string): boolean =>
  sources.find(({ email }) => email === address)?.['email_verified'] === true

/** The address or name by which `sources` say to show somebody, the first source first; null where none has one. */
function findDisplayName({ emailClaim }: Settings, sources: readonly Claims[]): string | null {
  const names = [emailClaim ?? [], SHOWN_CLAIMS].flat()
  const values = names.flatMap((name) => sources.map((source) => source[name]))
  const displayName = values.find((value) => typeof value === 'string' && value.trim() !== '') as string | undefined
  return displayName?.trim().slice(0, SHOWN_MAX) ?? null
}

/**
 * What the provider's user info says. Nothing where it has none, it is optional in OpenID Connect, and where it does not answer
 * although the ID token says `enough`. One that speaks of somebody else throws.
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
 * An account is (issuer, subject). The embedded provider's subjects are the ids of its accounts; those of any other issuer are
 * known by the hash of both, so that no subject and no claim of theirs can be the id of an account here.
 */
async function resolveUserId({ embedded }: Settings, iss: string, sub: string): Promise<string> {
  if (embedded && v.is(id, sub)) return sub
  const hash = await crypto.subtle.digest('SHA-256', utf8(JSON.stringify([iss, sub])))
  return `acct_${toHex(new Uint8Array(hash)).slice(0, 40)}`
}
