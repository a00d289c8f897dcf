import * as v from 'valibot'
import { fromBase64Url } from '../byte-encoding.ts'
import type { Settings } from '../settings.ts'
import { isSameIssuer } from './issuer.ts'
import { parseJson } from '../parse-json.ts'
import type { Identity } from './complete-sign-in.ts'
import type { Tokens } from './tokens.ts'

/** All that a session keeps, as one record. Times in ms UTC. */
export interface SessionRecord extends Identity {
  readonly tokens: Tokens
  readonly generation: number
  readonly handle: string
  /** When it was last used, to a thirtieth of the time that it may be idle and to ten minutes. */
  readonly usedAt: number
  readonly startedAt: number
  /** Who signed the person in; '' where that is not known, which is nobody's session. */
  readonly issuer: string
  /** Whether the account's list of sessions has it. */
  readonly isListed: boolean
}

/** Session data that the edge needs to serve a request. `handle` is the `web_app_token` of the token generation (OPEN-19). */
export interface SessionView extends Identity {
  readonly accessToken: string
  readonly expiresAt: number
  readonly handle: string
  /** Absolute end of the session, ms UTC. */
  readonly endsAt: number
  readonly isListed: boolean
}

/** Times of a session in the account's list of sessions, ms UTC. */
export interface SessionTimes extends Pick<SessionRecord, 'startedAt' | 'usedAt'> {
  /** End of the session without further use. */
  readonly endsAt: number
}

/** Result of a token refresh. `down`: the issuer could not be reached, so the tokens stay as they are. */
export type RefreshResult = { kind: 'current'; view: SessionView } | { kind: 'ended' } | { kind: 'down' }

/** Access tokens are refreshed this long before they expire. */
export const EXPIRY_MARGIN_MS = 10_000

/** A record as it may lie in storage: earlier versions had none of these. */
export type KeptRecord = Omit<SessionRecord, Added> & Partial<Pick<SessionRecord, Added>>
type Added = 'startedAt' | 'issuer' | 'isListed' | 'isEmailConfirmed'

type Rules = Pick<Settings, 'OIDC_ISSUER' | 'embedded' | 'renewsByCall' | 'sessionIdleMs' | 'sessionLifeMs'>

/**
 * A record of any version. The life of one that does not say when it began is counted from now. One that does not say who
 * signed in is believed of the embedded provider alone: ids of other issuers' accounts were not bound to them.
 */
export function readRecord(stored: KeptRecord, rules: Rules, now: number): SessionRecord {
  const isOwn = rules.embedded && isSameIssuer(readIssuer(stored.tokens), rules.OIDC_ISSUER)
  return {
    ...stored,
    startedAt: stored.startedAt ?? now,
    issuer: stored.issuer ?? (isOwn ? rules.OIDC_ISSUER : ''),
    isListed: stored.isListed ?? false,
    isEmailConfirmed: stored.isEmailConfirmed ?? rules.embedded,
  }
}

/** When it ends however much it is used: after its life, or with a token that nothing can renew (OPEN-18). */
export function endsAt({ startedAt, tokens }: Pick<SessionRecord, 'startedAt' | 'tokens'>, rules: Rules): number {
  const lasts = startedAt + rules.sessionLifeMs
  return isRenewable(tokens, rules) ? lasts : Math.min(lasts, tokens.expiresAt)
}

/** Whether it has ended at `now`: by its age, because nobody used it, or because its issuer signs nobody in here any more. */
export function isOver(record: SessionRecord, rules: Rules, now: number): boolean {
  return now >= nextEnd(record, rules) || !isSameIssuer(record.issuer, rules.OIDC_ISSUER)
}

/** When it ends if nobody uses it. */
export function nextEnd(record: SessionRecord, rules: Rules): number {
  return Math.min(record.usedAt + rules.sessionIdleMs, endsAt(record, rules))
}

export const isRenewable = ({ refresh }: Tokens, { renewsByCall }: Rules): boolean => renewsByCall || refresh !== null

const claims = v.object({ iss: v.string() })

/** Returns whether the configured issuer made the tokens: it is shown no others. Early records name none, their ID token does. */
export function isOfIssuer({ issuer, tokens }: Pick<SessionRecord, 'issuer' | 'tokens'>, rules: Rules): boolean {
  return isSameIssuer(issuer === '' ? readIssuer(tokens) : issuer, rules.OIDC_ISSUER)
}

/** Who made the ID token, or '' where there is none. It came from the token endpoint, so its signature is not looked at. */
function readIssuer({ idToken }: Tokens): string {
  const payload = fromBase64Url(idToken?.split('.')[1] ?? '')
  const parsed = v.safeParse(claims, payload && parseJson(new TextDecoder().decode(payload)))
  return parsed.success ? parsed.output.iss : ''
}
