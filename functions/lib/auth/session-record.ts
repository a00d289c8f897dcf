import * as v from 'valibot'
import { fromBase64Url } from '../byte-encoding.ts'
import type { Settings } from '../settings.ts'
import { isSameIssuer } from './issuer.ts'
import { parseJson } from '../parse-json.ts'
import type { UserIdentity } from './complete-sign-in.ts'
import type { Tokens } from './tokens.ts'

/** Stored data of a session. Times in ms UTC. */
export interface SessionRecord extends UserIdentity {
  readonly tokens: Tokens
  readonly generation: number
  readonly handle: string
  /** Time of the last use. It is too old by at most ten minutes, or 1/30 of the idle timeout if that is less. */
  readonly usedAt: number
  readonly startedAt: number
  /** Issuer of the sign-in; '' if unknown, which makes the session invalid. */
  readonly issuer: string
  readonly isListed: boolean
}

/**
 * Session data that the edge needs to serve a request. `handle` is the `web_app_token` of the token generation
 * (OPEN-19).
 */
export interface SessionView extends UserIdentity {
  readonly accessToken: string
  readonly expiresAt: number
  readonly handle: string
  /** Absolute end of the session, ms UTC. */
  readonly endsAt: number
  readonly isListed: boolean
}

/** Times of a session in the account's list of sessions, ms UTC. */
export interface SessionTimes extends Pick<SessionRecord, 'startedAt' | 'usedAt'> {
  /** Time at which the session ends if it is not used again. */
  readonly endsAt: number
}

/** Result of a token refresh. `down`: the issuer could not be reached, so the tokens stay as they are. */
export type RefreshResult = { kind: 'current'; view: SessionView } | { kind: 'ended' } | { kind: 'down' }

/** An access token that expires within this time is refreshed before it is used. */
export const EXPIRY_MARGIN_MS = 10_000

/** Session record as stored; earlier versions lack the fields of `AddedField`. */
export type StoredSessionRecord = Omit<SessionRecord, AddedField> & Partial<Pick<SessionRecord, AddedField>>
type AddedField = 'startedAt' | 'issuer' | 'isListed' | 'isEmailConfirmed'

type SessionRules = Pick<Settings, 'OIDC_ISSUER' | 'embedded' | 'renewsByCall' | 'sessionIdleMs' | 'sessionLifeMs'>

/**
 * Upgrades a stored record of any version. Without a start time, its lifetime starts now. A record without an issuer is
 * valid only if the embedded provider made it, because its account id may not be unique across issuers.
 */
export function upgradeRecord(stored: StoredSessionRecord, rules: SessionRules, now: number): SessionRecord {
  const isFromEmbeddedProvider = rules.embedded && isSameIssuer(readIssuer(stored.tokens), rules.OIDC_ISSUER)
  return {
    ...stored,
    startedAt: stored.startedAt ?? now,
    issuer: stored.issuer ?? (isFromEmbeddedProvider ? rules.OIDC_ISSUER : ''),
    isListed: stored.isListed ?? false,
    isEmailConfirmed: stored.isEmailConfirmed ?? rules.embedded,
  }
}

/**
 * Returns the absolute end of the session, ms UTC: the end of its lifetime or, if its token cannot be refreshed, the
 * expiry of the token if that is earlier (OPEN-18).
 */
export function getAbsoluteEnd(
  { startedAt, tokens }: Pick<SessionRecord, 'startedAt' | 'tokens'>,
  rules: SessionRules,
): number {
  const lifetimeEndsAt = startedAt + rules.sessionLifeMs
  return isRenewable(tokens, rules) ? lifetimeEndsAt : Math.min(lifetimeEndsAt, tokens.expiresAt)
}

/**
 * Returns true if the session has ended: `now` (ms UTC) has reached `getNextEnd`, or the session's issuer is no longer
 * the configured one.
 */
export function isSessionEnded(record: SessionRecord, rules: SessionRules, now: number): boolean {
  return now >= getNextEnd(record, rules) || !isSameIssuer(record.issuer, rules.OIDC_ISSUER)
}

/** Returns the time at which the session ends if it is not used again, ms UTC. */
export function getNextEnd(record: SessionRecord, rules: SessionRules): number {
  return Math.min(record.usedAt + rules.sessionIdleMs, getAbsoluteEnd(record, rules))
}

export const isRenewable = ({ refresh }: Tokens, { renewsByCall }: SessionRules): boolean =>
  renewsByCall || refresh !== null

const issuerClaims = v.object({ iss: v.string() })

/**
 * Returns true if the configured issuer made the tokens. Only then may they be sent to that issuer. For early records,
 * which name no issuer, the ID token decides.
 */
export function hasConfiguredIssuer(
  { issuer, tokens }: Pick<SessionRecord, 'issuer' | 'tokens'>,
  rules: SessionRules,
): boolean {
  return isSameIssuer(issuer === '' ? readIssuer(tokens) : issuer, rules.OIDC_ISSUER)
}

/**
 * Returns the issuer of the ID token; '' without an ID token. Skips the signature check, because the token endpoint
 * sent the token.
 */
function readIssuer({ idToken }: Tokens): string {
  const payload = fromBase64Url(idToken?.split('.')[1] ?? '')
  const parsed = v.safeParse(issuerClaims, payload && parseJson(new TextDecoder().decode(payload)))
  return parsed.success ? parsed.output.iss : ''
}
