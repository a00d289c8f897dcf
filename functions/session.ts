import { DurableObject } from 'cloudflare:workers'
import { explainFailure } from '../contract/auth/issuer-failure.ts'
import type { SignOutNote } from '../contract/auth/sign-out-note.ts'
import { randomText } from './lib/byte-encoding.ts'
import { readSettings, type Bindings, type Settings } from './lib/settings.ts'
import { fetchMediaToken, type MediaPass } from './lib/auth/media-token.ts'
import { isSessionOver, renewTokens } from './lib/auth/renew-tokens.ts'
import { signOutAtProvider, type SigningOut } from './lib/auth/sign-out-at-provider.ts'
import {
  endsAt,
  isOfIssuer,
  isSessionEnded,
  isRenewable,
  nextEnd,
  readRecord,
  type KeptRecord,
  type RefreshResult,
  type SessionRecord,
  type SessionTimes,
  type SessionView,
} from './lib/auth/session-record.ts'
import type { UserIdentity } from './lib/auth/complete-sign-in.ts'
import type { Tokens } from './lib/auth/tokens.ts'

/** Tokens of a session that has ended at the edge, but perhaps not yet at the provider. */
interface Ending extends SigningOut {
  readonly tries: number
}

const KEY = 'session'
const ENDING = 'ending'
/** Backoff from 5 s, doubled each time: the attempts span about a day. */
const END_RETRY_MS = 5000
const END_TRIES = 15
/** Maximum wait of a caller: it gets a response within 5 s, even if discovery and token call are both slow. */
const ANSWER_MS = 4500
/** Minimum time between two writes of the last use. */
const USE_MS = 600_000

/** Session of one signed-in browser: its tokens, with at most one refresh at a time. */
export class Session extends DurableObject<Bindings> {
  #kept = this.ctx.storage.kv.get<KeptRecord>(KEY)
  #renewal: Promise<RefreshResult> | undefined
  /** Media token of the session. It is kept only in memory and fetched again after a restart. */
  #mediaPass: Promise<MediaPass> | undefined

  async start(tokens: Tokens, identity: UserIdentity): Promise<SessionView> {
    const settings = this.#settings()
    const now = Date.now()
    const times = { startedAt: now, usedAt: now }
    const initial = { generation: 1, handle: newHandle(1), issuer: settings.OIDC_ISSUER, isListed: false }
    return this.#keep({ ...identity, ...times, ...initial, tokens }, settings)
  }

  /** Returns the session and records its use; null if it has ended. */
  async read(): Promise<SessionView | null> {
    const now = Date.now()
    const settings = this.#settings()
    const record = await this.#living(settings, now)
    if (!record) return null
    const isWritten = now - record.usedAt <= Math.min(settings.sessionIdleMs / 30, USE_MS)
    return isWritten ? view(record, settings) : this.#keep({ ...record, usedAt: now }, settings)
  }

  /**
   * Returns start, last use and expiry of the session for the account's list; null if it has ended. Listing a session
   * does not count as activity.
   */
  async times(): Promise<SessionTimes | null> {
    const settings = this.#settings()
    const record = await this.#living(settings, Date.now())
    return record && { startedAt: record.startedAt, usedAt: record.usedAt, endsAt: nextEnd(record, settings) }
  }

  async listed(): Promise<void> {
    const settings = this.#settings()
    const record = await this.#living(settings, Date.now())
    if (record) await this.#keep({ ...record, isListed: true }, settings)
  }

  /** Returns the media token of the session, fetched once; concurrent callers share the request. */
  async mediaPass(): Promise<MediaPass> {
    if (!(await this.read())) return { kind: 'ended' }
    const pending = (this.#mediaPass ??= fetchMediaToken(readSettings(this.env), this))
    const pass = await pending
    if (pass.kind !== 'pass' && this.#mediaPass === pending) this.#mediaPass = undefined
    return this.#kept ? pass : { kind: 'ended' }
  }

  /**
   * Refreshes the tokens for a caller whose call failed with the token generation `handle`. If that generation is
   * outdated, or the tokens cannot be refreshed, returns the current generation. Concurrent callers share one token
   * call.
   */
  async refresh(handle: string): Promise<RefreshResult> {
    const settings = this.#settings()
    const record = await this.#living(settings, Date.now())
    if (!record) return { kind: 'ended' }
    if (handle !== record.handle || !isRenewable(record.tokens, settings))
      return { kind: 'current', view: view(record, settings) }
    this.#renewal ??= this.#renew(settings).finally(() => (this.#renewal = undefined))
    return withinTime<RefreshResult>(this.#renewal, { kind: 'down' })
  }

  /**
   * Ends the session: immediately for the browser, at the provider as soon as the provider can be reached. Returns null
   * if the session had already ended. `url`: page at which a foreign provider ends its own session; null if it is not
   * known in time. `note` goes to the account's activity log.
   */
  async end(note: SignOutNote): Promise<{ readonly url: string | null } | null> {
    const record = this.#kept
    if (!record) return null
    this.#beginEnding({ tokens: record.tokens, signOn: true, note, tries: 0 })
    return { url: await withinTime(this.#endAtProvider(), null) }
  }

  /**
   * Ends the session because its browser has signed in again as `userId`. The alarm notifies the provider, so that the
   * caller does not wait. If the account is the same, its single sign-on session is kept, because the new session
   * depends on it.
   */
  async replace(userId: string): Promise<void> {
    if (this.#kept) await this.#endSoon(this.#kept.tokens, this.#kept.userId !== userId)
  }

  async alarm(): Promise<void> {
    if (this.ctx.storage.kv.get(ENDING)) return void (await this.#endAtProvider())
    const settings = this.#settings()
    const record = await this.#living(settings, Date.now())
    // The expiry of the session may have moved since the alarm was set.
    if (record) await this.ctx.storage.setAlarm(nextEnd(record, settings))
  }

  /** Returns the session at `now`; ends it, and its tokens, if it has expired. */
  async #living(settings: Settings, now: number): Promise<SessionRecord | null> {
    if (!this.#kept) return null
    const record = readRecord(this.#kept, settings, now)
    if (!isSessionEnded(record, settings, now)) return record
    if (isOfIssuer(record, settings)) await this.#endSoon(record.tokens, false)
    else await this.#forget()
    return null
  }

  async #endSoon(tokens: Tokens, signOn: boolean): Promise<void> {
    this.#beginEnding({ tokens, signOn, tries: 0 })
    await this.ctx.storage.setAlarm(Date.now())
  }

  async #endAtProvider(): Promise<string | null> {
    const settings = readSettings(this.env)
    const ending = this.ctx.storage.kv.get<Ending>(ENDING)
    if (!ending || !settings.ok || ending.tries >= END_TRIES) {
      await this.#forget()
      return null
    }
    // Schedules the next attempt before this attempt starts, because this attempt may be interrupted.
    this.ctx.storage.kv.put<Ending>(ENDING, { ...ending, tries: ending.tries + 1 })
    await this.ctx.storage.setAlarm(Date.now() + END_RETRY_MS * 2 ** ending.tries)
    try {
      const url = await signOutAtProvider(settings.settings, ending, Date.now())
      await this.#forget()
      return url
    } catch (error) {
      console.error(`A sign-out is not confirmed: ${explainFailure(error)}`)
      if (isSessionOver(error)) await this.#forget()
      return null
    }
  }

  async #renew(settings: Settings): Promise<RefreshResult> {
    // Reads the session from storage again, because storage holds the state that survived a restart.
    const stored = this.ctx.storage.kv.get<KeptRecord>(KEY)
    if (!stored) return { kind: 'ended' }
    try {
      const tokens = await renewTokens(settings, stored.tokens, Date.now)
      if (!this.#kept) return { kind: 'ended' }
      if (!tokens) return this.#ended()
      const generation = stored.generation + 1
      const now = Date.now()
      const next = { tokens, generation, handle: newHandle(generation), usedAt: now }
      // Other fields of the session may have changed during the token call, but not its tokens.
      const record = { ...readRecord(this.#kept, settings, now), ...next }
      return { kind: 'current', view: await this.#keep(record, settings) }
    } catch (error) {
      console.error(`A session continues without new tokens: ${explainFailure(error)}`)
      return { kind: 'down' }
    }
  }

  async #ended(): Promise<RefreshResult> {
    await this.#forget()
    return { kind: 'ended' }
  }

  #beginEnding(ending: Ending): void {
    this.#kept = undefined
    this.ctx.storage.kv.delete(KEY)
    this.ctx.storage.kv.put<Ending>(ENDING, ending)
  }

  async #keep(record: SessionRecord, settings: Settings): Promise<SessionView> {
    this.#kept = record
    this.ctx.storage.kv.put<KeptRecord>(KEY, record)
    await this.ctx.storage.setAlarm(nextEnd(record, settings))
    return view(record, settings)
  }

  /** Cannot throw for a request: the Worker forwards a request only if its settings are valid. */
  #settings(): Settings {
    const result = readSettings(this.env)
    if (!result.ok) throw new Error(result.problem)
    return result.settings
  }

  async #forget(): Promise<void> {
    this.#kept = undefined
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
  }
}

function view(record: SessionRecord, settings: Settings): SessionView {
  const { userId, email, isEmailConfirmed, tokens, handle, isListed } = record
  const { access: accessToken, expiresAt } = tokens
  return { userId, email, isEmailConfirmed, accessToken, expiresAt, handle, isListed, endsAt: endsAt(record, settings) }
}

function newHandle(generation: number): string {
  return `${generation}.${randomText(12)}`
}

/** Returns the result of the task, or `late` if it takes longer than a caller may wait; the task itself continues. */
async function withinTime<T>(task: Promise<T>, late: T): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<T>((resolve) => (timer = setTimeout(resolve, ANSWER_MS, late)))
  return Promise.race([task, limit]).finally(() => clearTimeout(timer))
}
