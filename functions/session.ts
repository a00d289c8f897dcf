import { DurableObject } from 'cloudflare:workers'
import { explainIssuerFailure } from '../contract/auth/issuer-failure.ts'
import type { SignOutDetails } from '../contract/auth/sign-out-details.ts'
import { createRandomText } from './lib/byte-encoding.ts'
import { readSettings, type Bindings, type Settings } from './lib/settings.ts'
import { fetchMediaToken, type MediaTokenResult } from './lib/auth/media-token.ts'
import { isRefreshRefused, renewTokens } from './lib/auth/renew-tokens.ts'
import { signOutAtProvider, type SignOutRequest } from './lib/auth/sign-out-at-provider.ts'
import {
  getAbsoluteEnd,
  hasConfiguredIssuer,
  isSessionEnded,
  isRenewable,
  getNextEnd,
  upgradeRecord,
  type StoredSessionRecord,
  type RefreshResult,
  type SessionRecord,
  type SessionTimes,
  type SessionView,
} from './lib/auth/session-record.ts'
import type { UserIdentity } from './lib/auth/complete-sign-in.ts'
import type { Tokens } from './lib/auth/tokens.ts'

/** Tokens of a session that has ended at the edge, but perhaps not yet at the provider. */
interface PendingSignOut extends SignOutRequest {
  readonly tries: number
}

const SESSION_KEY = 'session'
const PENDING_SIGN_OUT_KEY = 'ending'
/** First retry delay. It doubles after each attempt, so that all attempts together take about a day. */
const FIRST_SIGN_OUT_RETRY_DELAY_MS = 5000
const SIGN_OUT_ATTEMPTS_MAX = 15
/**
 * Maximum wait for the provider. With it, a caller gets a response within 5 s, even if discovery and token call are
 * slow.
 */
const RESPONSE_TIMEOUT_MS = 4500
const USE_WRITE_INTERVAL_MS = 600_000

/** Session of one signed-in browser: its tokens, with at most one refresh at a time. */
export class Session extends DurableObject<Bindings> {
  #record = this.ctx.storage.kv.get<StoredSessionRecord>(SESSION_KEY)
  #pendingRenewal: Promise<RefreshResult> | undefined
  /** Media token of the session. It is kept only in memory and fetched again after a restart. */
  #mediaToken: Promise<MediaTokenResult> | undefined

  async start(tokens: Tokens, identity: UserIdentity): Promise<SessionView> {
    const settings = this.#getSettings()
    const now = Date.now()
    const startTimes = { startedAt: now, usedAt: now }
    const initial = { generation: 1, handle: createHandle(1), issuer: settings.OIDC_ISSUER, isListed: false }
    return this.#saveRecord({ ...identity, ...startTimes, ...initial, tokens }, settings)
  }

  /** Returns the session and records its use; null if it has ended. */
  async read(): Promise<SessionView | null> {
    const now = Date.now()
    const settings = this.#getSettings()
    const record = await this.#readLiveRecord(settings, now)
    if (!record) return null
    const isRecentlyWritten = now - record.usedAt <= Math.min(settings.sessionIdleMs / 30, USE_WRITE_INTERVAL_MS)
    return isRecentlyWritten ? toView(record, settings) : this.#saveRecord({ ...record, usedAt: now }, settings)
  }

  /**
   * Returns start, last use and expiry of the session for the account's list; null if it has ended. Listing a session
   * does not count as activity.
   */
  async getTimes(): Promise<SessionTimes | null> {
    const settings = this.#getSettings()
    const record = await this.#readLiveRecord(settings, Date.now())
    return record && { startedAt: record.startedAt, usedAt: record.usedAt, endsAt: getNextEnd(record, settings) }
  }

  async markListed(): Promise<void> {
    const settings = this.#getSettings()
    const record = await this.#readLiveRecord(settings, Date.now())
    if (record) await this.#saveRecord({ ...record, isListed: true }, settings)
  }

  /** Returns the media token of the session. Concurrent callers share one fetch; only a success is cached. */
  async issueMediaToken(): Promise<MediaTokenResult> {
    if (!(await this.read())) return { kind: 'ended' }
    const pending = (this.#mediaToken ??= fetchMediaToken(readSettings(this.env), this))
    const tokenResult = await pending
    if (tokenResult.kind !== 'pass' && this.#mediaToken === pending) this.#mediaToken = undefined
    return this.#record ? tokenResult : { kind: 'ended' }
  }

  /**
   * Refreshes the tokens if `handle` is the current token generation and its tokens are renewable. Otherwise, returns
   * the current generation unchanged. Concurrent callers share one token call.
   */
  async refresh(handle: string): Promise<RefreshResult> {
    const settings = this.#getSettings()
    const record = await this.#readLiveRecord(settings, Date.now())
    if (!record) return { kind: 'ended' }
    if (handle !== record.handle || !isRenewable(record.tokens, settings))
      return { kind: 'current', view: toView(record, settings) }
    this.#pendingRenewal ??= this.#renew(settings).finally(() => (this.#pendingRenewal = undefined))
    return withTimeout<RefreshResult>(this.#pendingRenewal, { kind: 'down' })
  }

  /**
   * Ends the session: immediately for the browser, and at the provider once it can be reached. Returns null if it had
   * already ended. `url`: sign-out page of an external provider, or null. `details` goes to the activity log.
   */
  async end(details: SignOutDetails): Promise<{ readonly url: string | null } | null> {
    const record = this.#record
    if (!record) return null
    this.#startSignOut({ tokens: record.tokens, signOn: true, note: details, tries: 0 })
    return { url: await withTimeout(this.#endAtProvider(), null) }
  }

  /**
   * Ends the session because its browser has signed in again as `userId`. An alarm notifies the provider later. For the
   * same account, keeps the single sign-on session, which the new session uses.
   */
  async replace(userId: string): Promise<void> {
    if (this.#record) await this.#endSoon(this.#record.tokens, this.#record.userId !== userId)
  }

  async alarm(): Promise<void> {
    if (this.ctx.storage.kv.get(PENDING_SIGN_OUT_KEY)) return void (await this.#endAtProvider())
    const settings = this.#getSettings()
    const record = await this.#readLiveRecord(settings, Date.now())
    // The session may have been used after the alarm was set, so its expiry may be later.
    if (record) await this.ctx.storage.setAlarm(getNextEnd(record, settings))
  }

  /**
   * Returns the session; null if there is none or it has ended. Deletes an ended session; an alarm revokes its tokens
   * if the configured issuer made them.
   */
  async #readLiveRecord(settings: Settings, now: number): Promise<SessionRecord | null> {
    if (!this.#record) return null
    const record = upgradeRecord(this.#record, settings, now)
    if (!isSessionEnded(record, settings, now)) return record
    if (hasConfiguredIssuer(record, settings)) await this.#endSoon(record.tokens, false)
    else await this.#clearStorage()
    return null
  }

  async #endSoon(tokens: Tokens, signOn: boolean): Promise<void> {
    this.#startSignOut({ tokens, signOn, tries: 0 })
    await this.ctx.storage.setAlarm(Date.now())
  }

  async #endAtProvider(): Promise<string | null> {
    const settings = readSettings(this.env)
    const ending = this.ctx.storage.kv.get<PendingSignOut>(PENDING_SIGN_OUT_KEY)
    if (!ending || !settings.ok || ending.tries >= SIGN_OUT_ATTEMPTS_MAX) {
      await this.#clearStorage()
      return null
    }
    // Schedules the next attempt before this attempt starts, because this attempt may be interrupted.
    this.ctx.storage.kv.put<PendingSignOut>(PENDING_SIGN_OUT_KEY, { ...ending, tries: ending.tries + 1 })
    await this.ctx.storage.setAlarm(Date.now() + FIRST_SIGN_OUT_RETRY_DELAY_MS * 2 ** ending.tries)
    try {
      const url = await signOutAtProvider(settings.settings, ending, Date.now())
      await this.#clearStorage()
      return url
    } catch (error) {
      console.error(`The provider didn’t confirm a logout: ${explainIssuerFailure(error)}`)
      if (isRefreshRefused(error)) await this.#clearStorage()
      return null
    }
  }

  async #renew(settings: Settings): Promise<RefreshResult> {
    const stored = this.ctx.storage.kv.get<StoredSessionRecord>(SESSION_KEY)
    if (!stored) return { kind: 'ended' }
    try {
      const tokens = await renewTokens(settings, stored.tokens, Date.now)
      if (!this.#record) return { kind: 'ended' }
      if (!tokens) return this.#endAfterRefusal()
      const generation = stored.generation + 1
      const now = Date.now()
      const next = { tokens, generation, handle: createHandle(generation), usedAt: now }
      // During the token call, other fields of the session may have changed, but not the tokens.
      const record = { ...upgradeRecord(this.#record, settings, now), ...next }
      return { kind: 'current', view: await this.#saveRecord(record, settings) }
    } catch (error) {
      console.error(`Couldn’t refresh the tokens of a session: ${explainIssuerFailure(error)}`)
      return { kind: 'down' }
    }
  }

  async #endAfterRefusal(): Promise<RefreshResult> {
    await this.#clearStorage()
    return { kind: 'ended' }
  }

  #startSignOut(ending: PendingSignOut): void {
    this.#record = undefined
    this.ctx.storage.kv.delete(SESSION_KEY)
    this.ctx.storage.kv.put<PendingSignOut>(PENDING_SIGN_OUT_KEY, ending)
  }

  async #saveRecord(record: SessionRecord, settings: Settings): Promise<SessionView> {
    this.#record = record
    this.ctx.storage.kv.put<StoredSessionRecord>(SESSION_KEY, record)
    await this.ctx.storage.setAlarm(getNextEnd(record, settings))
    return toView(record, settings)
  }

  /**
   * Returns the settings. Does not throw during requests, because the Worker checks the settings before it calls this
   * object.
   */
  #getSettings(): Settings {
    const result = readSettings(this.env)
    if (!result.ok) throw new Error(result.problem)
    return result.settings
  }

  async #clearStorage(): Promise<void> {
    this.#record = undefined
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
  }
}

function toView(record: SessionRecord, settings: Settings): SessionView {
  const { userId, email, isEmailConfirmed, tokens, handle, isListed } = record
  const { access: accessToken, expiresAt } = tokens
  return {
    userId,
    email,
    isEmailConfirmed,
    accessToken,
    expiresAt,
    handle,
    isListed,
    endsAt: getAbsoluteEnd(record, settings),
  }
}

function createHandle(generation: number): string {
  return `${generation}.${createRandomText(12)}`
}

/** Returns the result of the task, or `fallback` after `RESPONSE_TIMEOUT_MS`. The task continues in the background. */
async function withTimeout<T>(task: Promise<T>, fallback: T): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<T>((resolve) => (timer = setTimeout(resolve, RESPONSE_TIMEOUT_MS, fallback)))
  return Promise.race([task, limit]).finally(() => clearTimeout(timer))
}
